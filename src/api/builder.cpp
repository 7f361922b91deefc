// The builder of the C interface. HistoryBuilder aborts when its preconditions are violated, so this file
// checks every argument first.
#include <assay/assay_c.h>

#include <algorithm>

#include "api/calls.h"
#include "api/handles.h"
#include "history/txn_names.h"
#include "history_io/utf8.h"

namespace assay::api {
namespace {

// After a failure the operations of the transaction are dropped, so they cannot end up in the next one.
template <class Body>
assay_status with_transaction(assay_builder* builder, assay_error** error, const Body& body) {
  const assay_status status = guarded(error, [&]() -> Result<void> {
    require(builder != nullptr, "there is no builder");
    return body();
  });
  if (status != ASSAY_OK && builder != nullptr) builder->builder.abandon();
  return status;
}

Problem bad(std::string what, std::string remedy = {}) {
  return {ASSAY_BAD_INPUT, error(std::move(what), std::move(remedy))};
}

std::string_view checked_text(const char* text, std::size_t size, const char* what) {
  require(text != nullptr || size == 0, what);
  const std::string_view view(text, size);
  if (first_invalid_utf8(view)) throw bad("a text is not UTF-8");
  return view;
}

Scalar scalar_of(ScalarPool& pool, const assay_value& value, bool may_be_row = true) {
  switch (value.kind) {
    case ASSAY_NULL: return Scalar::null();
    case ASSAY_BOOLEAN: return Scalar::boolean(value.integer != 0);
    case ASSAY_INTEGER: return Scalar::integer(value.integer);
    case ASSAY_STRING: return pool.string(checked_text(value.text, value.size, "a string has no text"));
    case ASSAY_NUMBER: {
      const std::string_view text = checked_text(value.text, value.size, "a number has no text");
      if (const auto number = pool.number(text)) return *number;
      throw bad(std::string(text) + " is not a number");
    }
    case ASSAY_ROW: break;
    default: throw misuse("an unknown kind of value");
  }
  if (!may_be_row) throw bad("a row stands where a single value is needed");
  require(value.fields != nullptr || value.size == 0, "a row has no fields");
  std::vector<RowField> fields;
  for (const assay_field& field : std::span(value.fields, value.size)) {
    require(field.column != nullptr, "a column has no name");
    const std::string_view column(field.column);
    const Scalar name = pool.string(checked_text(column.data(), column.size(), ""));
    if (std::ranges::find(fields, name, &RowField::column) != fields.end())
      throw bad("a row has the column " + std::string(column) + " twice");
    fields.push_back({name, scalar_of(pool, field.value, false)});
  }
  return pool.row(std::move(fields));
}

Scalar name_of(ScalarPool& pool, const assay_value& value, const char* what) {
  if (value.kind != ASSAY_INTEGER && value.kind != ASSAY_STRING)
    throw bad(std::string(what) + " is neither an integer nor a string");
  return scalar_of(pool, value);
}

KeyId key_of(HistoryBuilder& b, const assay_value& value) { return b.key(name_of(b.pool(), value, "a key")); }

std::vector<Scalar> values_of(HistoryBuilder& b, const assay_operation& op) {
  require(op.values != nullptr || op.value_count == 0, "an operation has no values");
  std::vector<Scalar> values;
  for (const assay_value& value : std::span(op.values, op.value_count))
    values.push_back(scalar_of(b.pool(), value));
  return values;
}

std::vector<KeyAndValue> rows_of(HistoryBuilder& b, const assay_operation& op) {
  require(op.rows != nullptr || op.row_count == 0, "an operation has no rows");
  std::vector<KeyAndValue> rows;
  for (const assay_row& row : std::span(op.rows, op.row_count))
    rows.push_back({key_of(b, row.key), scalar_of(b.pool(), row.value)});
  return rows;
}

std::vector<PredicateNode> predicate_of(HistoryBuilder& b, const assay_operation& op) {
  require(op.predicate != nullptr || op.predicate_count == 0, "an operation has no predicate");
  std::vector<PredicateNode> nodes;
  for (const assay_predicate_node& node : std::span(op.predicate, op.predicate_count)) {
    if (node.operation == nullptr) {
      nodes.push_back({PredicateOp::Constant, 0, scalar_of(b.pool(), node.constant, false)});
      continue;
    }
    const PredicateSpelling* known = find_predicate(node.operation);
    if (known == nullptr) throw bad("there is no operator " + std::string(node.operation) + " of predicates");
    Scalar column;
    if (!is_connective(known->op)) {
      require(node.column != nullptr, "a comparison names no column");
      const std::string_view name(node.column);
      column = b.pool().string(checked_text(name.data(), name.size(), ""));
    }
    nodes.push_back({known->op, node.operands, column});
  }
  if (!is_predicate(nodes))
    throw bad("the nodes of a predicate are no tree", "each is followed by as many operands as it says");
  return nodes;
}

std::optional<bool> met_row(assay_known known) {
  switch (known) {
    case ASSAY_NOT_KNOWN: return std::nullopt;
    case ASSAY_YES: return true;
    case ASSAY_NO: return false;
    default: throw misuse("an unknown value of met_row");
  }
}

KeyBounds bounds_of(HistoryBuilder& b, const assay_operation& op) {
  return {name_of(b.pool(), op.low, "a bound"), name_of(b.pool(), op.high, "a bound")};
}

void add(HistoryBuilder& b, const assay_operation& op) {
  switch (op.kind) {
    case ASSAY_READ: return b.read(key_of(b, op.key), scalar_of(b.pool(), op.value));
    case ASSAY_WRITE: return b.write(key_of(b, op.key), scalar_of(b.pool(), op.value));
    case ASSAY_APPEND: return b.append(key_of(b, op.key), scalar_of(b.pool(), op.value));
    case ASSAY_INSERT: return b.insert(key_of(b, op.key), scalar_of(b.pool(), op.value));
    case ASSAY_DELETE: return b.remove(key_of(b, op.key), met_row(op.met_row));
    case ASSAY_LIST_READ: return b.list_read(key_of(b, op.key), values_of(b, op));
    case ASSAY_ONE_OF: {
      const std::vector<Scalar> values = values_of(b, op);
      if (values.empty()) throw bad("a read returned one of no values");
      return b.read_one_of(key_of(b, op.key), values);
    }
    case ASSAY_SCAN: return b.scan(bounds_of(b, op), rows_of(b, op));
    case ASSAY_SELECT: return b.select(predicate_of(b, op), rows_of(b, op));
    case ASSAY_UPDATE: return b.update(predicate_of(b, op), rows_of(b, op));
    case ASSAY_UPDATE_MAYBE:
      return b.update_maybe(predicate_of(b, op), rows_of(b, op),
                            op.changed ? std::optional(*op.changed) : std::nullopt);
  }
  throw misuse("an unknown kind of operation");
}

Outcome outcome_of(int outcome) {
  require(outcome >= ASSAY_COMMITTED && outcome <= ASSAY_UNKNOWN, "an unknown outcome");
  return static_cast<Outcome>(outcome);
}

std::optional<std::int64_t> if_given(const std::int64_t* instant) {
  return instant ? std::optional(*instant) : std::nullopt;
}

Result<void> finish(HistoryBuilder& b, const assay_transaction& t) {
  TransactionHead head{b.session(name_of(b.pool(), t.session, "a session"))};
  if (t.name.kind != ASSAY_NULL) head.name = name_of(b.pool(), t.name, "the name of a transaction");
  head.outcome = outcome_of(t.outcome);
  head.instants = {if_given(t.begin), if_given(t.began), if_given(t.committing), if_given(t.end)};
  return b.finish(head);
}

// Reads the transactions of assay_columns one after the other.
class ColumnReader {
 public:
  ColumnReader(HistoryBuilder& builder, const assay_columns& columns) : b_(builder), c_(columns) {
    require(c_.transactions == 0 || (c_.session != nullptr && c_.operations_end != nullptr),
            "the columns of transactions are missing");
    require(c_.operations == 0 || (c_.kind != nullptr && c_.key != nullptr && c_.value != nullptr),
            "the columns of operations are missing");
    require(c_.elements == 0 || c_.element != nullptr, "the column of elements is missing");
  }

