#include "check/point_levels.h"

#include "base/contract.h"
#include "check/other_level.h"

namespace assay {
namespace {

// A choice costs the search about as much as this many operations cost saturation. The search goes first, and
// stops when it has cost as much as saturation would: so both together cost at most twice the cheaper one
// (docs/performance.md). Before that it is interrupted a few times, to saturate the keys of its choices.
constexpr std::size_t kOperationsPerChoice = 160;
constexpr std::size_t kOperationsPerFirstChoice = 16'000;
constexpr std::size_t kLongerEachTime = 4;

// The first sample of broken keys has about this many operations for each transaction. Each further sample is
// larger by the second factor.
constexpr std::size_t kFirstOperations = 5;
constexpr std::size_t kMoreEachTime = 4;

// A verdict that is not worth much work: so many entries of clocks, and so many conflicts of a search.
constexpr std::size_t kFewClocks = 1 << 20;
constexpr std::size_t kFewConflicts = 200;

// A sample of the broken keys. Keys that the same transactions access tend to imply the same edges, so the
// edges of a few usually make the rest redundant.
std::vector<KeyId> some_of(std::span<const KeyId> broken, std::size_t most) {
  const std::size_t step = std::max<std::size_t>(1, broken.size() / most);
  std::vector<KeyId> some;
  for (std::size_t i = 0; i < broken.size(); i += step) some.push_back(broken[i]);
  return some;
}

}  // namespace

std::optional<Holds> PointLevels::explained_by(const std::optional<Guess>& guess, bool two_points) const {
  if (!guess || !guess->explains() || !j_.options.greedy) return std::nullopt;
  const Points points(j_.history.transaction_count(), two_points);
  Holds holds;
  for (const std::uint32_t node : guess->order)
    if (points.is_point(node) && j_.facts.repeatable()->counts[points.txn(node).index()])
      holds.order.push_back({points.txn(node), points.is_commit(node)});
  return holds;
}

Verdict PointLevels::judge(Level level, const PointRules& rules, std::optional<Guess> serial) {
  auto guess = guesses_.overlapping(rules, std::move(serial));
  if (auto holds = explained_by(guess, rules.two_points)) {
    j_.effort.decided_by = "a greedy execution";
    return holds_at(level, j_.facts, std::move(*holds));
  }
  if (j_.budget.is_spent()) return j_.out_of_budget(kNoExecutionAtOnce);
  auto known = std::make_unique<KnownOrder>(j_, level, rules);
  if (!guess) return known->violated_from_the_start();
  Guess best = guesses_.better_with_start(std::move(*guess), rules, known->graph());
  return begin(std::move(known), std::move(best));
}

Verdict PointLevels::judge_in_time(Level level, const PointRules& rules) {
  auto known = std::make_unique<KnownOrder>(j_, level, rules);
  auto guess = guesses_.greedy(rules, &known->graph());
  if (j_.budget.is_spent()) return j_.out_of_budget(kNoExecutionAtOnce);
  if (!guess) return known->violated_from_the_start();
  if (!guess->explains())
    if (auto violated = known->violated_by_a_stale_read()) return std::move(*violated);
  guess = guesses_.better_with_start(std::move(*guess), rules, known->graph());
  if (auto holds = explained_by(guess, rules.two_points)) {
    j_.effort.decided_by = "a greedy execution";
    return holds_at(level, j_.facts, std::move(*holds));
  }
  if (j_.budget.is_spent()) return j_.out_of_budget(kNoExecutionAtOnce);
  return begin(std::move(known), std::move(*guess));
}

Verdict PointLevels::begin(std::unique_ptr<KnownOrder> known, Guess guess) {
  known_ = std::move(known);
  last_order_.clear();
  std::optional<Verdict> verdict;
  if (j_.options.saturation) {
    TxnChains chains = known_->chains();
    if (!j_.thorough && chains.cover.chain_count() * known_->graph().nodes > kFewClocks)
      return Undecided{"it was not found at once"};
    if (auto holds = judge_in_windows(chains.cover.chain_count())) return std::move(*holds);
    known_->prepare(std::move(chains));
  }
  if (known_->can_derive()) verdict = improve(guess);
  if (!verdict) verdict = j_.thorough ? search(std::move(guess)) : search_shortly(guess);
  if (!j_.options.will_learn) known_.reset();
  return std::move(*verdict);
}

Verdict PointLevels::search_shortly(const Guess& guess) {
  auto verdict = ChoiceSearch(j_, *known_, guess).run([&](const WriteOrder& search) {
    return search.solver().conflicts() >= kFewConflicts;
  });
  return verdict ? std::move(*verdict) : Undecided{"it was not found at once"};
}

// Clocks are long when sessions and reads need many chains. Assume that transactions at least two windows
// apart keep their likely order; then the chains are at most as many as the transactions in two windows. An
// execution found so explains the history. A contradiction implies nothing, so the window grows as long as it
// still needs far fewer chains.
std::optional<Holds> PointLevels::judge_in_windows(std::size_t chains) {
  const AssumptionOptions& options = j_.options.assumption;
  const ReadFacts& facts = *j_.facts.repeatable();
  if (!known_->rules().total || j_.has_learnt || !facts.conditional.empty()) return std::nullopt;
  std::optional<Holds> found;
  std::optional<Guess> likely;
  std::unique_ptr<KnownOrder> known = std::move(known_);
  for (std::size_t window = options.first_window; !found && window * options.fewer_chains <= chains &&
                                                  window < known->graph().nodes && !j_.budget.is_spent();
       window *= kMoreEachTime) {
    if (!likely) likely = guesses_.likely(known->rules(), known->graph());
    Assumption assumption = assume_order(known->graph(), facts, *likely, known->points(), window);
    auto cover = chains_along_times(facts, assumption.known, known->points());
    if (!cover || cover->cover.chain_count() * options.fewer_chains > chains) break;
    known_ = std::make_unique<KnownOrder>(*known, std::move(assumption.known));
    known_->prepare(std::move(*cover));
    if (!known_->can_derive()) break;
    auto verdict = improve(assumption.guess);
    if (!verdict)
      verdict = ChoiceSearch(j_, *known_, assumption.guess).run([&](const WriteOrder& search) {
        return search.solver().conflicts() >= options.per_window;
      });
    if (auto* holds = verdict ? std::get_if<Holds>(&*verdict) : nullptr) found = std::move(*holds);
  }
  known_ = std::move(known);
  last_order_.clear();
  if (found) j_.effort.decided_by += ", where what is far apart keeps its order";
  return found;
}

// Saturates a sample of the broken keys, and guesses again with the derived edges. Saturates all keys when
// the sample derives nothing more and many keys are still broken.
std::optional<Verdict> PointLevels::improve(Guess& guess) {
  const std::size_t keys = j_.history.key_count();
  bool everything = false;
  const std::size_t first = kFirstOperations * j_.history.transaction_count() * keys /
                            std::max<std::size_t>(1, j_.history.operation_count());
  for (std::size_t some = std::max<std::size_t>(1, first);; some = std::min(some * kMoreEachTime, keys + 1)) {
    const std::size_t before = known_->graph().edges.size();
    if (auto verdict = known_->derive(some_of(guess.broken, some), guess.order)) return verdict;
    if (known_->graph().edges.size() == before) {
      if (std::exchange(everything, true)) return std::nullopt;
      if (auto verdict = known_->derive_all(guess.order)) return verdict;
      if (known_->graph().edges.size() == before) return std::nullopt;
    }
    auto next = guesses_.greedy(known_->rules(), &known_->graph());
    if (j_.budget.is_spent()) return j_.out_of_budget(kNoExecutionAtOnce);
    ASSAY_ASSERT(next.has_value());
    if (auto holds = explained_by(next, known_->rules().two_points)) {
      j_.effort.decided_by = "saturation";
      last_order_ = std::move(next->order);
      return holds_at(known_->level(), j_.facts, std::move(*holds));
    }
    guess = std::move(*next);
    if (guesses_.is_nearly_right(guess)) return std::nullopt;
  }
}

// Searches, and saturates between searches. If the search moves one transaction far, every key that it passes
// may break, and one key after another would need a choice. So after some choices the search stops, the keys
// of its choices are saturated, and a new search starts with the derived edges. This repeats with more
// choices each time, the last time with all keys saturated. A search that then meets many conflicts is tried
// under assumptions for a while.
Verdict PointLevels::search(Guess guess) {
  const std::size_t operations = j_.history.operation_count();
  const std::size_t most = j_.options.saturate_after.value_or(operations / kOperationsPerChoice);
  std::size_t patience = std::min(most, operations / kOperationsPerFirstChoice + 1);
  bool saturated = !known_->can_derive(), assumed = !known_->rules().total;
  for (;;) {
    ChoiceSearch search(j_, *known_, guess);
    auto verdict = search.run([&](const WriteOrder& first) {
      if (!saturated && first.choice_count() >= patience) return true;
      return saturated && !assumed && ChoiceSearch::is_hard(first, j_.options);
    });
    if (!verdict) verdict = known_->violated_by_crowded_reads();
    if (!verdict && saturated) {
      assumed = true;
      verdict = search.run_assuming();
      if (!verdict) continue;
    }
    if (verdict) {
      if (std::holds_alternative<Holds>(*verdict)) last_order_ = search.order();
      return std::move(*verdict);
    }
    saturated = patience == most;
    patience = std::min(most, patience * kLongerEachTime);
    verdict = saturated ? known_->derive_all(search.order()) : known_->derive(search.keys(), search.order());
    if (verdict) return std::move(*verdict);
    guess = follow_order(j_.history, *j_.facts.repeatable(), known_->rules(),
                         order_near(known_->graph(), search.order()), j_.budget);
  }
}

// Saturates the added reads first. Then starts from the last execution, changed where derived edges require
// it.
Verdict PointLevels::go_on() {
  if (known_->can_derive())
    if (auto verdict = known_->derive({}, last_order_)) return std::move(*verdict);
  Guess guess = follow_order(j_.history, *j_.facts.repeatable(), known_->rules(),
                             order_near(known_->graph(), last_order_), j_.budget);
  if (known_->can_derive() && !guesses_.is_nearly_right(guess))
    if (auto verdict = improve(guess)) return std::move(*verdict);
  return search(std::move(guess));
}

bool PointLevels::learn(const Order& execution, std::span<const NewRead> reads) {
  if (!j_.facts.repeatable()->conditional.empty()) return false;
  if (known_ && last_order_.empty()) known_.reset();
  auto late = learnt_.fitting(j_.facts, known_.get(), reads);
  if (!late) return false;
  const MovedReads moved = j_.facts.add(std::move(*late));
  if (known_) known_->take(moved);
  guesses_.set_start(execution);
  j_.has_learnt = true;
  const ReadFacts& facts = *j_.facts.repeatable();
  return std::ranges::none_of(
      moved.changed, [&](std::uint32_t read) { return facts.candidates_of(facts.open[read]).empty(); });
}

std::vector<std::pair<OpId, bool>> PointLevels::decided_writes(Level level, const PointRules& rules) const {
  CheckEffort effort = j_.effort;
  KnownOrder known(j_, level, rules);
  std::vector<std::pair<OpId, bool>> decided;
  if (const auto order = topological_order(Digraph(known.graph().nodes, known.graph().edges))) {
    known.prepare(known.chains());
    decided = known.decided_writes(*order);
  }
  j_.effort = std::move(effort);
  return decided;
}

}  // namespace assay
