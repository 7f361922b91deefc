// The native format: JSON Lines, one transaction a line.
//
//     {"assay": 1, "initial": 0}
//     {"session": 3, "txn": 17, "begin": 1000, "end": 1250, "ops": [["r","x",0], ["w","x",1]]}
//
// Reading is one pass over each line where it lies in the window, by PlainLine if it is spelled as our
// writer spells it, else by simdjson's on-demand parser: a value goes from the text straight into the
// builder's tables. Numbers are taken as text, so that
// integers and decimals of any size stay exact. Fields may come in any order; unknown ones are ignored.
//
// Beyond formats.md: `"initial"` may also be a list of [key, value] pairs, for keys that an object's
// names cannot tell apart (1 and "1"); `"no_initial": true` says that nothing can be read before it
// was written; `["delete", k, true|false]` says whether a row was there.

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "history/builder.h"
#include "history_io/format_rows.h"
#include "history_io/jsonl_writer.h"

namespace assay {
namespace {

namespace json = simdjson::ondemand;

Error bad(std::string what, std::string remedy = {}) { return error(std::move(what), std::move(remedy)); }
Error broken(simdjson::error_code code) { return bad(fmt::format("not valid JSON: {}", simdjson::error_message(code))); }

#define TRY_JSON(expression)                                             \
  do {                                                                   \
    if (const simdjson::error_code code = (expression)) return broken(code); \
  } while (false)

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

// Reads the elements of one operation, `["w", "x", 1]`, from left to right.
class Elements {
 public:
  explicit Elements(json::array array) : array_(array) {}

  Result<void> open() {
    TRY_JSON(array_.begin().get(at_));
    TRY_JSON(array_.end().get(end_));
    return {};
  }
  bool more() { return at_ != end_; }
  Result<json::value> next(std::string_view expected) {
    if (!more()) return bad(fmt::format("expected {}, but the operation ends", expected));
    if (started_) ++at_;
    if (!more()) return bad(fmt::format("expected {}, but the operation ends", expected));
    started_ = true;
    json::value value;
    TRY_JSON((*at_).get(value));
    return value;
  }
  Result<void> finish() {
    if (more()) ++at_;
    if (more()) return bad("an operation with too many elements");
    return {};
  }
  // Whether another element follows the last one taken.
  bool advance() {
    if (more() && started_) ++at_;
    started_ = false;
    return more();
  }

 private:
  json::array array_;
  json::array_iterator at_, end_;
  bool started_ = false;
};

// Nearly all lines of nearly all histories are spelled as our own writer spells them: no white space,
// fields in its order, reads and writes of integers under integer or plain string keys. Those are taken
// straight from the text, with a third of the instructions; whatever looks different in any way is left to
// the general path, which starts the line again. No test for the end is needed between the characters of a
// number or string: the line is followed by its newline or by the window's padding.
class PlainLine {
 public:
  PlainLine(std::string_view line, HistoryBuilder& builder)
      : at_(line.data()), end_(line.data() + line.size()), builder_(builder) {}

  const TransactionHead& head() const { return head_; }

  // Adds the operations to the builder. False: not a plain line; some of them may have been added.
  bool read() {
    Scalar session, txn;
    if (!literal("{\"session\":") || !name(session) || !literal(",\"txn\":") || !name(txn)) return false;
    if (literal(",\"status\":\"aborted\"")) head_.outcome = Outcome::Aborted;
    else if (literal(",\"status\":\"unknown\"")) head_.outcome = Outcome::Unknown;
    if (!instant(",\"begin\":", head_.instants.begin) || !instant(",\"began\":", head_.instants.began) ||
        !instant(",\"committing\":", head_.instants.committing) || !instant(",\"end\":", head_.instants.end) ||
        !literal(",\"ops\":["))
      return false;
    if (*at_ != ']')
      do
        if (!item()) return false;
      while (*at_++ == ',' && *at_ == '[');
    else ++at_;
    if (at_[-1] != ']' || at_ + 1 != end_ || *at_ != '}') return false;
    head_.session = builder_.session(session);
    head_.name = txn;
    return true;
  }