  Result<void> read() {
    for (std::size_t t = 0; t < c_.transactions; ++t)
      if (auto done = transaction(t); !done) {
        done.error().place = "transaction " + std::to_string(t);
        return done;
      }
    if (op_ != c_.operations || element_ != c_.elements)
      return error("there are operations or elements that belong to no transaction");
    return {};
  }

 private:
  Result<void> transaction(std::size_t t) {
    const std::uint64_t end = c_.operations_end[t];
    if (end < op_ || end > c_.operations) return error("operations_end is out of order");
    for (; op_ < end; ++op_) ASSAY_TRY(operation(op_));
    TransactionHead head{b_.session(Scalar::integer(c_.session[t]))};
    if (c_.outcome != nullptr) head.outcome = outcome_of(c_.outcome[t]);
    if (c_.begin != nullptr) head.instants.begin = c_.begin[t];
    if (c_.end != nullptr) head.instants.end = c_.end[t];
    return b_.finish(head);
  }

  Result<void> operation(std::size_t i) {
    const KeyId key = b_.key(Scalar::integer(c_.key[i]));
    const bool is_null = c_.is_null != nullptr && c_.is_null[i] != 0;
    const Scalar value = is_null ? Scalar::null() : Scalar::integer(c_.value[i]);
    switch (c_.kind[i]) {
      case ASSAY_READ: b_.read(key, value); return {};
      case ASSAY_WRITE: b_.write(key, value); return {};
      case ASSAY_APPEND: b_.append(key, value); return {};
      case ASSAY_INSERT: b_.insert(key, value); return {};
      case ASSAY_DELETE: b_.remove(key); return {};
      case ASSAY_LIST_READ: return list_read(key, c_.value[i]);
      default: return error("an operation of a kind that columns have no place for", "add it by itself");
    }
  }

