#include "history_io/elle_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "history_io/edn.h"
#include "history_io/elle_clock.h"
#include "history_io/expressible.h"

namespace assay {
namespace {

enum class Notation { Edn, Json };

constexpr Expressible kElle{
    .format = "elle",
    .operations = {OpKind::Read, OpKind::Write, OpKind::Append, OpKind::ListRead},
    .keys = {ScalarKind::Integer, ScalarKind::String},
    .values = {ScalarKind::Null, ScalarKind::Boolean, ScalarKind::Integer, ScalarKind::Decimal,
               ScalarKind::String},
    .outcomes = {Outcome::Committed, Outcome::Aborted, Outcome::Unknown},
    .instants = {Instant::Begin, Instant::Began, Instant::Committing, Instant::End},
    .initial = Scalar::null(),
    .note = true,
    .sessions = Names::Any,
    .transactions = Names::Any,
};

// Writes one map, field by field, in either notation.
class ElleLine {
 public:
  ElleLine(const ScalarPool& pool, Notation notation, std::string& out)
      : pool_(pool), edn_(notation == Notation::Edn), out_(out) {}

  void field(std::string_view name) {
    out_ += first_ ? "{" : edn_ ? ", " : ",";
    first_ = false;
    word(name);
    out_ += edn_ ? ' ' : ':';
  }
  void field(std::string_view name, std::int64_t value) {
    field(name);
    pool_.print_json(Scalar::integer(value), out_);
  }
  void field(std::string_view name, std::string_view keyword) {
    field(name);
    word(keyword);
  }
  void field(std::string_view name, std::optional<std::int64_t> value) {
    if (value) field(name, *value);
  }
  void close() { out_ += '}'; }

  void open_sequence() {
    out_ += '[';
    first_element_ = true;
  }
  void element() {
    if (!first_element_) out_ += edn_ ? ' ' : ',';
    first_element_ = false;
  }
  void close_sequence() {
    out_ += ']';
    first_element_ = false;
  }

  // A keyword in EDN; a string in JSON, which has no keywords.
  void word(std::string_view name) {
    if (edn_) (out_ += ':') += name;
    else print_json_string(name, out_);
  }
  // The name of a session or transaction, which is never a keyword.
  void label(Scalar scalar) { print(scalar); }
  void key_or_value(Scalar scalar) {
    if (edn_ && scalar.is_string() && pool_.text(scalar).starts_with(':')) out_ += pool_.text(scalar);
    else print(scalar);
  }

 private:
  void print(Scalar scalar) {
    if (!edn_) return pool_.print_json(scalar, out_);
    if (scalar.is_null()) {
      out_ += "nil";
    } else if (scalar.is_string()) {
      print_edn_string(pool_.text(scalar), out_);
    } else {
      pool_.print_json(scalar, out_);
      // Without this suffix, Clojure would round the number to a double.
      if (scalar.kind == ScalarKind::Decimal)
        out_ += pool_.text(scalar).find_first_of(".e") == std::string_view::npos ? 'N' : 'M';
    }
  }

  const ScalarPool& pool_;
  const bool edn_;
  std::string& out_;
  bool first_ = true, first_element_ = true;
};

class ElleWriter {
 public:
  ElleWriter(const History& history, ByteSink& sink, Notation notation)
      : h_(history), sink_(sink), notation_(notation) {}

  Result<WriteReport> run(const WriteOptions& options) {
    auto report = express(h_, kElle, options);
    if (!report) return report;
    if (notation_ == Notation::Edn) ASSAY_TRY(check_keywords());
    number_processes();
    const std::vector<Event> events = order();
    if (notation_ == Notation::Json) sink_.write("[");
    if (!h_.note().empty()) write_note();
    if (!sessions_appear_in_order(events)) write_session_order();
    if (!times_need_no_declaration(events)) write_instant_kind();
    for (const Event& event : events)
      event.completes ? write_completion(event.txn) : write_invocation(event.txn);
    if (notation_ == Notation::Json) sink_.write("]\n");
    return report;
  }

 private:
  struct Event {
    std::int64_t time;
    bool late;  // at equal times, completions come last, with invocations that follow one
    bool completes;
    TxnId txn;
  };

