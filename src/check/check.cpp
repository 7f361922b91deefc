#include "check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/contract.h"
#include "check/core.h"
#include "check/refutation.h"
#include "check/weak_search.h"
#include "dependency/guess.h"
#include "isolation/real_time.h"
#include "saturation/weak_levels.h"
#include "verdict/operation_place.h"

namespace assay {
namespace {

// A choice costs the search about as much as this many operations cost saturation. So the search goes first,
// and is given up when it has cost as much as saturation will: at worst both together cost twice the better
// (docs/performance.md). Before that it is interrupted a few times, to look at the keys that it has met.
constexpr std::size_t kOperationsPerChoice = 160;
constexpr std::size_t kOperationsPerFirstChoice = 16'000;
constexpr std::size_t kLongerEachTime = 4;

// Guessing again costs about as much as the search for one broken key among this many operations.
constexpr std::size_t kOperationsPerBrokenKey = 10'000;
// Broken keys that are looked at first: those with about so many operations for each transaction; then so
// many times as many.
constexpr std::size_t kFirstOperations = 5;
constexpr std::size_t kMoreEachTime = 4;

bool is_weak(Level level) { return level == Level::Rc || level == Level::Ra || level == Level::Cc; }
bool has_two_points(Level level) {
  const auto rules = point_rules(level);
  return rules && rules->two_points;
}

ProofBuilder proof_builder(const History& history, Level level, const ReadFacts& facts) {
  const auto find = [&facts](OpId op) {
    const auto found = std::ranges::lower_bound(facts.reads, op, {}, &ReadFact::op);
    return found != facts.reads.end() && found->op == op ? &*found : nullptr;
  };
  const auto find_open = [&facts](OpId op) {
    return *std::ranges::lower_bound(facts.open, op, {}, &OpenRead::op);
  };
  return ProofBuilder(
      has_two_points(level), [find](OpId op) { return find(op)->writer; },
      [&history](OpId op) { return transaction_of(history, op); },
      [=, &facts](OpId op) {
        std::vector<TxnId> writers;
        if (find(op) != nullptr) return std::vector{find(op)->writer};
        for (const VersionId v : facts.candidates_of(find_open(op))) writers.push_back(facts.writer(v));
        return writers;
      },
      [&facts](TxnId t) { return facts.counts[t.index()]; },
      [&history, &facts](TxnId t, OpId op) {
        if (facts.conditional.empty()) return OpId::none();
        const auto writes = facts.conditional_by(t);
        const auto found = std::ranges::find(writes, history.key(op), &ConditionalWrite::key);
        return found == writes.end() ? OpId::none() : found->op;
      });
}

// The same order where every transaction has one point, or two.
Order with_points(const Order& order, bool two_points) {
  const bool has_two = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
  if (has_two == two_points) return order;
  Order result;
  for (const Point& p : order) {
    if (!p.commit) continue;
    if (two_points) result.push_back({p.txn, false});
    result.push_back(p);
  }
  return result;
}

// At rc every external read of a key stands for itself; elsewhere the first one, which saw the same, stands
// for all. Not where it shows an order: a later one shows own elements too.
void name_first_reads(Proof& proof, const ReadFacts& at_rc, const ReadFacts& facts) {
  for (ProofLine& line : proof) {
    if (line.op.is_none() || line.kind == ProofLine::Kind::Observed) continue;
    const auto read = std::ranges::lower_bound(at_rc.reads, line.op, {}, &ReadFact::op);
    if (read == at_rc.reads.end() || read->op != line.op) continue;
    for (const ReadFact& first : facts.of(read->reader))
      if (first.key == read->key) line.op = first.op;
  }
}

// Of the broken keys. Where a reader, its writer and the one between them meet in several keys, so do others,
// and some keys say what all do; and what these say is best known before the next are looked at.
std::vector<KeyId> some_of(std::span<const KeyId> broken, std::size_t most) {
  const std::size_t step = std::max<std::size_t>(1, broken.size() / most);
  std::vector<KeyId> some;
  for (std::size_t i = 0; i < broken.size(); i += step) some.push_back(broken[i]);
  return some;
}

constexpr std::string_view kNoExecutionAtOnce =
    "all reads are of committed values, and an execution that explains them was not found at once";

Undecided out_of(const Budget& budget, std::string_view how_far) {
  return {fmt::format("{}; {}", budget.why(), how_far)};
}

}  // namespace

Checker::Checker(const History& history, CheckOptions options)
    : h_(history), options_(std::move(options)), budget_(*options_.budget) {
  if (!options_.start.empty()) rank_by_start();
}

void Checker::rank_by_start() {
  rank_.assign(h_.transaction_count(), UINT32_MAX);
  std::uint32_t next = 0;
  for (const Point& p : options_.start)
    if (p.commit) rank_[p.txn.index()] = next++;
  for (std::uint32_t& rank : rank_)
    if (rank == UINT32_MAX) rank = next++;
}

Result<void> Checker::can_judge(Level level) const {
  if (!row(level).needs_instants) return {};
  ASSAY_TRY(require_instants(h_));
  return row(level).session_order ? require_sessions_in_time(h_, options_.skew) : Result<void>{};
}

PointRules Checker::rules_of(Level level) const {
  PointRules rules = point_rules(level).value_or(PointRules{});
  rules.real_time.skew = options_.skew;
  return rules;
}

Result<Verdict> Checker::judge(Level level) {
  ASSAY_TRY(can_judge(level));
  effort_ = {};
  // Each call has time of its own.
  std::erase_if(judged_, [](const Judged& j) { return std::holds_alternative<Undecided>(j.verdict); });
  auto verdict = judge_possible(level);
  if (!verdict && verdict.error().is_limit)
    return Verdict(out_of(budget_, "the reads had not been looked at"));
  return verdict;
}

Result<Verdict> Checker::judge_possible(Level level) {
  if (level != Level::Rc) ASSAY_TRY(find_facts(true));
  if (level == Level::Rc && facts_ && (!facts_->open.empty() || facts_->has_sets))
    ASSAY_TRY(find_facts(false));  // implied() names its reads
  auto verdict = implied(level);
  if (verdict) {
    effort_.decided_by = "another level";
  } else {
    auto computed = compute(level);
    if (!computed) return std::move(computed).error();
    verdict = std::move(computed).value();
    if (auto without = violated_without_clocks(level, *verdict)) verdict = std::move(without);
  }
  judged_.push_back({level, *verdict});
  return std::move(*verdict);
}

// What is violated without clocks too is told without them.
std::optional<Verdict> Checker::violated_without_clocks(Level level, const Verdict& verdict) {
  const auto* fell = std::get_if<Violated>(&verdict);
  if (!fell || !uses_real_time(fell->proof) || !facts_->open.empty()) return std::nullopt;
  const auto* weaker = std::get_if<Violated>(&remembered(without_real_time(level)));
  if (!weaker) return std::nullopt;
  return violated(level, adapt(weaker->proof, proof_builder(h_, level, *facts_)));
}

std::optional<Verdict> Checker::implied(Level level) const {
  for (const Judged& j : judged_) {
    if (j.level == level) return j.verdict;
    if (const auto* holds = std::get_if<Holds>(&j.verdict); holds && implies(j.level, level))
      return for_level(level, *holds, point_rules(j.level) && point_rules(j.level)->total);
    if (const auto* fell = std::get_if<Violated>(&j.verdict); fell && implies(level, j.level)) {
      if (!facts_ || !facts_->wrong.empty()) continue;  // quicker to judge
      if (!facts_->open.empty())
        continue;  // whom a read is from is a matter of cases, which another level parts otherwise
      if (facts_->has_sets && j.level == Level::Rc) continue;  // so it may have been there, and is not here
      Proof proof = fell->proof;
      if (j.level == Level::Rc) name_first_reads(proof, *facts_rc_, *facts_);
      return violated(level, adapt(proof, proof_builder(h_, level, *facts_)));
    }
  }
  return std::nullopt;
}

Result<void> Checker::find_facts(bool repeatable) {
  auto& facts = repeatable ? facts_ : facts_rc_;
  if (facts) return {};
  auto found = read_facts(h_, repeatable, budget_);
  if (!found) return std::move(found).error();
  facts = std::move(found).value();
  return {};
}

Result<Verdict> Checker::compute(Level level) {
  if (budget_.is_spent()) return Verdict(out_of(budget_, "the reads had not been looked at"));
  ASSAY_TRY(find_facts(level != Level::Rc));
  if (level == Level::Rc && !facts_rc_->open.empty()) ASSAY_TRY(find_facts(true));
  const ReadFacts& facts = level == Level::Rc ? *facts_rc_ : *facts_;
  if (!facts.wrong.empty()) {
    effort_.decided_by = "a read that nothing explains";
    const WrongRead& wrong = facts.wrong.front();
    ProofBuilder proof = proof_builder(h_, level, facts);
    if (wrong.against.is_none()) proof.wrong_read(wrong.op);
    else
      proof.refute({proof.observed(wrong.against, wrong.first, wrong.other),
                    proof.observed(wrong.op, wrong.other, wrong.first)});
    return Verdict(Violated{wrong.anomaly, false, proof.take()});
  }
  if (budget_.is_spent())
    return Verdict(out_of(budget_, "all reads are of committed values, nothing was ordered yet"));
  const bool at_once = (level == Level::Rc || level == Level::Ra) && facts.open.empty();
  return at_once ? judge_weak(level) : judge_points(level);
}

Verdict Checker::judge_weak(Level level) {
  effort_.decided_by = "saturation";
  const ReadFacts& facts = level == Level::Rc ? *facts_rc_ : *facts_;
  if (!facts.open.empty()) return search_weak(level, facts);
  Verdict verdict = judge_weak_level(h_, facts, level, proof_builder(h_, level, facts), budget_);
  auto* fell = std::get_if<Violated>(&verdict);
  return fell && options_.name_anomalies ? violated(level, std::move(fell->proof)) : verdict;
}

// An order of points that explains the reads chooses writers well enough for any weak level.
Verdict Checker::search_weak(Level level, const ReadFacts& facts) {
  if (facts_ && facts_->wrong.empty())
    if (const auto* holds = std::get_if<Holds>(&remembered(Level::Pc))) return for_level(level, *holds);
  effort_.decided_by = "search";
  WeakSearch result = search_weak_level(
      h_, facts, level, [this, level](const ReadFacts& f) { return proof_builder(h_, level, f); }, budget_);
  effort_.choices = result.choices;
  effort_.decisions = result.decisions;
  effort_.conflicts = result.conflicts;
  if (!result.verdict)
    return out_of(budget_,
                  fmt::format("the search for the writers of reads had met {} conflicts", effort_.conflicts));
  if (auto* fell = std::get_if<Violated>(&*result.verdict)) {
    Violated named = violated(level, std::move(fell->proof));
    if (!options_.name_anomalies) named.anomaly = fell->anomaly;
    return named;
  }
  return std::move(*result.verdict);
}

Verdict Checker::judge_points(Level level) {
  if (level == Level::Rc && (!facts_ || !facts_->wrong.empty())) return judge_weak(level);
  const ReadFacts& facts = *facts_;
  const PointRules rules = rules_of(level);
  if (auto verdict = judge_stronger_first(level)) {
    effort_.decided_by = "a stronger level";
    return std::move(*verdict);
  }
  if (progress_ && progress_->level == level && has_learnt_) return go_on(*progress_);
  if (rules.real_time.any()) return judge_in_time(level, rules);
  // A serial execution explains every level, and one that follows the sessions is the best start without them
  // too.
  auto guess = this->guess(PointRules{});
  if (!guess && !rules.session_order) guess = this->guess(PointRules{.session_order = false});
  if (guess && guess->explains() && options_.greedy) {
    effort_.decided_by = "a serial execution";
    return for_level(level, {points_of(guess->order, false)});
  }
  if (budget_.is_spent())
    return out_of(
        budget_,
        "all reads are of committed values, and a serial execution that explains them was not found at once");
  if (is_weak(level)) return judge_weak(level);

  if (rules.two_points) {
    PointRules with_sessions = rules;
    with_sessions.session_order = true;
    guess = this->guess(with_sessions);
  }
  if (!guess) guess = this->guess(rules);
  if (guess && guess->explains() && options_.greedy) {
    effort_.decided_by = "a greedy execution";
    return for_level(level, {points_of(guess->order, rules.two_points)});
  }
  if (budget_.is_spent()) return out_of(budget_, kNoExecutionAtOnce);
  KnownGraph known = known_graph(h_, facts, rules);
  begin_with_start(rules, known, guess);
  return guess ? begin_search(level, rules, std::move(known), std::move(*guess)) : known_cycle(level, rules);
}

std::optional<Guess> Checker::guess(const PointRules& rules, const KnownGraph* known) const {
  return guess_order(h_, *facts_, rules, known, rank_, budget_);
}

// Changes the guess to the given start if that explains more.
void Checker::begin_with_start(const PointRules& rules, const KnownGraph& known,
                               std::optional<Guess>& guess) const {
  if (options_.start.empty() || !guess) return;
  const Points points(h_.transaction_count(), rules.two_points);
  std::vector<std::uint32_t> nodes;
  std::vector<bool> has_place(known.nodes);
  for (const Point& p : with_points(options_.start, rules.two_points)) {
    nodes.push_back(p.commit ? points.commit(p.txn) : points.snapshot(p.txn));
    has_place[nodes.back()] = true;
  }
  for (std::uint32_t node = 0; node < known.nodes; ++node)
    if (!has_place[node]) nodes.push_back(node);
  auto order = topological_order(Digraph(known.nodes, known.edges), nodes);
  ASSAY_ASSERT(order.has_value());  // or there would be no guess
  Guess start = follow_order(h_, *facts_, rules, std::move(*order), budget_);
  if (start.broken.size() < guess->broken.size()) guess = std::move(start);
}

// The guess keeps real time too, so it cannot be that of another level.
Verdict Checker::judge_in_time(Level level, const PointRules& rules) {
  KnownGraph known = known_graph(h_, *facts_, rules);
  auto guess = this->guess(rules, &known);
  if (budget_.is_spent()) return out_of(budget_, kNoExecutionAtOnce);
  if (!guess) return known_cycle(level, rules);
  begin_with_start(rules, known, guess);
  if (guess->explains() && options_.greedy) {
    effort_.decided_by = "a greedy execution";
    return for_level(level, {points_of(guess->order, rules.two_points)});
  }
  if (budget_.is_spent()) return out_of(budget_, kNoExecutionAtOnce);
  return begin_search(level, rules, std::move(known), std::move(*guess));
}

Verdict Checker::known_cycle(Level level, const PointRules& rules) {
  effort_.decided_by = "what is known from the start";
  const KnownGraph known = known_graph(h_, *facts_, rules, true);
  const auto cycle = find_cycle(Digraph(known.nodes, known.edges));
  DerivedFacts derived(h_, *facts_, rules, known, 0);
  return violated(level, refute_known(derived, cycle, proof_builder(h_, level, *facts_)));
}

// Looks at what the guess breaks, and guesses again with what follows from that; at everything when nothing
// more does and much is still broken.
std::optional<Verdict> Checker::improve(Progress& progress, Guess& guess) {
  const PointRules& rules = progress.rules;
  KnownGraph& known = progress.known;
  bool everything = false;
  const std::size_t first = kFirstOperations * h_.transaction_count() * h_.key_count() /
                            std::max<std::size_t>(1, h_.operation_count());
  for (std::size_t some = std::max<std::size_t>(1, first);;
       some = std::min(some * kMoreEachTime, h_.key_count() + 1)) {
    const std::size_t learnt = known.edges.size();
    if (auto verdict = saturate(progress, some_of(guess.broken, some), guess.order)) return verdict;
    if (known.edges.size() == learnt) {
      if (std::exchange(everything, true)) return std::nullopt;
      const std::vector<KeyId> all(h_.keys().begin(), h_.keys().end());
      if (auto verdict = saturate(progress, all, guess.order)) return verdict;
      if (known.edges.size() == learnt) return std::nullopt;
    }
    auto next = this->guess(rules, &known);
    if (budget_.is_spent()) return out_of(budget_, kNoExecutionAtOnce);
    ASSAY_ASSERT(next.has_value());
    guess = std::move(*next);
    if (guess.explains() && options_.greedy) {
      effort_.decided_by = "saturation";
      progress.order = guess.order;
      return for_level(progress.level, {points_of(guess.order, rules.two_points)});
    }
    if (is_nearly_right(guess)) return std::nullopt;
  }
}

bool Checker::is_nearly_right(const Guess& guess) const {
  return guess.broken.size() * kOperationsPerBrokenKey < h_.operation_count();
}

Verdict Checker::begin_search(Level level, const PointRules& rules, KnownGraph known, Guess guess) {
  if (!versions_) versions_.emplace(*facts_, h_.key_count());
  progress_ = std::make_unique<Progress>(level, rules, std::move(known));
  Progress& progress = *progress_;
  if (options_.saturation) add_saturator(progress);
  auto verdict = progress.saturator ? improve(progress, guess) : std::nullopt;
  if (!verdict) verdict = search(progress, std::move(guess));
  if (!options_.will_learn) progress_.reset();
  return std::move(*verdict);
}

// With reads that were added: what follows from them, and then the last execution, as far as it agrees with
// that.
Verdict Checker::go_on(Progress& progress) {
  if (progress.saturator)
    if (auto verdict = saturate(progress, {}, progress.order)) return std::move(*verdict);
  auto order = topological_order(Digraph(progress.known.nodes, progress.known.edges), progress.order);
  ASSAY_ASSERT(order.has_value());
  Guess guess = follow_order(h_, *facts_, progress.rules, std::move(*order), budget_);
  if (progress.saturator && !is_nearly_right(guess))
    if (auto verdict = improve(progress, guess)) return std::move(*verdict);
  return search(progress, std::move(guess));
}

// The search. After some choices it is stopped, and begins again with what follows without choosing from the
// keys that these are about: where one transaction moves far, what it passes breaks next, and one key after
// another would become a choice. Then after more of them; at last with all that follows. When it has met many
// conflicts, some more is assumed for a while.
Verdict Checker::search(Progress& progress, Guess guess) {
  const ReadFacts& facts = *facts_;
  const PointRules& rules = progress.rules;
  KnownGraph& known = progress.known;
  const Points points(h_.transaction_count(), rules.two_points);
  const std::size_t most = options_.saturate_after.value_or(h_.operation_count() / kOperationsPerChoice);
  std::size_t patience = std::min(most, h_.operation_count() / kOperationsPerFirstChoice + 1);
  bool saturated = !progress.saturator, assumed = !rules.total;
  for (;;) {
    effort_.decided_by = "search";
    Portfolio portfolio(options_.portfolio, budget_, [&](const SolverSettings& settings) {
      auto search = std::make_unique<WriteOrder>(h_, facts, *versions_, rules, known, guess, settings);
      if (!options_.lazy_choices) search->make_all_choices();
      return search;
    });
    const Answer answer = portfolio.solve([&](const WriteOrder& first) {
      if (!saturated && first.choice_count() >= patience) return true;
      return saturated && !assumed && first.solver().conflicts() >= options_.assumption.after;
    });
    const WriteOrder& search = portfolio.decisive();
    effort_.searcher = portfolio.decisive_name();
    effort_.choices += search.choice_count();
    effort_.decisions += search.solver().decisions();
    effort_.conflicts += search.solver().conflicts();
    if (answer == Answer::Satisfiable) return execution(search, progress);
    if (answer == Answer::Unsatisfiable) {
      if (has_learnt_) return violated_late();
      DerivedFacts derived(h_, facts, rules, known, known.edges.size());
      return violated(progress.level, refute_search(h_, facts, search, points, derived,
                                                    proof_builder(h_, progress.level, facts)));
    }
    if (budget_.is_spent())
      return out_of(budget_, fmt::format("the search had made {} choices and met {} conflicts",
                                         effort_.choices, effort_.conflicts));
    if (saturated) {
      if (auto holds = assume(progress, guess)) return std::move(*holds);
      assumed = true;
      continue;
    }
    saturated = patience == most;
    patience = std::min(most, patience * kLongerEachTime);
    const std::vector<KeyId> keys =
        saturated ? std::vector<KeyId>(h_.keys().begin(), h_.keys().end()) : search.keys_of_choices();
    if (auto verdict = saturate(progress, keys, search.order())) return std::move(*verdict);
    guess = follow_order(h_, facts, rules,
                         *topological_order(Digraph(known.nodes, known.edges), search.order()), budget_);
  }
}

// Searches with more facts than there are; only what explains the history counts.
std::optional<Holds> Checker::assume(Progress& progress, const Guess& guess) {
  const KnownGraph& known = progress.known;
  const Points points(h_.transaction_count(), progress.rules.two_points);
  for (std::size_t window = options_.assumption.first_window; window < known.nodes && !budget_.is_spent();
       window *= 2) {
    Assumption assumption = assume_order(known, guess, points, window);
    WriteOrder search(h_, *facts_, *versions_, progress.rules, assumption.known, std::move(assumption.guess));
    const Answer answer = search.solve(
        [&] { return search.solver().conflicts() >= options_.assumption.per_window || budget_.is_spent(); });
    effort_.choices += search.choice_count();
    effort_.decisions += search.solver().decisions();
    effort_.conflicts += search.solver().conflicts();
    if (answer != Answer::Satisfiable) continue;
    effort_.decided_by = "search, where what is far apart keeps its order";
    return execution(search, progress);
  }
  return std::nullopt;
}

// Unless there are too many chains.
void Checker::add_saturator(Progress& progress) {
  TxnChains chains = transaction_chains(h_, *facts_, progress.rules.session_order);
  effort_.chains = chains.how;
  if (Saturator::fits(chains, progress.known, budget_))
    progress.saturator.emplace(h_, *facts_, *versions_, progress.rules, progress.known, std::move(chains),
                               budget_);
  else effort_.chains += ", too many for clocks";
}

std::optional<Verdict> Checker::saturate(Progress& progress, std::span<const KeyId> keys,
                                         std::span<const std::uint32_t> order) {
  const PointRules& rules = progress.rules;
  const Level level = progress.level;
  const Saturation result = progress.saturator->look_at(keys, order);
  effort_.rounds = progress.saturator->rounds();
  effort_.derived = progress.known.edges.size() - progress.known.given;
  if (result.end == Saturation::End::Fixpoint) return std::nullopt;
  if (result.end == Saturation::End::Stopped)
    return out_of(budget_, "nothing contradictory had followed from the reads yet");
  effort_.decided_by = "saturation";
  if (has_learnt_) return violated_late();
  const Points points(h_.transaction_count(), rules.two_points);
  DerivedFacts derived(h_, *facts_, rules, progress.known, result.justified);
  ProofBuilder proof = proof_builder(h_, level, *facts_);
  if (result.end == Saturation::End::Cycle)
    return violated(level, refute_known(derived, result.cycle, std::move(proof)));
  if (result.end == Saturation::End::NoWriter)
    return violated(level, refute_writers(derived, facts_->open[result.read], std::move(proof)));
  return violated(
      level, refute_stale(derived, facts_->reads[result.read], result.overwriting, points, std::move(proof)));
}

std::vector<std::pair<OpId, bool>> Checker::decided_writes(Level level) {
  std::vector<std::pair<OpId, bool>> decided;
  if (!find_facts(true) || !facts_->wrong.empty() || facts_->conditional.empty()) return decided;
  const PointRules rules = rules_of(level);
  KnownGraph known = known_graph(h_, *facts_, rules);
  const auto order = topological_order(Digraph(known.nodes, known.edges));
  if (!order) return decided;
  TxnChains chains = transaction_chains(h_, *facts_, rules.session_order);
  if (!Saturator::fits(chains, known, budget_)) return decided;
  if (!versions_) versions_.emplace(*facts_, h_.key_count());
  Saturator saturator(h_, *facts_, *versions_, rules, known, std::move(chains), budget_);
  const std::vector<KeyId> keys(h_.keys().begin(), h_.keys().end());
  const Saturation result = saturator.look_at(keys, *order);
  if (result.end != Saturation::End::Fixpoint) return decided;
  saturator.decide_conditional_writes();
  for (const ConditionalWrite& write : facts_->conditional)
    if (const auto how = known.decided[facts_->place(write)]; how != KnownGraph::Decided::Open)
      decided.emplace_back(write.op, how == KnownGraph::Decided::Took);
  return decided;
}

Verdict Checker::violated_late() const {
  return Undecided{"reads that were added are not part of the history; nothing explains all reads"};
}

bool Checker::learn(const Order& execution, std::span<const NewRead> reads) {
  ASSAY_REQUIRE(facts_.has_value());
  if (!facts_->conditional.empty()) return false;
  if (!versions_) versions_.emplace(*facts_, h_.key_count());
  if (version_values_.empty()) version_values_ = version_values(h_, *facts_);
  if (progress_ && progress_->order.empty()) progress_.reset();
  auto late = late_reads(reads);
  if (!late) return false;
  const MovedReads moved = add_late_reads(*facts_, std::move(*late));
  versions_->index_open_reads(*facts_);
  if (progress_ && progress_->saturator) progress_->saturator->take(moved);
  std::erase_if(judged_, [](const Judged& j) { return std::holds_alternative<Holds>(j.verdict); });
  options_.start = execution;
  rank_by_start();
  has_learnt_ = true;
  return std::ranges::none_of(
      moved.changed, [&](std::uint32_t read) { return facts_->candidates_of(facts_->open[read]).empty(); });
}

// Nothing where there is no version that fits. Versions of transactions that need not count are left out:
// what is found without them is found, and what is not is judged once more from the start.
std::optional<std::vector<LateRead>> Checker::late_reads(std::span<const NewRead> reads) {
  std::vector<LateRead> late;
  for (const NewRead& read : reads) {
    const auto facts = facts_->of(read.reader);
    if (std::ranges::find(facts, read.key, &ReadFact::key) != facts.end()) return std::nullopt;
    LateRead added{read.reader, read.key, {}};
    if (progress_ && progress_->saturator) {
      added.candidates = progress_->saturator->possible_versions(read.key, read.reader);
    } else {
      const auto versions = versions_->of(read.key);
      added.candidates.assign(versions.begin(), versions.end());
      added.candidates.push_back(facts_->initial_version(read.key));
    }
    std::erase_if(added.candidates, [&](VersionId v) {
      const KeyValueId value =
          facts_->is_initial(v) ? h_.initial_value(read.key) : version_values_[v.index()];
      return facts_->writer(v) == read.reader || value.is_none() || !read.fits(value);
    });
    if (added.candidates.empty()) return std::nullopt;
    late.push_back(std::move(added));
  }
  return late;
}

// The verdict of a level that was judged before or is judged now.
const Verdict& Checker::remembered(Level level) {
  const auto known = std::ranges::find(judged_, level, &Judged::level);
  if (known != judged_.end()) return known->verdict;
  judged_.push_back({level, judge_points(level)});
  return judged_.back().verdict;
}

// Some levels are judged by a stronger one first: what that allows is allowed. Without session order, so is
// forbidden what it forbids for a reason that has nothing to do with sessions.
std::optional<Verdict> Checker::judge_stronger_first(Level level) {
  if (level == Level::Psi) {
    const Verdict& si = remembered(Level::Si);
    if (const auto* holds = std::get_if<Holds>(&si)) return for_level(level, *holds);
  } else if (!row(level).session_order) {
    const Level with_sessions = level == Level::PlainSer ? Level::Ser
                                : level == Level::Gsi    ? Level::SessionSi
                                                         : Level::Si;
    if (!can_judge(with_sessions)) return std::nullopt;
    const Verdict& stronger = remembered(with_sessions);
    const auto* fell = std::get_if<Violated>(&stronger);
    if (!fell) return stronger;
    if (!uses_session_order(fell->proof))
      return violated(level, fell->proof);  // which may have a name of its own here
  }
  return std::nullopt;
}

// The same execution for another level that it explains. Where the order does not say whom a read is from,
// what an execution with a total order showed it does.
Holds Checker::for_level(Level level, Holds execution, bool is_total) const {
  const ReadFacts& facts = level == Level::Rc && facts_rc_ ? *facts_rc_ : *facts_;
  const bool needs_writers = is_weak(level) || level == Level::Psi;
  if (needs_writers && is_total && execution.from.empty() && !facts.open.empty())
    execution.from = seen_in(execution.order, facts);
  else if (level == Level::Rc && facts_ && facts_rc_) execution.from = of_every_read(execution.from);
  if (!needs_writers) execution.from.clear();
  execution.order = with_points(execution.order, has_two_points(level));
  return execution;
}

// At rc each read of a key stands for itself; all of a transaction saw what its first one did.
std::vector<Source> Checker::of_every_read(const std::vector<Source>& of_first_reads) const {
  std::map<std::pair<TxnId, KeyId>, TxnId> writer;
  for (const Source& source : of_first_reads)
    writer[{transaction_of(h_, source.read), h_.key(source.read)}] = source.writer;
  std::vector<Source> all;
  for (const OpenRead& read : facts_rc_->open) {
    if (h_.is_list(read.key)) continue;
    if (const auto found = writer.find({read.reader, read.key}); found != writer.end()) {
      all.push_back({read.op, found->second});
    } else if (const auto facts = facts_->of(read.reader); !facts.empty()) {
      const auto known = std::ranges::find(facts, read.key, &ReadFact::key);
      if (known != facts.end()) all.push_back({read.op, known->writer});
    }
  }
  return all;
}

std::vector<Source> Checker::seen_in(const Order& order, const ReadFacts& facts) const {
  const bool two = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
  std::vector<TxnId> current(h_.key_count());
  std::vector<Source> seen;
  for (const Point& point : order) {
    if (!two || !point.commit)
      for (const OpenRead& read : facts.open_of(point.txn))
        if (!h_.is_list(read.key)) seen.push_back({read.op, current[read.key.index()]});
    if (point.commit)
      for (const KeyId key : facts.written_by(point.txn)) current[key.index()] = point.txn;
  }
  return seen;
}

// What the search found. psi's order does not say whom a read is from.
Holds Checker::execution(const WriteOrder& search, Progress& progress) const {
  const PointRules& rules = progress.rules;
  progress.order.clear();
  for (const std::uint32_t node : search.order())
    if (node < progress.known.nodes) progress.order.push_back(node);  // and none that an assumption added
  const Points points(h_.transaction_count(), rules.two_points);
  Holds found;
  for (const std::uint32_t node : search.order())
    if (points.is_point(node) && search.counts(points.txn(node)))
      found.order.push_back({points.txn(node), points.is_commit(node)});
  if (!rules.total)
    for (const OpenRead& read : facts_->open)
      if (search.counts(read.reader) && !h_.is_list(read.key))
        found.from.push_back({read.op, facts_->writer(search.chosen(facts_->place(read)))});
  return found;
}

Order Checker::points_of(const std::vector<std::uint32_t>& order, bool two_points) const {
  const Points points(h_.transaction_count(), two_points);
  Order result;
  for (const std::uint32_t node : order)
    if (points.is_point(node) && facts_->counts[points.txn(node).index()])
      result.push_back({points.txn(node), points.is_commit(node)});
  return result;
}

// The name is that of the proof: one for a stronger level may do with less.
Violated Checker::violated(Level level, Proof proof) const {
  if (!options_.name_anomalies) return {Anomaly::WriteSkew, uses_session_order(proof), std::move(proof)};
  const bool is_told =
      facts(level).conditional.empty();  // otherwise it will be, and named, with what they did supposed
  const Name found = is_told ? name(level, proof) : name_of_level(level, proof);
  return {found.anomaly, found.needs_session_order, std::move(proof), found.needs_real_time};
}

const ReadFacts& Checker::facts(Level level) const {
  const auto& facts = level == Level::Rc ? facts_rc_ : facts_;
  ASSAY_REQUIRE(facts.has_value());  // it has been judged
  return *facts;
}

Name Checker::name(Level level, const Proof& proof) const {
  const Name found = name_anomaly(h_, facts(level), level, proof,
                                  {.name_anomalies = false, .skew = options_.skew, .budget = &budget_});
  return budget_.is_spent() ? name_of_level(level, proof) : found;
}

Selection Checker::core(Level level, const Proof& proof) const {
  return assay::core(h_, facts(level), proof);
}

}  // namespace assay