 private:
  bool literal(std::string_view text) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }

  bool item() {
    const bool is_read = at_[0] == '[' && at_[1] == '"' && at_[2] == 'r';
    const bool is_write = at_[0] == '[' && at_[1] == '"' && at_[2] == 'w';
    if ((!is_read && !is_write) || at_[3] != '"' || at_[4] != ',') return false;
    at_ += 5;
    Scalar key, value;
    if (!name(key) || *at_++ != ',' || !integer(value) || *at_++ != ']') return false;
    const KeyId k = builder_.key(key);
    if (is_read) builder_.read(k, value);
    else builder_.write(k, value);
    return true;
  }

  // ASCII without escapes, or an integer.
  bool name(Scalar& into) {
    if (*at_ != '"') return integer(into);
    const char* begin = ++at_;
    while (*at_ != '"' && *at_ != '\\' && *at_ >= ' ') ++at_;
    if (*at_ != '"') return false;
    into = builder_.pool().string({begin, static_cast<std::size_t>(at_ - begin)});
    ++at_;
    return true;
  }

  bool integer(Scalar& into) {
    const char* begin = at_;
    std::int64_t number = 0;
    for (; *at_ >= '0' && *at_ <= '9'; ++at_) {
      if (at_ - begin == 18) return false;
      number = number * 10 + (*at_ - '0');
    }
    if (at_ == begin || (*begin == '0' && at_ - begin > 1)) return false;
    into = Scalar::integer(number);
    return true;
  }

  bool instant(std::string_view field, std::optional<std::int64_t>& into) {
    if (!literal(field)) return true;
    Scalar number;
    if (!integer(number)) return false;
    into = number.as_integer();
    return true;
  }

  const char* at_;
  const char* end_;
  HistoryBuilder& builder_;
  TransactionHead head_;
};

class Reader {
 public:
  explicit Reader(ByteSource& source) : source_(source) {}

  Result<History> read() {
    std::string_view line;
    while (source_.next_line(line)) {
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      if (auto done = read_line(line); !done) {
        Error problem = std::move(done).error();
        problem.file = source_.name();
        problem.place = std::to_string(source_.line());
        return problem;
      }
    }
    if (source_.failure()) return *source_.failure();
    if (!seen_line_) return source_.at_line("no transaction in the file");
    apply_initial_values();
    return std::move(builder_).build();
  }

 private:
  Result<void> read_line(std::string_view line) {
    if (PlainLine plain(line, builder_); plain.read()) {
      seen_line_ = true;
      return builder_.finish(plain.head());
    }
    builder_.abandon();
    const simdjson::padded_string_view padded(line.data(), line.size(), line.size() + ByteSource::kPadding);
    json::document document;
    TRY_JSON(parser_.iterate(padded).get(document));
    json::object object;
    if (const simdjson::error_code code = document.get_object().get(object)) {
      if (code == simdjson::INCORRECT_TYPE) return bad("expected a transaction or header, an object {...}");
      return bad("not one whole JSON object", "is the file cut off? one transaction per line");
    }

    TransactionHead head;
    bool has_session = false, has_ops = false, is_header = false, late_header = false;
    if (!seen_line_) {  // only a header's fields mean something beyond their line
      is_header = object.find_field_unordered("assay").error() == simdjson::SUCCESS;
      TRY_JSON(object.reset().error());
    }
    for (auto field : object) {
      json::raw_json_string name;
      TRY_JSON(field.key().get(name));
      json::value value;
      TRY_JSON(field.value().get(value));
      Result<void> done;
      if (name == "ops") done = operations(value), has_ops = true;
      else if (name == "session") done = session(value, head), has_session = true;
      else if (name == "txn") done = transaction_name(value, head);
      else if (name == "status") done = status(value, head);
      else if (name == "begin") done = instant(value, "begin", head.instants.begin);
      else if (name == "began") done = instant(value, "began", head.instants.began);
      else if (name == "committing") done = instant(value, "committing", head.instants.committing);
      else if (name == "end") done = instant(value, "end", head.instants.end);
      else if (name == "assay") done = version(value), late_header = !is_header;
      else if (is_header && name == "initial") done = initial(value);
      else if (is_header && name == "no_initial") done = no_initial(value);
      else if (is_header && name == "note") done = note(value);
      if (!done) return done;
    }
    if (!document.current_location().error()) return bad("something follows the object", "one transaction per line");
    seen_line_ = true;
    if (late_header) return bad("a header that is not on the first line");
    if (is_header) {
      if (has_ops || has_session) return bad("a header that is also a transaction", "\"assay\" has a line of its own");
      return {};
    }
    if (!has_session) return bad("a transaction without \"session\"", "say to which session it belongs");
    if (!has_ops) return bad("a transaction without \"ops\"", "an empty transaction has \"ops\": []");
    if (!head.name) head.name = Scalar::integer(static_cast<std::int64_t>(source_.line()));
    return builder_.finish(head);
  }

