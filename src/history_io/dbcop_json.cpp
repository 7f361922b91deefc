// Reads and writes dbcop's JSON: {params, info, start, end, data}, where data is a list of sessions of
//     {"events": [{"Write": {"variable": 0, "version": 1}}, {"Read": {...}}], "committed": true}
// Only `data` is the history; `info` is the note. dbcop also accepts `data` alone, and the shorter events
// ["w", 0, 1] and ["r", 0, null], so this reader does too; the writer uses the long form. Transactions stream
// one at a time; fields may come in any order.
#include <fmt/format.h>

#include <algorithm>

#include "history_io/dbcop_initial.h"
#include "history_io/format_rows.h"
#include "history_io/json_forms.h"

namespace assay {
namespace {

constexpr Expressible kDbcopJson{.format = "dbcop-json", .note = true};

class DbcopJsonReader final : public JsonVisitor {
 public:
  bool enters(const JsonPlace& place, DatumKind kind) override {
    if (!is_wrapped_ && !has_data_) {  // the root
      (kind == DatumKind::Map ? is_wrapped_ : has_data_) = true;
      return true;
    }
    const bool in_data = !is_wrapped_ || place.key == "data";
    if (kind != DatumKind::Vector || !in_data || place.path.size() > 1) return false;
    if (place.path.empty()) has_data_ = true;
    else session_ = history_.history().new_session();
    return true;
  }

  Result<void> value(const JsonPlace& place, Datum value) override {
    if (is_wrapped_ && place.key != "data") {
      if (place.key == "info" && value.is(DatumKind::String))
        history_.history().set_note(std::string(value.text()));
      return {};
    }
    auto done = place.path.size() == 2
                    ? transaction(value)
                    : Result<void>(error("expected sessions, which are arrays of transactions"));
    if (done) return {};
    Error problem = std::move(done).error();
    problem.place = std::to_string(place.line);
    return problem;
  }

  Result<History> finish() && {
    if (!has_data_) return error("the object has no \"data\"", "expected {\"params\": ..., \"data\": [...]}");
    return std::move(history_).build();
  }

 private:
  Result<void> transaction(Datum map) {
    std::optional<Datum> events, committed;
    if (map.is(DatumKind::Map))
      for (auto i = map.begin(); i != map.end(); ++i) {
        const std::string_view key = (*i).text();
        const Datum value = *++i;
        std::optional<Datum>* const known = key == "events"      ? &events
                                            : key == "committed" ? &committed
                                                                 : nullptr;
        if (known == nullptr) continue;
        if (*known) return error(fmt::format("\"{}\" stands twice in a transaction", key));
        *known = value;
      }
    if (!events || !events->is(DatumKind::Vector) || !committed || !committed->is(DatumKind::Boolean))
      return error("expected a transaction", "{\"events\": [...], \"committed\": true or false}");
    for (const Datum one : *events) ASSAY_TRY(event(one));
    return history_.history().finish(
        {.session = session_, .outcome = committed->boolean() ? Outcome::Committed : Outcome::Aborted});
  }

  Result<void> event(Datum event) {
    const Error unexpected =
        error("expected an event", "{\"Read\": {\"variable\": 1, \"version\": 2}} or {\"Write\": ...}");
    std::string_view function;
    std::optional<Datum> variable, version;
    if (event.is(DatumKind::Map) && event.size() == 2) {
      auto part = event.begin();
      function = (*part).text();
      const Datum fields = *++part;
      if (!fields.is(DatumKind::Map)) return unexpected;
      for (auto i = fields.begin(); i != fields.end(); ++i) {
        const std::string_view key = (*i).text();
        const Datum value = *++i;
        if (key == "variable") variable = value;
        else if (key == "version") version = value;
      }
    } else if (event.is(DatumKind::Vector) && event.size() == 3 && (*event.begin()).is(DatumKind::String)) {
      auto part = event.begin();
      function = (*part).text();
      variable = *++part;
      version = *++part;
    }
    const bool writes = function == "Write" || function == "w";
    if (!writes && function != "Read" && function != "r") return unexpected;
    // A read without a version returned null, as everywhere in dbcop's JSON.
    if (!variable || (writes && !version)) return unexpected;
    const auto key = scalar(*variable);
    const auto value = version ? scalar(*version) : std::optional(Scalar::null());
    if (!key || (!key->is_integer() && !key->is_string()))
      return error("a variable that is no integer or string");
    if (!value) return error("a version that is no number, string, boolean or null");
    const KeyId id = history_.history().key(*key);
    writes ? history_.write(id, *value) : history_.read(id, *value);
    return {};
  }

