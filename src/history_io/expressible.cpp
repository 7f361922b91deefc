#include "history_io/expressible.h"

#include <fmt/format.h>

#include <array>

namespace assay {
namespace {

std::string_view plural(OpKind kind) {
  switch (kind) {
    case OpKind::Read: return "reads of registers";
    case OpKind::Write: return "writes of registers";
    case OpKind::Append:
    case OpKind::ListRead: return "lists";
    case OpKind::ReadOneOf: return "reads of one of several values";
    case OpKind::Insert: return "inserts";
    case OpKind::Delete: return "deletes";
    case OpKind::Scan: return "scans";
    case OpKind::Select: return "predicate reads";
    case OpKind::Update:
    case OpKind::UpdateMaybe: return "predicate writes";
  }
  return {};
}

std::string_view plural(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Null: return "null";
    case ScalarKind::Boolean: return "booleans";
    case ScalarKind::Integer: return "integers";
    case ScalarKind::Decimal: return "decimals";
    case ScalarKind::String: return "strings";
    case ScalarKind::Row: return "rows";
  }
  return {};
}

std::string_view plural(Outcome outcome) {
  switch (outcome) {
    case Outcome::Committed: return "committed transactions";
    case Outcome::Aborted: return "writes of aborted transactions";
    case Outcome::Unknown: return "unknown outcomes";
  }
  return {};
}

bool is_read(OpKind kind) {
  return kind == OpKind::Read || kind == OpKind::ListRead || kind == OpKind::ReadOneOf ||
         kind == OpKind::Scan || kind == OpKind::Select;
}

bool fits(Scalar name, Names names) {
  switch (names) {
    case Names::Numbered: return false;
    case Names::Naturals: return name.is_integer() && name.as_integer() >= 0;
    case Names::Integers: return name.is_integer();
    case Names::Any: return true;
  }
  return false;
}

std::string counted(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

// Content whose loss cannot change a verdict, and how often it occurs.
struct Loss {
  std::string_view what;    // "cannot express WHAT"
  std::string_view prefix;  // "the instants of ", followed by the count
  std::string_view noun;    // "transaction"
  std::size_t count = 0;
  TxnId first{};

  void add(TxnId txn) {
    if (count++ == 0) first = txn;
  }
};

class Check {
 public:
  Check(const History& history, const Expressible& can) : h_(history), can_(can) {}

  Result<WriteReport> run(const WriteOptions& options) {
    for (const TxnId txn : h_.transactions()) ASSAY_TRY(transaction(txn));
    if (!options.lossy) ASSAY_TRY(refuse_losses());
    WriteReport report;
    if (!can_.note && !h_.note().empty()) report.left_out.emplace_back("the note");
    for (const Loss* loss : losses_)
      if (loss->count > 0)
        report.left_out.push_back(std::string(loss->prefix) + counted(loss->count, loss->noun));
    labels(report);
    return report;
  }

 private:
  Error cannot(std::string_view what, TxnId txn, std::string remedy = {}) const {
    if (remedy.empty()) remedy = "write jsonl, which expresses everything";
    return error(
        fmt::format("{} cannot express {} (first at transaction {})", can_.format, what, h_.display(txn)),
        std::move(remedy));
  }

  Result<void> refuse_losses() const {
    const Loss* first = nullptr;
    for (const Loss* loss : losses_)
      if (loss->count > 0 && (first == nullptr || loss->first < first->first)) first = loss;
    if (first != nullptr) return cannot(first->what, first->first, "add --lossy to leave them out");
    if (!can_.note && !h_.note().empty())
      return error(fmt::format("{} cannot express the note", can_.format), "add --lossy to leave it out");
    return {};
  }

  Result<void> transaction(TxnId txn) {
    ASSAY_TRY(outcome(txn));
    for (const OpId op : h_.operations(txn)) ASSAY_TRY(operation(txn, op));
    const Instants at = h_.instants(txn);
    if ((at.begin && !can_.instants.has(Instant::Begin)) ||
        (at.began && !can_.instants.has(Instant::Began)) ||
        (at.committing && !can_.instants.has(Instant::Committing)) ||
        (at.end && !can_.instants.has(Instant::End)))
      instants_.add(txn);
    if (!can_.empty_transactions && h_.operations(txn).empty()) empty_.add(txn);
    return {};
  }

  Result<void> outcome(TxnId txn) {
    const Outcome outcome = h_.outcome(txn);
    bool wrote = false, has_read = false;
    for (const OpId op : h_.operations(txn)) (is_read(h_.kind(op)) ? has_read : wrote) = true;
    if (!can_.outcomes.has(outcome)) {
      if (outcome != Outcome::Aborted || wrote) return cannot(plural(outcome), txn);
      aborted_.add(txn);
    } else if (outcome == Outcome::Aborted) {
      if (has_read && !can_.reads_of_aborted) aborted_reads_.add(txn);
      if (!can_.adjacent_aborted && h_.position(txn) > 0 &&
          h_.outcome(h_.transactions(h_.session(txn))[h_.position(txn) - 1]) == Outcome::Aborted)
        adjacent_.add(txn);
    }
    return {};
  }

  Result<void> operation(TxnId txn, OpId op) {
    const OpKind kind = h_.kind(op);
    if (!can_.operations.has(kind)) return cannot(plural(kind), txn);
    if (is_one_key(kind)) ASSAY_TRY(key(txn, h_.key(op)));
    if (has_rows(kind)) {
      for (const KeyValueId kv : h_.rows(op)) ASSAY_TRY(value(txn, kv));
      return {};
    }
    if (kind != OpKind::Delete) ASSAY_TRY(value(txn, h_.value(op)));
    return {};
  }

  Result<void> key(TxnId txn, KeyId key) const {
    const ScalarKind kind = h_.name(key).kind;
    if (!can_.keys.has(kind)) return cannot(fmt::format("keys that are {}", plural(kind)), txn);
    return {};
  }

  Result<void> value(TxnId txn, KeyValueId kv) const {
    ASSAY_TRY(key(txn, h_.key(kv)));
    ASSAY_TRY(initial(txn, kv));
    const ScalarKind kind = h_.value(kv).kind;
    if (!can_.values.has(kind) && !(can_.initial && h_.value(kv) == *can_.initial))
      return cannot(fmt::format("values that are {}", plural(kind)), txn);
    return {};
  }

  // A key may have another initial value in the format as long as no operation shows the difference: none
  // reads or writes the initial value that it has here, or the one that it has there.
  Result<void> initial(TxnId txn, KeyValueId kv) const {
    const KeyId key = h_.key(kv);
    if (h_.is_list(key)) return {};
    const KeyValueId here = h_.initial_value(key);
    const bool starts_here = here == kv;
    const bool starts_there = can_.initial && h_.value(kv) == *can_.initial;
    if (starts_here == starts_there) return {};
    const auto text = [&](const std::optional<Scalar>& v) {
      return v ? h_.pool().to_json(*v) : std::string("nothing");
    };
    return cannot(
        fmt::format("that key {} starts with {}, not {}", h_.display(key),
                    text(here.is_none() ? std::nullopt : std::optional(h_.value(here))), text(can_.initial)),
        txn);
  }

  void labels(WriteReport& report) const {
    if (loses_names_of_transactions()) report.left_out.emplace_back("the names of transactions");
    if (!session_names_survive(h_, can_) && !sessions_are_numbered())
      report.left_out.emplace_back("the names of sessions");
    std::size_t empty = 0;
    for (const SessionId s : h_.sessions()) empty += h_.transactions(s).empty();
    if (!can_.empty_sessions && empty > 0) report.left_out.push_back(counted(empty, "empty session"));
  }

  bool loses_names_of_transactions() const {
    const bool survive = transaction_names_survive(h_, can_);
    for (const TxnId t : h_.transactions())
      if (h_.name(t) && (!survive || (h_.outcome(t) == Outcome::Aborted && !can_.names_of_aborted)))
        return true;
    return false;
  }

  bool sessions_are_numbered() const {
    for (const SessionId s : h_.sessions())
      if (h_.name(s) != Scalar::integer(static_cast<std::int64_t>(s.index()) + 1)) return false;
    return true;
  }

  const History& h_;
  const Expressible& can_;
  Loss instants_{"instants", "the instants of ", "transaction"};
  Loss aborted_{"aborted transactions", "", "aborted transaction"};
  Loss aborted_reads_{"reads of aborted transactions", "the reads of ", "aborted transaction"};
  Loss adjacent_{"where one aborted transaction ends and the next begins", "the beginning of ",
                 "aborted transaction"};
  Loss empty_{"empty transactions", "", "empty transaction"};
  std::array<const Loss*, 5> losses_{&instants_, &aborted_, &aborted_reads_, &adjacent_, &empty_};
};

}  // namespace

Result<WriteReport> express(const History& history, const Expressible& can, const WriteOptions& options) {
  return Check(history, can).run(options);
}

bool transaction_names_survive(const History& history, const Expressible& can) {
  for (const TxnId t : history.transactions()) {
    if (!can.names_of_aborted && history.outcome(t) == Outcome::Aborted) continue;
    const auto name = history.name(t);
    if (!name && can.transactions == Names::Any) continue;
    if (!name || !fits(*name, can.transactions)) return false;
  }
  return true;
}

bool session_names_survive(const History& history, const Expressible& can) {
  for (const SessionId s : history.sessions())
    if (!fits(history.name(s), can.sessions)) return false;
  return true;
}

}  // namespace assay