  // --- Values ---

  Result<Scalar> scalar(json::value& value) {
    json::json_type type;
    TRY_JSON(value.type().get(type));
    switch (type) {
      case json::json_type::number: return number(value);
      case json::json_type::string: {
        std::string_view text;
        TRY_JSON(value.get_string().get(text));
        return builder_.pool().string(text);
      }
      case json::json_type::boolean: {
        bool boolean = false;
        TRY_JSON(value.get_bool().get(boolean));
        return Scalar::boolean(boolean);
      }
      case json::json_type::null:
        if (trimmed(value.raw_json_token()) != "null") return bad("not valid JSON: expected null");
        return Scalar::null();
      case json::json_type::object: return row(value);
      case json::json_type::array: return bad("a list where a single value is expected");
    }
    return bad("not a value");
  }

  Result<Scalar> number(json::value& value) {
    const std::string_view text = trimmed(value.raw_json_token());
    const auto number = builder_.pool().number(text);
    if (!number) return bad(fmt::format("not a number: {}", text));
    return *number;
  }

  Result<Scalar> row(json::value& value) {
    json::object object;
    TRY_JSON(value.get_object().get(object));
    std::vector<RowField> fields;
    for (auto field : object) {
      std::string_view column;
      TRY_JSON(field.unescaped_key().get(column));
      const Scalar name = builder_.pool().string(column);
      if (std::ranges::find(fields, name, &RowField::column) != fields.end())
        return bad(fmt::format("a row that names column {} twice", column));
      json::value cell;
      TRY_JSON(field.value().get(cell));
      json::json_type type;
      TRY_JSON(cell.type().get(type));
      if (type == json::json_type::object || type == json::json_type::array)
        return bad("a row inside a row", "columns hold numbers, strings, booleans or null");
      auto content = scalar(cell);
      if (!content) return content;
      fields.push_back({name, *content});
    }
    return builder_.pool().row(std::move(fields));
  }

  Result<Scalar> name(json::value& value, std::string_view what) {
    auto result = scalar(value);
    if (!result) return result;
    if (!result->is_integer() && !result->is_string())
      return bad(fmt::format("{} must be an integer or a string", what));
    return result;
  }

  Result<KeyId> key(json::value& value) {
    auto result = name(value, "a key");
    if (!result) return std::move(result).error();
    return builder_.key(*result);
  }

  // --- Fields of a transaction ---

  Result<void> session(json::value& value, TransactionHead& head) {
    auto result = name(value, "a session");
    if (!result) return std::move(result).error();
    head.session = builder_.session(*result);
    return {};
  }

  Result<void> transaction_name(json::value& value, TransactionHead& head) {
    auto result = name(value, "a transaction id");
    if (!result) return std::move(result).error();
    head.name = *result;
    return {};
  }

