#include "check/choice_search.h"

#include "check/other_level.h"
#include "check/refutation.h"

namespace assay {

ChoiceSearch::ChoiceSearch(Judging& judging, const KnownOrder& known, const Guess& guess)
    : j_(judging), known_(known), guess_(guess) {}

std::optional<Verdict> ChoiceSearch::run(const Stop& stop) {
  j_.effort.decided_by = "search";
  const VersionIndex& versions = j_.facts.versions();
  Portfolio portfolio(
      j_.options.portfolio, j_.budget, [&](const SolverSettings& settings, const Abandoned& abandoned) {
        auto search = std::make_unique<WriteOrder>(j_.history, *j_.facts.repeatable(), versions,
                                                   known_.rules(), known_.graph(), guess_, settings);
        if (!j_.options.lazy_choices) search->make_all_choices(abandoned);
        return search;
      });
  const Answer answer = portfolio.solve(stop);
  const WriteOrder& search = portfolio.decisive();
  j_.effort.searcher = portfolio.decisive_name();
  count(search);
  if (answer == Answer::Satisfiable) return execution(search);
  if (answer == Answer::Unsatisfiable) return violated(search);
  if (j_.budget.is_spent())
    return j_.out_of_budget(fmt::format("the search had made {} choices and met {} conflicts",
                                        j_.effort.choices, j_.effort.conflicts));
  order_ = search.order();
  keys_ = search.keys_of_choices();
  return std::nullopt;
}

std::optional<Verdict> ChoiceSearch::run_assuming() {
  const AssumptionOptions& options = j_.options.assumption;
  for (std::size_t window = options.first_window; window < known_.graph().nodes && !j_.budget.is_spent();
       window *= 2) {
    Assumption assumption =
        assume_order(known_.graph(), *j_.facts.repeatable(), guess_, known_.points(), window);
    WriteOrder search(j_.history, *j_.facts.repeatable(), j_.facts.versions(), known_.rules(),
                      assumption.known, std::move(assumption.guess));
    const Answer answer = search.solve(
        [&] { return search.solver().conflicts() >= options.per_window || j_.budget.is_spent(); });
    count(search);
    if (answer != Answer::Satisfiable) continue;
    j_.effort.decided_by = "search, where what is far apart keeps its order";
    return execution(search);
  }
  return std::nullopt;
}

void ChoiceSearch::count(const WriteOrder& search) {
  j_.effort.choices += search.choice_count();
  j_.effort.decisions += search.solver().decisions();
  j_.effort.conflicts += search.solver().conflicts();
}

Verdict ChoiceSearch::violated(const WriteOrder& search) const {
  if (j_.has_learnt || known_.is_assumed()) return j_.violated_by_what_was_added();
  const ReadFacts& facts = *j_.facts.repeatable();
  const KnownGraph& known = known_.graph();
  DerivedFacts derived(j_.history, facts, known_.rules(), known, known.edges.size());
  auto proof = refute_search(j_.history, facts, search, known_.points(), derived,
                             proof_builder(j_.history, known_.level(), facts), j_.budget);
  if (!proof) return j_.out_of_budget("a contradiction was found, and its proof was being written");
  return unnamed(std::move(*proof));
}

// At psi the order does not determine the writers of open reads, so the execution names them.
Holds ChoiceSearch::execution(const WriteOrder& search) {
  const ReadFacts& facts = *j_.facts.repeatable();
  const Points& points = known_.points();
  Holds found;
  order_.clear();
  for (const std::uint32_t node : search.order()) {
    if (node < known_.graph().nodes) order_.push_back(node);
    if (points.is_point(node) && search.counts(points.txn(node)))
      found.order.push_back({points.txn(node), points.is_commit(node)});
  }
  if (!known_.rules().total)
    for (const OpenRead& read : facts.open)
      if (search.counts(read.reader) && !j_.history.is_list(read.key))
        found.from.push_back({read.op, facts.writer(search.chosen(facts.place(read)))});
  return found;
}

}  // namespace assay