  Result<void> list_read(KeyId key, std::int64_t length) {
    if (length < 0 || static_cast<std::uint64_t>(length) > c_.elements - element_)
      return error("a list is longer than the elements that are left");
    list_.clear();
    for (; length > 0; --length) list_.push_back(Scalar::integer(c_.element[element_++]));
    b_.list_read(key, list_);
    return {};
  }

  HistoryBuilder& b_;
  const assay_columns& c_;
  std::size_t op_ = 0, element_ = 0;
  std::vector<Scalar> list_;
};

Result<void> build(assay_builder& from, const char* name, assay_history** history) {
  if (from.builder.pending_operations() > 0)
    throw misuse("there are operations that belong to no transaction: finish it first");
  HistoryBuilder builder = std::exchange(from.builder, HistoryBuilder());
  auto built = std::move(builder).build();
  if (!built) return built.error();
  ASSAY_TRY(check_transaction_names(*built));
  if (built->transaction_count() == 0) return error("the history holds no transactions");
  *history = new assay_history{std::make_shared<const History>(std::move(built).value()),
                               name == nullptr ? "history" : name, ""};
  return {};
}

}  // namespace
}  // namespace assay::api

using namespace assay;
using namespace assay::api;

extern "C" {

assay_builder* assay_builder_new(void) {
  try {
    return new assay_builder;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void assay_builder_free(assay_builder* builder) { delete builder; }

assay_status assay_builder_set_initial(assay_builder* builder, const assay_value* key,
                                       const assay_value* value, assay_error** error) {
  return guarded(error, [&]() -> Result<void> {
    require(builder != nullptr && value != nullptr, "there is no builder or no initial value");
    HistoryBuilder& b = builder->builder;
    const Scalar initial = scalar_of(b.pool(), *value);
    if (key == nullptr) b.set_initial(initial);
    else b.set_initial(key_of(b, *key), initial);
    return {};
  });
}

assay_status assay_builder_add(assay_builder* builder, const assay_operation* operation,
                               assay_error** error) {
  return with_transaction(builder, error, [&]() -> Result<void> {
    require(operation != nullptr, "there is no operation");
    api::add(builder->builder, *operation);
    return {};
  });
}

assay_status assay_builder_finish(assay_builder* builder, const assay_transaction* transaction,
                                  assay_error** error) {
  return with_transaction(builder, error, [&]() -> Result<void> {
    require(transaction != nullptr, "there is no transaction");
    return finish(builder->builder, *transaction);
  });
}

assay_status assay_builder_add_columns(assay_builder* builder, const assay_columns* columns,
                                       assay_error** error) {
  return with_transaction(builder, error, [&]() -> Result<void> {
    require(columns != nullptr, "there are no columns");
    require(builder->builder.pending_operations() == 0, "a transaction is not finished");
    return ColumnReader(builder->builder, *columns).read();
  });
}

assay_status assay_builder_build(assay_builder* builder, const char* name, assay_history** history,
                                 assay_error** error) {
  return guarded(error, [&]() -> Result<void> {
    require(history != nullptr, "there is no place for the history");
    *history = nullptr;
    require(builder != nullptr, "there is no builder");
    return build(*builder, name, history);
  });
}

}  // extern "C"
