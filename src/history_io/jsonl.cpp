// Reads the native format: JSON Lines, one transaction per line.
//
//     {"assay": 1, "initial": 0}
//     {"session": 3, "txn": 17, "begin": 1000, "end": 1250, "ops": [["r","x",0], ["w","x",1]]}
//
// Reading is one pass over each line in the window. jsonl_plain_line.h reads lines in the form that our
// writer produces; simdjson's on-demand parser reads all others. Either way, a value goes directly from the
// text into the builder's tables. Fields may come in any order; unknown ones are ignored.
//
// Some fields are rare. `"initial"` may also be a list of [key, value] pairs, for keys that the names in an
// object cannot distinguish (1 and "1"). `"initial_row": {...}` is a row that is the initial value of every
// key. `"no_initial": true` says that nothing can be read before it is written. `"instants": "positions"`
// says that instants are positions in a sequence of events, not nanoseconds. `["delete", k, true|false]` says
// whether a row was there.
#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <utility>

#include "history_io/format_rows.h"
#include "history_io/jsonl.h"
#include "history_io/jsonl_operations.h"
#include "history_io/jsonl_plain_line.h"
#include "history_io/jsonl_writer.h"

namespace assay {
namespace {

namespace json = simdjson::ondemand;

class JsonlReader {
 public:
  JsonlReader(ByteSource& source, const CompleteHistory& complete) : source_(source), complete_(complete) {}

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
    if (complete_) complete_(builder_);
    return std::move(builder_).build();
  }

 private:
  static constexpr std::array<std::string_view, 14> kFields{
      "ops", "session", "txn",     "status",      "begin",      "began", "committing",
      "end", "assay",   "initial", "initial_row", "no_initial", "note",  "instants"};

  Result<void> read_line(std::string_view line) {
    if (TransactionHead head; read_plain_line(line, builder_, head)) {
      seen_line_ = true;
      return builder_.finish(head);
    }
    builder_.abandon();
    const simdjson::padded_string_view padded(line.data(), line.size(), line.size() + ByteSource::kPadding);
    json::document document;
    TRY_JSON(parser_.iterate(padded).get(document));
    json::object object;
    if (const simdjson::error_code code = document.get_object().get(object)) {
      if (code == simdjson::INCORRECT_TYPE) return error("expected a transaction or header, an object {...}");
      return error("not one whole JSON object", "is the file cut off? one transaction per line");
    }

    TransactionHead head;
    bool has_session = false, has_ops = false, is_header = false, late_header = false;
    if (!seen_line_) {  // only the fields of a header affect other lines
      is_header = object.find_field_unordered("assay").error() == simdjson::SUCCESS;
      TRY_JSON(object.reset().error());
    }
    unsigned seen = 0;  // fields, by number
    for (auto field : object) {
      // Not as it is spelled: "\u006fps" is "ops".
      std::string_view name;
      TRY_JSON(field.unescaped_key().get(name));
      for (std::size_t i = 0; i < kFields.size(); ++i) {
        if (name != kFields[i]) continue;
        if (seen >> i & 1)
          return error(fmt::format("two \"{}\" fields in one object", kFields[i]), "which one is meant?");
        seen |= 1u << i;
      }
      json::value value;
      TRY_JSON(field.value().get(value));
      Result<void> done;
      if (name == "ops") done = operations_.read_all(value), has_ops = true;
      else if (name == "session") done = session(value, head), has_session = true;
      else if (name == "txn") done = transaction_name(value, head);
      else if (name == "status") done = status(value, head);
      else if (name == "begin") done = instant(value, "begin", head.instants.begin);
      else if (name == "began") done = instant(value, "began", head.instants.began);
      else if (name == "committing") done = instant(value, "committing", head.instants.committing);
      else if (name == "end") done = instant(value, "end", head.instants.end);
      else if (name == "assay") done = version(value), late_header = !is_header;
      else if (is_header && name == "initial") done = initial(value);
      else if (is_header && name == "initial_row") done = initial_row(value);
      else if (is_header && name == "no_initial") done = no_initial(value);
      else if (is_header && name == "note") done = note(value);
      else if (is_header && name == "instants") done = instant_kind(value);
      if (!done) return done;
    }
    if (!document.current_location().error())
      return error("something follows the object", "one transaction per line");
    seen_line_ = true;
    if (late_header) return error("a header that is not on the first line");
    if (is_header) {
      if (has_ops || has_session)
        return error("a header that is also a transaction", "\"assay\" has a line of its own");
      return {};
    }
    if (!has_session) return error("a transaction without \"session\"", "say to which session it belongs");
    if (!has_ops) return error("a transaction without \"ops\"", "an empty transaction has \"ops\": []");
    if (!head.name) head.name = Scalar::integer(static_cast<std::int64_t>(source_.line()));
    return builder_.finish(head);
  }

  // --- Fields of a transaction ---

  Result<void> session(json::value& value, TransactionHead& head) {
    auto result = values_.name(value, "a session");
    if (!result) return std::move(result).error();
    head.session = builder_.session(*result);
    return {};
  }