  Result<void> status(json::value& value, TransactionHead& head) {
    std::string_view text;
    if (value.get_string().get(text)) return bad("\"status\" must be a string");
    if (text == "committed") head.outcome = Outcome::Committed;
    else if (text == "aborted") head.outcome = Outcome::Aborted;
    else if (text == "unknown") head.outcome = Outcome::Unknown;
    else return bad(fmt::format("unknown status \"{}\"", text), "committed, aborted or unknown");
    return {};
  }

  Result<void> instant(json::value& value, std::string_view what, std::optional<std::int64_t>& into) {
    auto result = scalar(value);
    if (!result) return std::move(result).error();
    if (result->is_null()) return {};
    if (!result->is_integer()) return bad(fmt::format("\"{}\" must be an integer (nanoseconds)", what));
    into = result->as_integer();
    return {};
  }

  // --- Fields of the header ---

  Result<void> version(json::value& value) {
    std::int64_t number = 0;
    if (value.get_int64().get(number) || number != 1)
      return bad("a version of the format that this program does not know", "it knows \"assay\": 1");
    return {};
  }

  Result<void> note(json::value& value) {
    std::string_view text;
    if (value.get_string().get(text)) return bad("\"note\" must be a string");
    builder_.set_note(std::string(text));
    return {};
  }

  Result<void> no_initial(json::value& value) {
    bool none = false;
    if (value.get_bool().get(none)) return bad("\"no_initial\" must be true or false");
    if (none) builder_.set_initial(std::nullopt);
    return {};
  }

  Result<void> initial(json::value& value) {
    json::json_type type;
    TRY_JSON(value.type().get(type));
    if (type == json::json_type::object) {
      json::object object;
      TRY_JSON(value.get_object().get(object));
      for (auto field : object) {
        std::string_view text;
        TRY_JSON(field.unescaped_key().get(text));
        const Scalar name = builder_.pool().string(text);
        json::value content;
        TRY_JSON(field.value().get(content));
        auto value_of_key = scalar(content);
        if (!value_of_key) return std::move(value_of_key).error();
        named_initial_.emplace_back(name, *value_of_key);
      }
      return {};
    }
    if (type == json::json_type::array) {
      json::array pairs;
      TRY_JSON(value.get_array().get(pairs));
      for (auto pair : pairs) {
        json::array array;
        if (pair.get_array().get(array)) return bad("\"initial\" must list [key, value] pairs");
        Elements elements(array);
        ASSAY_TRY(elements.open());
        auto row = key_and_value(elements);
        if (!row) return std::move(row).error();
        builder_.set_initial(row->key, row->value);
      }
      return {};
    }
    auto everywhere = scalar(value);
    if (!everywhere) return std::move(everywhere).error();
    builder_.set_initial(*everywhere);
    return {};
  }

  // An object's names are strings, keys may be integers: the name means the integer key it spells,
  // unless only the string key occurs in the history.
  void apply_initial_values() {
    for (const auto& [name, value] : named_initial_) {
      const auto number = builder_.pool().number(builder_.pool().text(name));
      const bool canonical = number && number->is_integer() &&
                             builder_.pool().to_json(*number) == builder_.pool().text(name);
      const bool means_string = !canonical || (builder_.has_key(name) && !builder_.has_key(*number));
      builder_.set_initial(builder_.key(means_string ? name : *number), value);
    }
  }

  // --- Operations ---

  Result<void> operations(json::value& value) {
    json::array array;
    if (value.get_array().get(array)) return bad("\"ops\" must be a list of operations");
    std::size_t number = 0;
    for (auto element : array) {
      ++number;
      json::array parts;
      Result<void> done;
      if (element.get_array().get(parts)) done = bad("an operation must be a list such as [\"r\",\"x\",0]");
      else done = operation(parts);
      if (!done) {
        done.error().what = fmt::format("operation {}: {}", number, done.error().what);
        return done;
      }
    }
    return {};
  }

