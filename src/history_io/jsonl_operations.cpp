#include "history_io/jsonl_operations.h"

#include <fmt/format.h>

namespace assay {

namespace json = simdjson::ondemand;

Result<void> JsonlOperations::read_all(json::value& value) {
  json::array array;
  if (value.get_array().get(array)) return error("\"ops\" must be a list of operations");
  std::size_t number = 0;
  for (auto element : array) {
    ++number;
    json::array parts;
    Result<void> done;
    if (element.get_array().get(parts)) done = error("an operation must be a list such as [\"r\",\"x\",0]");
    else done = operation(parts);
    if (!done) {
      done.error().what = fmt::format("operation {}: {}", number, done.error().what);
      return done;
    }
  }
  return {};
}

Result<void> JsonlOperations::operation(json::array parts) {
  JsonElements elements(parts);
  ASSAY_TRY(elements.open());
  auto first = elements.next("the name of an operation");
  if (!first) return std::move(first).error();
  std::string_view name;
  if (first->get_string().get(name)) return error("the name of an operation must be a string");

  if (name == "r") return read(elements);
  if (name == "w") return item(elements, &HistoryBuilder::write);
  if (name == "append") return item(elements, &HistoryBuilder::append);
  if (name == "one-of") return read_one_of(elements);
  if (name == "insert") return item(elements, &HistoryBuilder::insert);
  if (name == "delete") return remove(elements);
  if (name == "scan") return scan(elements);
  if (name == "select") return with_predicate(elements, OpKind::Select);
  if (name == "update") return with_predicate(elements, OpKind::Update);
  if (name == "update-maybe") return with_predicate(elements, OpKind::UpdateMaybe);
  return error(fmt::format("unknown operation \"{}\"", name),
               "r, w, append, one-of, insert, delete, scan, select, update or update-maybe");
}

Result<void> JsonlOperations::item(JsonElements& elements, void (HistoryBuilder::*add)(KeyId, Scalar)) {
  auto both = values_.key_and_value(elements);
  if (!both) return std::move(both).error();
  (builder_.*add)(both->key, both->value);
  return {};
}

Result<void> JsonlOperations::read(JsonElements& elements) {
  auto k = values_.next_key(elements);
  if (!k) return std::move(k).error();
  auto value = elements.next("a value");
  if (!value) return std::move(value).error();
  json::json_type type;
  TRY_JSON(value->type().get(type));
  if (type != json::json_type::array) {
    auto content = values_.scalar(*value);
    if (!content) return std::move(content).error();
    builder_.read(*k, *content);
    return elements.finish();
  }
  ASSAY_TRY(list(*value));
  builder_.list_read(*k, scalars_);
  return elements.finish();
}

// Reads a list of values into scalars_.
Result<void> JsonlOperations::list(json::value value) {
  json::array list;
  if (value.get_array().get(list)) return error("expected a list of values");
  scalars_.clear();
  for (auto element : list) {
    json::value content;
    TRY_JSON(element.get(content));
    auto one = values_.scalar(content);
    if (!one) return std::move(one).error();
    scalars_.push_back(*one);
  }
  return {};
}

Result<void> JsonlOperations::read_one_of(JsonElements& elements) {
  auto k = values_.next_key(elements);
  if (!k) return std::move(k).error();
  auto value = elements.next("a list of values");
  if (!value) return std::move(value).error();
  ASSAY_TRY(list(*value));
  builder_.read_one_of(*k, scalars_);
  return elements.finish();
}

Result<void> JsonlOperations::remove(JsonElements& elements) {
  auto k = values_.next_key(elements);
  if (!k) return std::move(k).error();
  std::optional<bool> found;
  if (elements.advance()) {
    auto value = elements.next("whether a row was there");
    if (!value) return std::move(value).error();
    bool yes = false;
    if (value->get_bool().get(yes)) return error("a delete's third element must be true or false");
    found = yes;
    ASSAY_TRY(elements.finish());
  }
  builder_.remove(*k, found);
  return {};
}

Result<void> JsonlOperations::scan(JsonElements& elements) {
  Scalar bounds[2];
  for (Scalar& bound : bounds) {
    auto value = elements.next("a bound of the scan");
    if (!value) return std::move(value).error();
    auto content = values_.name(*value, "a bound of a scan");
    if (!content) return std::move(content).error();
    bound = *content;
  }
  ASSAY_TRY(values_.rows(elements, rows_));
  builder_.scan({bounds[0], bounds[1]}, rows_);
  return elements.finish();
}

Result<void> JsonlOperations::with_predicate(JsonElements& elements, OpKind kind) {
  auto value = elements.next("a predicate");
  if (!value) return std::move(value).error();
  nodes_.clear();
  ASSAY_TRY(predicate(*value, 0));
  ASSAY_TRY(values_.rows(elements, rows_));
  if (kind == OpKind::Select) builder_.select(nodes_, rows_);
  if (kind == OpKind::Update) builder_.update(nodes_, rows_);
  if (kind != OpKind::UpdateMaybe) return elements.finish();

  std::optional<std::uint64_t> count;
  if (elements.advance()) {
    std::uint64_t number = 0;
    auto value = elements.next("a count");
    if (!value) return std::move(value).error();
    if (value->get_uint64().get(number)) return error("the count of an update-maybe must be a number");
    count = number;
    ASSAY_TRY(elements.finish());
  }
  builder_.update_maybe(nodes_, rows_, count);
  return {};
}

// Appends the tree of `value` to nodes_.
Result<void> JsonlOperations::predicate(json::value value, int depth) {
  if (depth >= kDeepestPredicate) return error("a predicate that is nested too deeply");
  json::array array;
  if (value.get_array().get(array)) return error("a predicate must be a list such as [\"=\",\"value\",1]");
  JsonElements elements(array);
  ASSAY_TRY(elements.open());
  auto first = elements.next("the name of a predicate");
  if (!first) return std::move(first).error();
  std::string_view name;
  if (first->get_string().get(name)) return error("the name of a predicate must be a string");
  const PredicateSpelling* spelled = find_predicate(name);
  if (spelled == nullptr) return error(fmt::format("unknown predicate \"{}\"", name));

  const std::size_t at = nodes_.size();
  nodes_.push_back({spelled->op, 0, Scalar::null()});
  std::uint32_t operands = 0;
  if (is_connective(spelled->op)) {
    for (; elements.advance(); ++operands) {
      auto operand = elements.next("a predicate");
      if (!operand) return std::move(operand).error();
      ASSAY_TRY(predicate(*operand, depth + 1));
    }
  } else {
    auto column = elements.next("a column");
    if (!column) return std::move(column).error();
    std::string_view text;
    if (column->get_string().get(text)) return error("a column must be a string");
    nodes_[at].scalar = builder_.pool().string(text);
    auto counted = constants(elements, spelled->op == PredicateOp::In);
    if (!counted) return std::move(counted).error();
    operands = *counted;
  }
  nodes_[at].operands = operands;
  if (!takes(spelled->op, operands))
    return error(fmt::format("predicate \"{}\" with {} operands", name, operands));
  return {};
}

Result<std::uint32_t> JsonlOperations::constants(JsonElements& elements, bool in_a_list) {
  std::uint32_t count = 0;
  const auto constant = [&](json::value value) -> Result<void> {
    auto content = values_.scalar(value);
    if (!content) return std::move(content).error();
    if (content->kind == ScalarKind::Row) return error("an object is no constant of a predicate");
    nodes_.push_back({PredicateOp::Constant, 0, *content});
    ++count;
    return {};
  };
  if (!in_a_list) {
    while (elements.advance()) {
      auto value = elements.next("a constant");
      if (!value) return std::move(value).error();
      ASSAY_TRY(constant(*value));
    }
    return count;
  }
  auto value = elements.next("a list of constants");
  if (!value) return std::move(value).error();
  json::array list;
  if (value->get_array().get(list)) return error("\"in\" takes a list of constants");
  for (auto element : list) {
    json::value content;
    TRY_JSON(element.get(content));
    ASSAY_TRY(constant(content));
  }
  ASSAY_TRY(elements.finish());
  return count;
}

}  // namespace assay
