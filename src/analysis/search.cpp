#include "analysis/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "analysis/witness.h"

namespace assay::analysis {

std::vector<Answer> possible_edges(std::size_t programs, Queries& queries) {
  std::vector<Tuple> pairs;
  for (std::size_t p = 0; p < programs; ++p)
    for (std::size_t q = 0; q < programs; ++q) pairs.push_back({p, q});
  return queries.ask_all("pairs", pairs, [](Encoding& e) { e.require(e.depends(0, 1)); });
}

std::vector<Tuple> paths_of(std::size_t programs, const std::vector<Answer>& possible, std::size_t length) {
  std::vector<Tuple> paths(1);
  for (std::size_t step = 0; step < length; ++step) {
    std::vector<Tuple> longer;
    for (const Tuple& path : paths)
      for (std::size_t p = 0; p < programs; ++p) {
        if (!path.empty() && possible[path.back() * programs + p] == Answer::Impossible) continue;
        longer.push_back(path);
        longer.back().push_back(p);
      }
    paths = std::move(longer);
  }
  return paths;
}

std::vector<Tuple> cycles_of(const Facts& facts, const std::vector<Answer>& possible, std::size_t length) {
  const std::size_t programs = facts.programs().size();
  std::vector<Tuple> cycles = paths_of(programs, possible, length);
  std::erase_if(cycles, [&](const Tuple& cycle) {
    if (possible[cycle.back() * programs + cycle.front()] == Answer::Impossible) return true;
    if (facts.levels().exclude_cycles(cycle)) return true;
    Tuple turned = cycle;
    for (std::size_t i = 1; i < length; ++i) {
      std::rotate(turned.begin(), turned.begin() + 1, turned.end());
      if (turned < cycle) return true;
    }
    return false;
  });
  return cycles;
}

void search_length(const Facts& facts, Queries& queries, const std::vector<Answer>& possible, unsigned length,
                   Analysis& analysis) {
  std::mutex mutex;
  const std::vector<Tuple> tuples = cycles_of(facts, possible, length);
  std::vector<std::vector<FoundAnomaly>> found(tuples.size());
  const auto cycle = [&](Encoding& e) {
    for (std::size_t i = 0; i < length; ++i) e.require(e.depends(i, (i + 1) % length));
  };
  const auto answers = queries.ask_all(fmt::format("cycles of {}", length), tuples, cycle, {},
                                       [&](std::size_t which, Encoding& e, const z3::model& model) {
                                         auto anomalies = read_anomalies(e, model);
                                         const std::lock_guard lock(mutex);
                                         found[which] = std::move(anomalies);
                                       });
  const bool decided = !queries.stopped() && std::ranges::find(answers, Answer::Unknown) == answers.end();
  for (auto& anomalies : found) std::ranges::move(anomalies, std::back_inserter(analysis.anomalies));
  fold(analysis.anomalies);
  sort_by_harm(analysis.anomalies);
  if (!analysis.anomalies.empty()) analysis.outcome = Outcome::AnomalyFound;
  else if (!decided) analysis.outcome = Outcome::NotDecided;
  else analysis.cycle = length;
  if (analysis.outcome == Outcome::AnomalyFound) analysis.cycle = length;
}

void search(const Facts& facts, Queries& queries, const std::vector<Answer>& possible, Analysis& analysis) {
  const Options& options = facts.options();
  analysis.outcome = Outcome::NoneUpToCycle;
  for (unsigned length = 2; length <= options.cycle && !queries.stopped(); ++length) {
    search_length(facts, queries, possible, length, analysis);
    if (!analysis.anomalies.empty() && !options.all_lengths) break;
  }
  if (queries.stopped() && analysis.anomalies.empty()) analysis.outcome = Outcome::NotDecided;
}

}  // namespace assay::analysis