  Result<void> operation(json::array parts) {
    Elements elements(parts);
    ASSAY_TRY(elements.open());
    auto first = elements.next("the name of an operation");
    if (!first) return std::move(first).error();
    std::string_view name;
    if (first->get_string().get(name)) return bad("the name of an operation must be a string");

    if (name == "r") return read(elements);
    if (name == "w") return item(elements, &HistoryBuilder::write);
    if (name == "append") return item(elements, &HistoryBuilder::append);
    if (name == "insert") return item(elements, &HistoryBuilder::insert);
    if (name == "delete") return remove(elements);
    if (name == "scan") return scan(elements);
    if (name == "select") return with_predicate(elements, OpKind::Select);
    if (name == "update") return with_predicate(elements, OpKind::Update);
    if (name == "update-maybe") return with_predicate(elements, OpKind::UpdateMaybe);
    return bad(fmt::format("unknown operation \"{}\"", name),
               "r, w, append, insert, delete, scan, select, update or update-maybe");
  }

  Result<KeyId> next_key(Elements& elements) {
    auto value = elements.next("a key");
    if (!value) return std::move(value).error();
    return key(*value);
  }

  Result<KeyAndValue> key_and_value(Elements& elements) {
    auto k = next_key(elements);
    if (!k) return std::move(k).error();
    auto value = elements.next("a value");
    if (!value) return std::move(value).error();
    auto content = scalar(*value);
    if (!content) return std::move(content).error();
    ASSAY_TRY(elements.finish());
    return KeyAndValue{*k, *content};
  }

  Result<void> item(Elements& elements, void (HistoryBuilder::*add)(KeyId, Scalar)) {
    auto both = key_and_value(elements);
    if (!both) return std::move(both).error();
    (builder_.*add)(both->key, both->value);
    return {};
  }

  Result<void> read(Elements& elements) {
    auto k = next_key(elements);
    if (!k) return std::move(k).error();
    auto value = elements.next("a value");
    if (!value) return std::move(value).error();
    json::json_type type;
    TRY_JSON(value->type().get(type));
    if (type != json::json_type::array) {
      auto content = scalar(*value);
      if (!content) return std::move(content).error();
      builder_.read(*k, *content);
      return elements.finish();
    }
    json::array list;
    TRY_JSON(value->get_array().get(list));
    scalars_.clear();
    for (auto element : list) {
      json::value content;
      TRY_JSON(element.get(content));
      auto one = scalar(content);
      if (!one) return std::move(one).error();
      scalars_.push_back(*one);
    }
    builder_.list_read(*k, scalars_);
    return elements.finish();
  }

  Result<void> remove(Elements& elements) {
    auto k = next_key(elements);
    if (!k) return std::move(k).error();
    std::optional<bool> found;
    if (elements.advance()) {
      auto value = elements.next("whether a row was there");
      if (!value) return std::move(value).error();
      bool yes = false;
      if (value->get_bool().get(yes)) return bad("a delete's third element must be true or false");
      found = yes;
      ASSAY_TRY(elements.finish());
    }
    builder_.remove(*k, found);
    return {};
  }

  Result<void> scan(Elements& elements) {
    Scalar bounds[2];
    for (Scalar& bound : bounds) {
      auto value = elements.next("a bound of the scan");
      if (!value) return std::move(value).error();
      auto content = name(*value, "a bound of a scan");
      if (!content) return std::move(content).error();
      bound = *content;
    }
    ASSAY_TRY(rows(elements));
    builder_.scan({bounds[0], bounds[1]}, rows_);
    return elements.finish();
  }

  Result<void> with_predicate(Elements& elements, OpKind kind) {
    auto value = elements.next("a predicate");
    if (!value) return std::move(value).error();
    nodes_.clear();
    ASSAY_TRY(predicate(*value, 0));
    ASSAY_TRY(rows(elements));
    if (kind == OpKind::Select) builder_.select(nodes_, rows_);
    if (kind == OpKind::Update) builder_.update(nodes_, rows_);
    if (kind != OpKind::UpdateMaybe) return elements.finish();

    std::optional<std::uint64_t> count;
    if (elements.advance()) {
      std::uint64_t number = 0;
      auto value = elements.next("a count");
      if (!value) return std::move(value).error();
      if (value->get_uint64().get(number)) return bad("the count of an update-maybe must be a number");
      count = number;
      ASSAY_TRY(elements.finish());
    }
    builder_.update_maybe(nodes_, rows_, count);
    return {};
  }