  // A string that begins with a colon is written as a keyword, so it must be a valid one.
  Result<void> check_keywords() const {
    const auto check = [&](Scalar scalar, TxnId txn) -> Result<void> {
      if (!scalar.is_string() || !h_.pool().text(scalar).starts_with(':') ||
          is_edn_keyword(h_.pool().text(scalar)))
        return {};
      return error(fmt::format("elle cannot express the string {} in EDN (first at transaction {})",
                               h_.pool().to_json(scalar), h_.display(txn)),
                   "write .json, which has no keywords");
    };
    for (const TxnId txn : h_.transactions())
      for (const OpId op : h_.operations(txn)) {
        ASSAY_TRY(check(h_.name(h_.key(op)), txn));
        if (h_.kind(op) != OpKind::ListRead) ASSAY_TRY(check(h_.value(h_.value(op)), txn));
        else
          for (const KeyValueId kv : h_.rows(op)) ASSAY_TRY(check(h_.value(kv), txn));
      }
    return {};
  }

  bool is_process(SessionId s) const { return h_.name(s).is_integer() && h_.name(s).as_integer() >= 0; }

  // A session named by a natural number is that process; the other sessions get the free numbers.
  void number_processes() {
    std::unordered_set<std::int64_t> taken;
    for (const SessionId s : h_.sessions())
      if (is_process(s)) taken.insert(h_.name(s).as_integer());
    std::int64_t next = 0;
    for (const SessionId s : h_.sessions()) {
      while (!is_process(s) && taken.contains(next)) ++next;
      process_.push_back(is_process(s) ? h_.name(s).as_integer() : next++);
    }
  }

  std::vector<Event> order() const {
    std::vector<Event> events;
    events.reserve(2 * h_.transaction_count());
    bool timed = h_.has_instants();
    // An event never sorts before its predecessor in the session, whatever the clock said.
    std::vector<std::pair<std::int64_t, bool>> latest(h_.session_count(), {INT64_MIN, false});
    for (const TxnId txn : h_.transactions()) {
      const Instants at = h_.instants(txn);
      timed &= at.begin && (at.end || h_.outcome(txn) == Outcome::Unknown);
      for (const bool completes : {false, true}) {
        const auto instant = completes ? at.end : at.begin;
        auto& last = latest[h_.session(txn).index()];
        last = std::max(last, std::pair(instant.value_or(INT64_MIN), completes));
        events.push_back({last.first, last.second, completes, txn});
      }
    }
    if (timed) std::ranges::stable_sort(events, {}, [](const Event& e) { return std::pair(e.time, e.late); });
    return events;
  }

  bool sessions_appear_in_order(const std::vector<Event>& events) const {
    std::vector<bool> seen(h_.session_count());
    std::size_t next = 0;
    for (const Event& event : events) {
      const std::size_t s = h_.session(event.txn).index();
      if (seen[s]) continue;
      if (s != next++) return false;
      seen[s] = true;
    }
    return next == h_.session_count();
  }

  // Whether the reader would take these times for the instants without a declaration.
  bool times_need_no_declaration(const std::vector<Event>& events) const {
    if (h_.transaction_count() == 0) return true;
    if (!h_.has_instants() || h_.instant_kind() == InstantKind::Positions) return false;
    ElleClock clock;
    for (const Event& event : events) {
      const Instants at = h_.instants(event.txn);
      const ElleEvent type = event.completes ? completion(event.txn) : ElleEvent::Invoke;
      clock.event(type, type == ElleEvent::Info ? std::nullopt : event.completes ? at.end : at.begin, {}, 0);
    }
    return clock.has_usable_times();
  }

  ElleEvent completion(TxnId txn) const {
    switch (h_.outcome(txn)) {
      case Outcome::Committed: return ElleEvent::Ok;
      case Outcome::Aborted: return ElleEvent::Fail;
      case Outcome::Unknown: break;
    }
    return ElleEvent::Info;
  }

  ElleLine begin_line() {
    text_.clear();
    if (notation_ == Notation::Json && index_ > 0) text_ += ",\n";
    ElleLine line(h_.pool(), notation_, text_);
    line.field("index", index_++);
    return line;
  }
  void end_line(ElleLine& line) {
    line.close();
    if (notation_ == Notation::Edn) text_ += '\n';
    sink_.write(text_);
  }