  Result<void> transaction_name(json::value& value, TransactionHead& head) {
    auto result = values_.name(value, "a transaction id");
    if (!result) return std::move(result).error();
    head.name = *result;
    return {};
  }

  Result<void> status(json::value& value, TransactionHead& head) {
    std::string_view text;
    if (value.get_string().get(text)) return error("\"status\" must be a string");
    if (text == "committed") head.outcome = Outcome::Committed;
    else if (text == "aborted") head.outcome = Outcome::Aborted;
    else if (text == "unknown") head.outcome = Outcome::Unknown;
    else return error(fmt::format("unknown status \"{}\"", text), "committed, aborted or unknown");
    return {};
  }

  Result<void> instant(json::value& value, std::string_view what, std::optional<std::int64_t>& into) {
    auto result = values_.scalar(value);
    if (!result) return std::move(result).error();
    if (result->is_null()) return {};
    if (!result->is_integer()) return error(fmt::format("\"{}\" must be an integer (nanoseconds)", what));
    into = result->as_integer();
    return {};
  }

  // --- Fields of the header ---

  Result<void> version(json::value& value) {
    std::int64_t number = 0;
    if (value.get_int64().get(number) || number != 1)
      return error("a version of the format that this program does not know", "it knows \"assay\": 1");
    return {};
  }

  Result<void> note(json::value& value) {
    std::string_view text;
    if (value.get_string().get(text)) return error("\"note\" must be a string");
    builder_.set_note(std::string(text));
    return {};
  }

  Result<void> instant_kind(json::value& value) {
    std::string_view text;
    if (value.get_string().get(text) || (text != "nanoseconds" && text != "positions"))
      return error("unknown \"instants\"", "\"nanoseconds\" or \"positions\"");
    builder_.set_instant_kind(text == "positions" ? InstantKind::Positions : InstantKind::Nanoseconds);
    return {};
  }

  Result<void> no_initial(json::value& value) {
    bool none = false;
    if (value.get_bool().get(none)) return error("\"no_initial\" must be true or false");
    return none ? initial_of_all(std::nullopt) : Result<void>();
  }

  Result<void> initial_row(json::value& value) {
    auto everywhere = values_.scalar(value);
    if (!everywhere) return std::move(everywhere).error();
    if (everywhere->kind != ScalarKind::Row) return error("\"initial_row\" must be a row, an object {...}");
    return initial_of_all(*everywhere);
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
        auto value_of_key = values_.scalar(content);
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
        if (pair.get_array().get(array)) return error("\"initial\" must list [key, value] pairs");
        JsonElements elements(array);
        ASSAY_TRY(elements.open());
        auto row = values_.key_and_value(elements);
        if (!row) return std::move(row).error();
        builder_.set_initial(row->key, row->value);
      }
      return {};
    }
    auto everywhere = values_.scalar(value);
    if (!everywhere) return std::move(everywhere).error();
    return initial_of_all(*everywhere);
  }

  Result<void> initial_of_all(std::optional<Scalar> value) {
    if (std::exchange(has_initial_of_all_, true))
      return error("a header that says twice what every key starts with",
                   "one of \"initial\", \"initial_row\" and \"no_initial\"");
    builder_.set_initial(value);
    return {};
  }

  // Names in an object are strings, but keys may be integers. A name means the integer key that it spells,
  // unless only the string key occurs in the history.
  void apply_initial_values() {
    for (const auto& [name, value] : named_initial_) {
      const auto number = builder_.pool().number(builder_.pool().text(name));
      const bool canonical =
          number && number->is_integer() && builder_.pool().to_json(*number) == builder_.pool().text(name);
      const bool means_string = !canonical || (builder_.has_key(name) && !builder_.has_key(*number));
      builder_.set_initial(builder_.key(means_string ? name : *number), value);
    }
  }

  ByteSource& source_;
  const CompleteHistory& complete_;
  HistoryBuilder builder_;
  JsonlValues values_{builder_};
  JsonlOperations operations_{builder_, values_};
  json::parser parser_;
  bool seen_line_ = false, has_initial_of_all_ = false;
  std::vector<std::pair<Scalar, Scalar>> named_initial_;
};

Result<History> read_whole(ByteSource& source) { return read_jsonl(source, {}); }

bool looks_like_jsonl(std::string_view beginning) {
  const std::size_t start = beginning.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || beginning[start] != '{') return false;
  const std::string_view line = beginning.substr(start, beginning.find('\n', start) - start);
  const auto has = [&](std::string_view name) { return line.find(name) != std::string_view::npos; };
  return has("\"assay\"") || has("\"session\"") || has("\"ops\"");
}

}  // namespace

Result<History> read_jsonl(ByteSource& source, const CompleteHistory& complete) {
  return JsonlReader(source, complete).read();
}

const Format format_rows::jsonl{.id = "jsonl",
                                .description = "native JSON Lines, one transaction per line",
                                .extension = ".jsonl",
                                .looks_like = looks_like_jsonl,
                                .read = read_whole,
                                .write = write_jsonl};

}  // namespace assay