  std::optional<Scalar> scalar(Datum datum) {
    ScalarPool& pool = history_.history().pool();
    switch (datum.kind()) {
      case DatumKind::Nil: return Scalar::null();
      case DatumKind::Boolean: return Scalar::boolean(datum.boolean());
      case DatumKind::Integer: return Scalar::integer(datum.integer());
      case DatumKind::Number: return pool.number(datum.text());
      case DatumKind::String: return pool.string(datum.text());
      default: return std::nullopt;
    }
  }

  DbcopBuilder history_;
  SessionId session_;
  bool is_wrapped_ = false, has_data_ = false;
};

bool looks_like_dbcop_json(std::string_view beginning) {
  // `data` alone: an array of sessions.
  std::string opening;
  for (const char c : beginning.substr(0, 256))
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') opening += c;
  if (opening.starts_with("[[{\"events\"") || opening.starts_with("[[{\"committed\"")) return true;
  if (!opening.starts_with('{')) return false;
  for (const std::string_view others : {"session", "ops", "assay", "type", "value"})
    if (peek_json(beginning, others)) return false;
  const auto data = peek_json(beginning, "data"), params = peek_json(beginning, "params");
  return (data && data->starts_with('[')) || (params && params->starts_with('{'));
}

Result<History> read_dbcop_json(ByteSource& source) {
  DbcopJsonReader reader;
  ASSAY_TRY(read_json(source, JsonRoots::One, reader));
  return std::move(reader).finish();
}

void print_event(const History& history, OpId op, std::string& out) {
  out += history.kind(op) == OpKind::Write ? "{\"Write\":{\"variable\":" : "{\"Read\":{\"variable\":";
  history.pool().print_json(history.name(history.key(op)), out);
  out += ",\"version\":";
  history.pool().print_json(history.value(history.value(op)), out);
  out += "}}";
}

Result<WriteReport> write_dbcop_json(const History& history, ByteSink& sink, const WriteOptions& options) {
  auto report = express_dbcop(history, kDbcopJson, options);
  if (!report) return report;
  std::size_t most_transactions = 0, most_events = 0;
  for (const SessionId s : history.sessions())
    most_transactions = std::max(most_transactions, history.transactions(s).size());
  for (const TxnId txn : history.transactions())
    most_events = std::max(most_events, history.operations(txn).size());

  std::string text = fmt::format(
      "{{\"params\":{{\"id\":0,\"n_node\":{},\"n_variable\":{},\"n_transaction\":{},\"n_event\":{}}},"
      "\n\"info\":",
      history.session_count(), history.key_count(), most_transactions, most_events);
  print_json_string(history.note(), text);
  // dbcop requires the two times but does not use them.
  text += ",\n\"start\":\"1970-01-01T00:00:00Z\",\n\"end\":\"1970-01-01T00:00:00Z\",\n\"data\":[";
  for (const SessionId s : history.sessions()) {
    text += s.index() > 0 ? ",\n[" : "\n[";
    for (const TxnId txn : history.transactions(s)) {
      text += history.position(txn) > 0 ? ",\n{\"events\":[" : "{\"events\":[";
      for (const OpId op : history.operations(txn)) {
        if (!text.ends_with('[')) text += ',';
        print_event(history, op, text);
      }
      text += history.outcome(txn) == Outcome::Committed ? "],\"committed\":true}" : "],\"committed\":false}";
      sink.write(text);
      text.clear();
    }
    text += ']';
  }
  text += "]}\n";
  sink.write(text);
  return report;
}

}  // namespace

const Format format_rows::dbcop_json{
    .id = "dbcop-json",
    .description = "dbcop's JSON: {params, info, start, end, data}",
    .extension = "",
    .looks_like = looks_like_dbcop_json,
    .read = read_dbcop_json,
    .write = write_dbcop_json,
};

}  // namespace assay
