#include "dependency/read_facts.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "dependency/transaction_reads.h"

namespace assay {
namespace {

// A delete that only writes.
bool is_plain_delete(const History& h, OpId op) { return h.kind(op) == OpKind::Delete && !h.found(op); }

// Returns an error if the history has operations that are not judged here.
Result<HistoryTraits> traits_of(const History& h) {
  HistoryTraits has;
  for (const OpId op : h.operations()) {
    has.sets |= h.kind(op) == OpKind::ReadOneOf || h.is_conditional_write(op);
    if (h.kind(op) > OpKind::ReadOneOf && !is_plain_delete(h, op) && !h.is_conditional_write(op))
      return error("the history has rows or predicates",
                   "check judges reads and writes of single values, and lists");
    has.lists |= h.kind(op) == OpKind::Append || h.kind(op) == OpKind::ListRead;
  }
  has.unknowns =
      std::ranges::any_of(h.transactions(), [&](TxnId t) { return h.outcome(t) == Outcome::Unknown; });
  return has;
}

// A list does not show which of two appends of the same element it contains.
Result<void> require_unique_elements(const History& h, const Lists& lists) {
  if (!lists.has_repeated()) return {};
  const auto is_repeated = [&](KeyValueId element) { return lists.is_repeated(element); };
  for (const TxnId t : h.transactions())
    for (const OpId op : h.operations(t))
      if (h.kind(op) == OpKind::ListRead && std::ranges::any_of(h.rows(op), is_repeated))
        return error(fmt::format("{} in transaction {} shows an element that was appended twice",
                                 h.display(h.key(op)), h.display(t)),
                     "check judges lists whose elements were appended once");
  return {};
}

// Adds the condition of each conditional write, and the number of writes that a statement reported, if it
// did.
void add_conditions(const History& h, Versions& versions) {
  OpId statement;
  for (ConditionalWrite& write : versions.conditional) {
    const auto place = versions.place(write);
    if (versions.tests.empty() || statement != h.statement(write.op)) {
      statement = h.statement(write.op);
      versions.tests.emplace_back(h, h.predicate(write.op));
      if (const auto count = h.count(write.op)) versions.counted.push_back({place, place, *count});
    }
    if (h.count(write.op)) versions.counted.back().last = place + 1;
    write.test = static_cast<std::uint32_t>(versions.tests.size() - 1);
  }
}

// Finds, in this order, which transactions of unknown outcome cannot have committed, which must have and
// which may have, and then the reads of those that count or may count.
class FactFinder {
 public:
  FactFinder(const History& history, const HistoryTraits& has, bool repeatable, Budget& budget)
      : h_(history),
        has_(has),
        budget_(budget),
        writers_(history, facts_),
        reads_(history, facts_, writers_, has, repeatable) {
    if (!facts_.conditional.empty()) read_at_.assign(h_.key_count(), kNotRead);
  }

  Result<ReadFacts> run() {
    ASSAY_TRY(require_unique_elements(h_, reads_.lists()));
    refute_unknowns();
    find_what_counts();
    find_what_may_count();
    collect();
    if (budget_.is_spent()) return limit_reached(budget_.why());
    if (facts_.wrong.empty() && !facts_.conditional.empty()) {
      facts_.values = writers_.take_values();
      add_conditions(h_, facts_);
    }
    if (facts_.wrong.empty()) reads_.lists().observe(facts_);
    facts_.has_sets = has_.sets;
    return std::move(facts_);
  }

 private:
  // A transaction of unknown outcome with a wrong read cannot have committed. Refuting it may make reads of
  // others wrong, so this is repeated until nothing changes.
  void refute_unknowns() {
    for (bool changed = true; changed;) {
      changed = false;
      reads_.begin_pass();
      for (const TxnId t : h_.transactions()) {
        if (budget_.is_spent()) return;
        if (h_.outcome(t) != Outcome::Unknown || reads_.is_refuted(t)) continue;
        bool bad = false;
        reads_.visit(
            t, [](OpId, std::span<const VersionId>) {}, [&](OpId, Anomaly, TxnId) { bad = true; });
        if (!bad) continue;
        reads_.refute(t);
        changed = true;
      }
    }
  }

  // Committed transactions count. One of unknown outcome counts if a transaction that counts can only have
  // read from it.
  void find_what_counts() {
    facts_.counts.assign(h_.transaction_count(), false);
    reads_.begin_pass();
    std::vector<TxnId> open;
    for (const TxnId t : h_.transactions())
      if (h_.outcome(t) == Outcome::Committed) {
        facts_.counts[t.index()] = true;
        open.push_back(t);
      }
    if (!has_.unknowns) return;
    follow_reads(std::move(open), true, [&](TxnId writer) {
      if (facts_.counts[writer.index()]) return false;
      facts_.counts[writer.index()] = true;
      return true;
    });
  }

