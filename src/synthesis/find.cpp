#include "synthesis/find.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "synthesis/drat.h"

namespace assay::synthesis {
namespace {

using spec::HistoryFacts;
using spec::Row;
using spec::Rows;

// Without the objects that nobody but the initial transaction touches.
Solution without_idle_objects(const Solution& solution) {
  std::map<std::uint32_t, std::uint32_t> number;
  for (std::uint32_t x = 0; x < solution.facts.objects; ++x) {
    const auto is_used =
        std::ranges::any_of(solution.facts.reads, [&](const auto& read) { return read.object == x; }) ||
        std::ranges::any_of(solution.facts.writes,
                            [&](const Row& row) { return row[0] != 0 && row[1] == x; });
    if (is_used) number.emplace(x, static_cast<std::uint32_t>(number.size()));
  }
  Solution result = solution;
  result.facts.objects = number.size();
  for (auto& read : result.facts.reads) read.object = number.at(read.object);
  result.facts.writes.clear();
  std::uint32_t most = 0;
  for (const Row& row : solution.facts.writes) {
    if (number.contains(row[1])) result.facts.writes.insert({row[0], number.at(row[1]), row[2]});
    most = std::max(most, row[2]);
  }
  result.facts.values = most + 1;
  for (auto& [label, rows] : result.facts.labels) {
    if (label.sort != spec::Sort::Obj) continue;
    Rows kept;
    for (const Row& row : rows)
      if (number.contains(row[0])) kept.insert({number.at(row[0])});
    rows = std::move(kept);
  }
  for (Solution::Explanation& explanation : result.allowed)
    for (Rows& witness : explanation.witnesses) {
      Rows renamed;
      for (const Row& row : witness) {
        if (row.size() == 2) renamed.insert(row);
        else if (number.contains(row[0])) renamed.insert({number.at(row[0]), row[1], row[2]});
      }
      witness = std::move(renamed);
    }
  return result;
}

// How the history looks under one numbering of its transactions. Objects are sorted by what is done to them;
// a value is told by the first of its writers.
std::vector<std::uint32_t> form(const HistoryFacts& facts, const std::vector<std::uint32_t>& number) {
  std::vector<std::uint32_t> result;
  for (const Row& row : facts.session_order) result.push_back(number[row[0]] * 64 + number[row[1]]);
  std::ranges::sort(result);
  for (const Rows* rows : {&facts.real_time, &facts.ended}) {
    const auto first = static_cast<std::ptrdiff_t>(result.size());
    for (const Row& row : *rows) result.push_back(number[row[0]] * 64 + number[row[1]]);
    std::sort(result.begin() + first, result.end());
    result.push_back(UINT32_MAX);
  }
  for (const auto& [label, rows] : facts.labels) {
    if (label.sort != spec::Sort::Txn) continue;
    const auto first = static_cast<std::ptrdiff_t>(result.size());
    for (const Row& row : rows) result.push_back(number[row[0]]);
    std::sort(result.begin() + first, result.end());
    result.push_back(UINT32_MAX);
  }
  std::vector<std::vector<std::uint32_t>> objects(facts.objects);
  for (std::uint32_t x = 0; x < facts.objects; ++x) {
    std::map<std::uint32_t, std::uint32_t> value;
    for (const Row& row : facts.writes)
      if (row[1] == x) {
        const auto [place, is_new] = value.try_emplace(row[2], number[row[0]]);
        if (!is_new) place->second = std::min(place->second, number[row[0]]);
      }
    for (const Row& row : facts.writes)
      if (row[1] == x) objects[x].push_back((number[row[0]] * 2 + 1) * 64 + value[row[2]]);
    for (const auto& read : facts.reads)
      if (read.object == x) objects[x].push_back(number[read.txn] * 2 * 64 + value[read.value]);
    std::ranges::sort(objects[x]);
    for (const auto& [label, rows] : facts.labels)
      if (label.sort == spec::Sort::Obj) objects[x].push_back(rows.contains(Row{x}) ? 1 : 0);
  }
  std::ranges::sort(objects);
  for (const auto& object : objects) {
    result.push_back(UINT32_MAX);
    result.insert(result.end(), object.begin(), object.end());
  }
  return result;
}

class Finder {
 public:
  Finder(const Problem& problem, const FindOptions& options) : problem_(problem), options_(options) {}

