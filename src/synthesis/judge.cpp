#include "synthesis/judge.h"

#include <fmt/format.h>

#include "synthesis/facts.h"

namespace assay::synthesis {
namespace {

constexpr std::size_t kMostTransactions = 100, kMostUnknown = 12;

Names names_of(const History& history, const RecordedFacts& recorded) {
  Names names{{"T0"}, {}};
  for (const TxnId t : recorded.transactions) names.transactions.push_back(history.display(t));
  for (const KeyId key : history.keys()) names.objects.push_back(history.display(key));
  return names;
}

// With these transactions of unknown outcome.
Result<Judgement> judge(const spec::Specification& spec, const History& history,
                        const std::vector<bool>& counts, const Stop& stop, bool explain) {
  using Kind = Judgement::Kind;
  const auto recorded = facts_of(history, counts);
  if (!recorded) return recorded.error();
  if (spec.uses_clocks && !recorded->facts.clocks)
    return error(
        fmt::format(
            "{} speaks of real time, and the history does not say when each transaction began and ended",
            spec.name),
        "record begin and end of every committed transaction");
  if (!recorded->wrong_read.empty()) return Judgement{Kind::Violated, {recorded->wrong_read}};
  const Names names = names_of(history, *recorded);
  const ConcreteAnswer answer = allows(spec, recorded->facts, stop);
  switch (answer.kind) {
    case ConcreteAnswer::Kind::Allowed:
      return Judgement{Kind::Holds, describe_witnesses(spec, answer.explanation, names)};
    case ConcreteAnswer::Kind::Stopped: return Judgement{Kind::Undecided, {stop().value_or("stopped")}};
    case ConcreteAnswer::Kind::Forbidden: break;
  }
  return Judgement{Kind::Violated,
                   explain ? why_forbidden(spec, recorded->facts, names) : std::vector<std::string>()};
}

}  // namespace

Result<Judgement> judge(const spec::Specification& spec, const History& history, const Stop& stop,
                        bool explain) {
  std::vector<std::size_t> unknown;
  for (const TxnId t : history.transactions())
    if (history.outcome(t) == Outcome::Unknown) unknown.push_back(t.index());
  if (history.transaction_count() > kMostTransactions || unknown.size() > kMostUnknown)
    return error(
        fmt::format(
            "{} transactions, {} of them of unknown outcome, are too many to judge by a specification",
            history.transaction_count(), unknown.size()),
        fmt::format("at most {} and {}; assay check --level has no such limit", kMostTransactions,
                    kMostUnknown));
  // Fewer are tried first: what did not take effect can break nothing.
  std::optional<Judgement> violated;
  std::optional<std::string> why;
  const Stop sticky = [&] { return why || !stop ? why : why = stop(); };  // once there is a reason, it stays
  for (std::size_t subset = 0; subset < std::size_t{1} << unknown.size(); ++subset) {
    std::vector<bool> counts(history.transaction_count());
    for (std::size_t i = 0; i < unknown.size(); ++i) counts[unknown[i]] = (subset >> i & 1) != 0;
    auto judged = judge(spec, history, counts, sticky, explain && !violated);
    if (!judged || judged->kind != Judgement::Kind::Violated) return judged;
    if (!violated) violated = std::move(judged).value();
  }
  return *violated;
}

}  // namespace assay::synthesis