  // A transaction of unknown outcome may count if one that counts, or may count, may have read from it.
  void find_what_may_count() {
    if (!has_.unknowns || (!writers_.has_repeated() && !has_.sets)) return;
    std::vector<TxnId> open;
    for (const TxnId t : h_.transactions())
      if (facts_.counts[t.index()]) open.push_back(t);
    reads_.begin_pass();
    follow_reads(std::move(open), false, [&](TxnId writer) {
      if (facts_.counts[writer.index()] || facts_.may_count_only(writer)) return false;
      facts_.may_count.resize(h_.transaction_count());
      facts_.may_count[writer.index()] = true;
      return true;
    });
  }

  // Follows reads from the readers in `open` to the writers that they read from or may have, and from these
  // on. `add` returns whether a writer is new. `for_certain`: follows only reads with one candidate.
  template <class Add>
  void follow_reads(std::vector<TxnId> open, bool for_certain, Add add) {
    const auto visit = [&](TxnId writer) {
      if (!writer.is_none() && add(writer)) open.push_back(writer);
    };
    while (!open.empty() && !budget_.is_spent()) {
      const TxnId t = open.back();
      open.pop_back();
      reads_.visit(
          t,
          [&](OpId op, std::span<const VersionId> candidates) {
            if (!for_certain || candidates.size() == 1)
              for (const VersionId version : candidates) visit(facts_.writer(version));
            if (h_.kind(op) == OpKind::ListRead)
              for (const KeyValueId element : h_.rows(op)) visit(reads_.lists().writer(element));
          },
          [](OpId, Anomaly, TxnId) {});
    }
  }

  void collect() {
    reads_.begin_pass();
    facts_.begin.assign(1, 0);
    for (const TxnId t : h_.transactions()) {
      if (budget_.is_spent()) return;
      reads_.fetch_next(t);
      const auto conditional = facts_.conditional_by(t);
      for (const ConditionalWrite& write : conditional) read_at_[write.key.index()] = kDecides;
      if (facts_.counts[t.index()] || facts_.may_count_only(t))
        reads_.visit(
            t, [&](OpId op, std::span<const VersionId> candidates) { collect(t, op, candidates); },
            [&](OpId op, Anomaly anomaly, TxnId other) {
              facts_.wrong.push_back({anomaly, t, op, other});
            });
      for (const ConditionalWrite& write : conditional)
        facts_.conditional[facts_.place(write)].read = std::exchange(read_at_[write.key.index()], kNotRead);
      facts_.begin.push_back(static_cast<std::uint32_t>(facts_.reads.size()));
    }
  }

  void collect(TxnId t, OpId op, std::span<const VersionId> candidates) {
    const bool decides = !read_at_.empty() && read_at_[h_.key(op).index()] == kDecides;
    if (candidates.size() == 1 && facts_.counts[t.index()] && !decides &&
        !facts_.is_conditional(candidates[0])) {
      facts_.reads.push_back({t, op, h_.key(op), writer_of(op, candidates[0]), candidates[0]});
      return;
    }
    if (decides) read_at_[h_.key(op).index()] = static_cast<std::uint32_t>(facts_.open.size());
    const auto first = static_cast<std::uint32_t>(facts_.candidates.size());
    facts_.candidates.insert(facts_.candidates.end(), candidates.begin(), candidates.end());
    facts_.open.push_back({t, op, h_.key(op), first, static_cast<std::uint32_t>(facts_.candidates.size())});
  }

  // The entry of the value, which is in the cache, usually holds the writer too.
  TxnId writer_of(OpId read, VersionId version) const {
    if (!has_rows(h_.kind(read)))
      if (const auto& w = writers_.of(h_.value(read)); w.version == version) return w.final_writer;
    return facts_.writer(version);
  }

  const History& h_;
  const HistoryTraits has_;
  Budget& budget_;
  ReadFacts facts_;
  ValueWriters writers_;
  TransactionReads reads_;
  // By key, if there are conditional writes: kDecides if a read of the current transaction will decide one,
  // and then the index of that read.
  static constexpr std::uint32_t kNotRead = UINT32_MAX, kDecides = UINT32_MAX - 1;
  std::vector<std::uint32_t> read_at_;
};

}  // namespace

Result<ReadFacts> read_facts(const History& history, bool repeatable, Budget& budget) {
  const auto has = traits_of(history);
  if (!has) return has.error();
  return FactFinder(history, *has, repeatable, budget).run();
}

}  // namespace assay