  // Fills rows_ from `[[k,v],...]`.
  Result<void> rows(Elements& elements) {
    auto value = elements.next("a list of rows");
    if (!value) return std::move(value).error();
    json::array list;
    if (value->get_array().get(list)) return bad("rows must be a list of [key, value] pairs");
    rows_.clear();
    for (auto element : list) {
      json::array pair;
      if (element.get_array().get(pair)) return bad("a row must be a [key, value] pair");
      Elements parts(pair);
      ASSAY_TRY(parts.open());
      auto row = key_and_value(parts);
      if (!row) return std::move(row).error();
      rows_.push_back(*row);
    }
    return {};
  }

  // Appends the tree of `value` to nodes_.
  Result<void> predicate(json::value value, int depth) {
    if (depth >= kDeepestPredicate) return bad("a predicate that is nested too deeply");
    json::array array;
    if (value.get_array().get(array)) return bad("a predicate must be a list such as [\"=\",\"value\",1]");
    Elements elements(array);
    ASSAY_TRY(elements.open());
    auto first = elements.next("the name of a predicate");
    if (!first) return std::move(first).error();
    std::string_view name;
    if (first->get_string().get(name)) return bad("the name of a predicate must be a string");
    const PredicateSpelling* spelled = find_predicate(name);
    if (spelled == nullptr) return bad(fmt::format("unknown predicate \"{}\"", name));

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
      if (column->get_string().get(text)) return bad("a column must be a string");
      nodes_[at].scalar = builder_.pool().string(text);
      auto counted = constants(elements, spelled->op == PredicateOp::In);
      if (!counted) return std::move(counted).error();
      operands = *counted;
    }
    nodes_[at].operands = operands;
    if (!takes(spelled->op, operands)) return bad(fmt::format("predicate \"{}\" with {} operands", name, operands));
    return {};
  }

  Result<std::uint32_t> constants(Elements& elements, bool in_a_list) {
    std::uint32_t count = 0;
    const auto constant = [&](json::value value) -> Result<void> {
      auto content = scalar(value);
      if (!content) return std::move(content).error();
      if (content->kind == ScalarKind::Row) return bad("an object is no constant of a predicate");
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
    if (value->get_array().get(list)) return bad("\"in\" takes a list of constants");
    for (auto element : list) {
      json::value content;
      TRY_JSON(element.get(content));
      ASSAY_TRY(constant(content));
    }
    ASSAY_TRY(elements.finish());
    return count;
  }

  ByteSource& source_;
  HistoryBuilder builder_;
  json::parser parser_;
  bool seen_line_ = false;
  std::vector<std::pair<Scalar, Scalar>> named_initial_;
  std::vector<Scalar> scalars_;
  std::vector<KeyAndValue> rows_;
  std::vector<PredicateNode> nodes_;
};

Result<History> read_jsonl(ByteSource& source) { return Reader(source).read(); }

bool looks_like_jsonl(std::string_view beginning) {
  const std::size_t start = beginning.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || beginning[start] != '{') return false;
  const std::string_view line = beginning.substr(start, beginning.find('\n', start) - start);
  const auto has = [&](std::string_view name) { return line.find(name) != std::string_view::npos; };
  return has("\"assay\"") || has("\"session\"") || has("\"ops\"");
}

}  // namespace

const Format format_rows::jsonl{.id = "jsonl",
                                .description = "native JSON Lines, one transaction per line",
                                .extension = ".jsonl",
                                .looks_like = looks_like_jsonl,
                                .read = read_jsonl,
                                .write = write_jsonl};

}  // namespace assay
