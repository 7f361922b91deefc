#include "encoding/write_order.h"

namespace assay {

WriteOrder::WriteOrder(const History& history, const ReadFacts& facts, const VersionIndex& versions,
                       const PointRules& rules, const KnownGraph& known, Guess guess,
                       const SolverSettings& settings)
    : problem_(history, facts, versions, rules, known),
      theory_(known.nodes, known.edges, std::move(guess.order)),
      solver_(theory_, settings),
      choices_(problem_, theory_, solver_),
      clauses_(problem_, choices_, solver_),
      order_choices_(problem_, choices_),
      version_choices_(problem_, choices_, clauses_, theory_.order()),
      defining_clauses_(problem_, version_choices_, clauses_) {
  if (rules.total) {
    total_.emplace(problem_, std::move(guess), theory_.order(), choices_, order_choices_, version_choices_,
                   clauses_);
  } else {
    psi_.emplace(problem_, std::move(guess.broken), theory_, order_choices_, version_choices_, clauses_);
    state_clauses();
  }
}

Answer WriteOrder::solve(const std::function<bool()>& stop, const Abandoned& abandoned) {
  const auto complete = [&] {
    const bool added = repair(abandoned);
    return probe_new_choices(stop) || added || abandoned();
  };
  return solver_.solve(complete, [&] { return abandoned() || stop(); });
}

// Returns whether the current execution violates a constraint.
bool WriteOrder::repair(const Abandoned& abandoned) {
  const std::size_t choices = choices_.size();
  if (total_) total_->run(abandoned);
  else psi_->run(abandoned);
  const bool stated = state_clauses();
  return stated || choices_.size() > choices;
}

// Returns whether there were any.
bool WriteOrder::state_clauses() {
  clauses_.state_facts();
  defining_clauses_.add();
  return clauses_.state_clauses();
}

// Probes new choices. Returns whether it probed any: that moves transactions, so the execution must be
// checked again. The first repair of a large history makes tens of thousands of choices, so `stop` is polled
// between them, and the rest is left unprobed.
bool WriteOrder::probe_new_choices(const std::function<bool()>& stop) {
  const std::size_t first = probed_;
  for (; probed_ < choices_.size() && !stop(); ++probed_)
    if (choices_[probed_].rule == Rule::Suppose) solver_.probe(probed_);
  return probed_ > first;
}

void WriteOrder::make_all_choices(const Abandoned& abandoned) {
  for (const KeyId key : problem_.history.keys()) {
    const auto versions = problem_.versions.of(key);
    for (std::size_t i = 0; i < versions.size(); ++i) {
      if (abandoned()) return;
      for (std::size_t j = i + 1; j < versions.size(); ++j)
        order_choices_.order(problem_.facts.writer(versions[i]), problem_.facts.writer(versions[j]));
    }
    for (const VersionId version : problem_.versions.conditional_of(key)) version_choices_.took(version);
  }
  state_clauses();
}

}  // namespace assay
