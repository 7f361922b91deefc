#include "synthesis/compare.h"

#include <algorithm>
#include <tuple>

namespace assay::synthesis {

std::string_view word(Relation relation) {
  switch (relation) {
    case Relation::Equivalent: return "equivalent";
    case Relation::Stronger: return "stronger";
    case Relation::Weaker: return "weaker";
    case Relation::Incomparable: return "incomparable";
    case Relation::Undecided: break;
  }
  return "undecided";
}

Result<Comparison> compare(const spec::Specification& first, const spec::Specification& second,
                           const FindOptions& options) {
  Comparison comparison{Relation::Undecided, {}, {}, {}, options.scope.transactions};
  // Both directions size by size, so that a limit ends both after the same size.
  FindOptions one_size = options;
  for (std::size_t size = 1; size <= options.scope.transactions && comparison.why_undecided.empty(); ++size) {
    one_size.least_transactions = one_size.scope.transactions = size;
    for (const bool forward : {true, false}) {
      std::optional<Found>& found = forward ? comparison.only_first : comparison.only_second;
      if (found) continue;
      auto result = find({{forward ? first : second}, {forward ? second : first}}, one_size);
      if (!result) return std::move(result).error();
      if (result->kind == FindResult::Kind::Stopped) {
        comparison.why_undecided = result->why_stopped;
        comparison.finished = size - 1;
      }
      if (!result->found.empty()) found = std::move(result->found[0]);
    }
  }
  const bool a = comparison.only_first.has_value(), b = comparison.only_second.has_value();
  if (a && b) comparison.relation = Relation::Incomparable;
  else if (comparison.why_undecided.empty())
    comparison.relation = a ? Relation::Weaker : b ? Relation::Stronger : Relation::Equivalent;
  return comparison;
}

bool Lattice::is_first_of_its_kind(std::size_t i) const {
  for (std::size_t k = 0; k < i; ++k)
    if (equivalent(i, k)) return false;
  return true;
}

bool Lattice::covers(std::size_t i, std::size_t j) const {
  if (implies[i][j] != true || implies[j][i] == true || !is_first_of_its_kind(i) || !is_first_of_its_kind(j))
    return false;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const bool between =
        implies[i][k] == true && implies[k][j] == true && !equivalent(i, k) && !equivalent(k, j);
    if (between) return false;
  }
  return true;
}

std::vector<std::pair<std::size_t, std::size_t>> Lattice::inclusions_that_matter() const {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < names.size(); ++j) {
      const bool alike = i != j && equivalent(i, j) && (is_first_of_its_kind(i) || is_first_of_its_kind(j));
      if (alike || covers(i, j)) pairs.emplace_back(i, j);
    }
  return pairs;
}

Result<Lattice> lattice(const std::vector<spec::Specification>& levels, const FindOptions& asked) {
  const std::size_t n = levels.size();
  // Each history that is found is judged at every level, so it must say what any of them asks for.
  FindOptions options = asked;
  for (const spec::Specification& level : levels) options.scope.clocks |= level.uses_clocks;
  Lattice result;
  for (const spec::Specification& level : levels) result.names.push_back(level.name);
  result.implies.assign(n, std::vector<std::optional<bool>>(n));
  result.separated_by.assign(n, std::vector<std::optional<std::size_t>>(n));
  result.proved.assign(n, std::vector<std::optional<std::string>>(n));
  result.finished.assign(n, std::vector<std::size_t>(n, options.scope.transactions));
  for (std::size_t i = 0; i < n; ++i) result.implies[i][i] = true;
  std::vector<std::vector<bool>> stopped(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (result.implies[i][j] || stopped[i][j]) continue;
      // i => k => j.
      bool through = false;
      for (std::size_t k = 0; k < n; ++k)
        through |= result.implies[i][k] == true && result.implies[k][j] == true;
      if (through) {
        result.implies[i][j] = true;
        continue;
      }
      const auto found = find({{levels[i]}, {levels[j]}}, options);
      if (!found) return found.error();
      if (found->kind == FindResult::Kind::Stopped) {
        stopped[i][j] = true;
        result.why_undecided = found->why_stopped;
        result.finished[i][j] = found->finished;
        continue;
      }
      result.implies[i][j] = found->found.empty();
      if (found->found.empty()) continue;
      result.separations.push_back({i, j, found->found[0].solution.facts});
      std::vector<ConcreteAnswer::Kind> verdict;
      for (const spec::Specification& level : levels)
        verdict.push_back(allows(level, result.separations.back().facts, options.stop).kind);
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
          if (verdict[a] == ConcreteAnswer::Kind::Allowed && verdict[b] == ConcreteAnswer::Kind::Forbidden) {
            result.implies[a][b] = false;
            std::optional<std::size_t>& shown = result.separated_by[a][b];
            const auto size = [&](std::size_t which) {
              const spec::HistoryFacts& facts = result.separations[which].facts;
              return std::tuple(facts.transactions, facts.reads.size() + facts.writes.size() - facts.objects,
                                facts.objects);
            };
            const std::size_t last = result.separations.size() - 1;
            if (!shown || size(last) < size(*shown)) shown = last;
          }
    }
  return result;
}

}  // namespace assay::synthesis