  ElleLine begin_nemesis_line(std::string_view f) {
    ElleLine line = begin_line();
    line.field("type", "info");
    line.field("process", "nemesis");
    line.field("f", f);
    line.field("value");
    return line;
  }

  void write_note() {
    ElleLine line = begin_nemesis_line("note");
    print_json_string(h_.note(), text_);
    end_line(line);
  }

  void write_session_order() {
    ElleLine line = begin_nemesis_line("sessions");
    line.open_sequence();
    for (const SessionId s : h_.sessions()) {
      line.element();
      line.label(h_.name(s));
    }
    line.close_sequence();
    end_line(line);
  }

  void write_instant_kind() {
    ElleLine line = begin_nemesis_line("instants");
    line.word(!h_.has_instants()                            ? "none"
              : h_.instant_kind() == InstantKind::Positions ? "positions"
                                                            : "nanoseconds");
    end_line(line);
  }

  ElleLine begin_transaction_line(TxnId txn, std::string_view type, std::optional<std::int64_t> time) {
    ElleLine line = begin_line();
    line.field("time", time);
    line.field("type", type);
    const SessionId s = h_.session(txn);
    line.field("process", process_[s.index()]);
    if (!is_process(s)) {
      line.field("session");
      line.label(h_.name(s));
    }
    line.field("f", "txn");
    return line;
  }

  void write_invocation(TxnId txn) {
    ElleLine line = begin_transaction_line(txn, "invoke", h_.instants(txn).begin);
    write_value(line, txn, false);
    end_line(line);
  }

  void write_completion(TxnId txn) {
    const Outcome outcome = h_.outcome(txn);
    const bool known = outcome != Outcome::Unknown;
    const Instants at = h_.instants(txn);
    ElleLine line = begin_transaction_line(txn,
                                           outcome == Outcome::Committed ? "ok"
                                           : outcome == Outcome::Aborted ? "fail"
                                                                         : "info",
                                           known ? at.end : std::nullopt);
    write_value(line, txn, true);
    line.field("txn");
    line.label(h_.name(txn).value_or(Scalar::null()));
    line.field("began", at.began);
    line.field("committing", at.committing);
    if (!known) line.field("end", at.end);
    if (outcome != Outcome::Committed && reads_null(txn)) {
      line.field("answered");
      text_ += "true";
    }
    end_line(line);
  }

  bool reads_null(TxnId txn) const {
    for (const OpId op : h_.operations(txn))
      if (h_.kind(op) == OpKind::Read && h_.value(h_.value(op)).is_null()) return true;
    return false;
  }

  void write_value(ElleLine& line, TxnId txn, bool completes) {
    line.field("value");
    line.open_sequence();
    for (const OpId op : h_.operations(txn)) {
      line.element();
      write_micro_op(line, op, completes);
    }
    line.close_sequence();
  }

  void write_micro_op(ElleLine& line, OpId op, bool completes) {
    const OpKind kind = h_.kind(op);
    line.open_sequence();
    line.element();
    line.word(kind == OpKind::Write ? "w" : kind == OpKind::Append ? "append" : "r");
    line.element();
    line.key_or_value(h_.name(h_.key(op)));
    line.element();
    if (!is_item_write(kind) && !completes) {
      line.key_or_value(Scalar::null());
    } else if (kind == OpKind::ListRead) {
      line.open_sequence();
      for (const KeyValueId kv : h_.rows(op)) {
        line.element();
        line.key_or_value(h_.value(kv));
      }
      line.close_sequence();
    } else {
      line.key_or_value(h_.value(h_.value(op)));
    }
    line.close_sequence();
  }

  const History& h_;
  ByteSink& sink_;
  const Notation notation_;
  std::vector<std::int64_t> process_;  // by session
  std::int64_t index_ = 0;
  std::string text_;  // of the current line
};

}  // namespace

Result<WriteReport> write_elle_edn(const History& history, ByteSink& sink, const WriteOptions& options) {
  return ElleWriter(history, sink, Notation::Edn).run(options);
}

Result<WriteReport> write_elle_json(const History& history, ByteSink& sink, const WriteOptions& options) {
  return ElleWriter(history, sink, Notation::Json).run(options);
}

}  // namespace assay