  Result<FindResult> run() {
    result_.finished = options_.least_transactions - 1;
    for (std::size_t size = options_.least_transactions;
         size <= options_.scope.transactions && result_.found.size() < options_.all; ++size) {
      if (options_.stop && !why_) why_ = options_.stop();
      if (why_) return stopped();
      Scope scope = options_.scope;
      scope.transactions = size;
      // Once there is a reason to stop, it stays.
      const Stop stop = [this] { return why_ ? why_ : why_ = options_.stop(); };
      Search search(problem_, scope, options_.search, options_.stop ? stop : Stop());
      if (options_.irreducible)
        for (const Found& found : result_.found) search.exclude_supersets(found.solution.facts);
      const auto answer = options_.irreducible || options_.minimal ? smallest_first(search) : any(search);
      if (!answer) return answer.error();
      count(search.effort());
      if (*answer == Search::Answer::Stopped) return stopped();
      if (options_.proofs && result_.found.empty()) {
        auto drat = prove_unsatisfiable(search.clauses());
        if (!drat || !check_drat(search.clauses(), *drat))
          return error("an answer without a history has no proof that stands", "this is a bug of assay");
        result_.proofs.push_back({size, search.clauses(), search.notes(), std::move(*drat)});
      }
      if (*answer == Search::Answer::None) result_.finished = size;
    }
    result_.kind = result_.found.empty() ? FindResult::Kind::None : FindResult::Kind::Found;
    return std::move(result_);
  }

 private:
  FindResult stopped() {
    result_.kind = FindResult::Kind::Stopped;
    result_.why_stopped = why_.value_or("stopped");
    return std::move(result_);
  }

  Result<Search::Answer> any(Search& search) {
    while (result_.found.size() < options_.all) {
      const Search::Answer answer = search.next();
      if (answer != Search::Answer::Found) return answer;
      ASSAY_TRY(take(search));
    }
    return Search::Answer::Found;
  }

  // All with the fewest operations, objects and values, then those with more. What an irreducible history
  // might contain has fewer operations, or as many and fewer pairs of session order.
  Result<Search::Answer> smallest_first(Search& search) {
    const std::vector<std::vector<Lit>> measures =
        options_.irreducible ? std::vector{search.more_operations_than(), search.more_session_pairs_than()}
                             : std::vector{search.more_operations_than(), search.more_objects_than(),
                                           search.more_values_than(), search.more_real_time_pairs_than(),
                                           search.more_labels_than()};
    while (result_.found.size() < options_.all) {
      std::vector<Lit> bounds;
      for (const auto& more_than : measures) {
        Search::Answer answer = search.next(bounds);
        if (answer != Search::Answer::Found) return answer;
        while (true) {
          const auto least = std::ranges::find_if(more_than, [&](Lit lit) { return !search.value(lit); });
          if (least == more_than.end() || least == more_than.begin()) break;
          const Lit bound = !*(least - 1);
          bounds.push_back(bound);
          answer = search.next(bounds);
          if (answer == Search::Answer::Stopped) return answer;
          if (answer == Search::Answer::Found) continue;
          bounds.back() = !*least;
          break;
        }
      }
      if (const Search::Answer last = search.next(bounds); last != Search::Answer::Found) return last;
      ASSAY_TRY(take(search));
    }
    return Search::Answer::Found;
  }

  Result<void> take(Search& search) {
    Solution whole = search.solution();
    cut_to_domains(problem_, whole);
    Solution solution = without_idle_objects(whole);
    if (options_.irreducible) search.exclude_supersets(solution.facts);
    else search.exclude_last();
    if (options_.all > 1 && !options_.irreducible && !seen_.insert(canonical_form(solution.facts)).second)
      return {};
    auto refutations = confirm(problem_, solution);
    if (!refutations) {
      // A specification may ask for objects that nobody touches.
      solution = whole;
      refutations = confirm(problem_, solution);
      if (!refutations) return std::move(refutations).error();
    }
    result_.found.push_back({std::move(solution), std::move(refutations).value()});
    return {};
  }

  void count(const Effort& effort) {
    result_.effort.candidates += effort.candidates;
    result_.effort.instances += effort.instances;
    result_.effort.shortcuts += effort.shortcuts;
    result_.effort.gates = std::max(result_.effort.gates, effort.gates);
    result_.effort.clauses = std::max(result_.effort.clauses, effort.clauses);
  }

  const Problem& problem_;
  const FindOptions& options_;
  FindResult result_;
  std::optional<std::string> why_;
  std::set<std::vector<std::uint32_t>> seen_;
};

}  // namespace

std::vector<std::uint32_t> canonical_form(const HistoryFacts& facts) {
  std::vector<std::uint32_t> number(facts.transactions);
  std::iota(number.begin(), number.end(), 0u);
  std::vector<std::uint32_t> least = form(facts, number);
  while (std::next_permutation(number.begin() + 1, number.end()))
    least = std::min(least, form(facts, number));
  return least;
}

Result<FindResult> find(const Problem& problem, const FindOptions& options) {
  return Finder(problem, options).run();
}

}  // namespace assay::synthesis
