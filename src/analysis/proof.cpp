#include "analysis/proof.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/search.h"

namespace assay::analysis {
namespace {

bool none_possible(const std::vector<Answer>& answers) {
  return std::ranges::all_of(answers, [](Answer a) { return a == Answer::Impossible; });
}

bool not_impossible(Answer answer) { return answer != Answer::Impossible; }

// Whether the programs that are left can form a cycle at all.
bool may_cycle(const Tuple& left, const std::vector<Answer>& possible, std::size_t programs) {
  Tuple rest = left;
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::size_t p : rest) {
      const bool leaves = std::ranges::any_of(
          rest, [&](std::size_t q) { return not_impossible(possible[p * programs + q]); });
      if (leaves) continue;
      std::erase(rest, p);
      changed = true;
      break;
    }
  }
  return !rest.empty();
}

// No two consecutive dependencies end before both of their beginnings.
bool triples_hold(std::size_t programs, Queries& queries, const std::vector<Answer>& possible,
                  const std::vector<Answer>& against) {
  std::vector<Tuple> triples = paths_of(programs, possible, 3);
  std::erase_if(triples,
                [&](const Tuple& t) { return against[t[1] * programs + t[2]] == Answer::Impossible; });
  return none_possible(queries.ask_all(
      "inductive proof, triples", triples,
      [](Encoding& e) {
        e.require(e.depends(0, 1));
        e.require(e.depends(1, 2));
        e.require(e.before(2, 0));
        e.require(e.before(2, 1));
      },
      not_impossible));
}

std::optional<Proof> inductive(std::size_t programs, Queries& queries, const std::vector<Answer>& possible) {
  Tuple left;
  for (std::size_t p = 0; p < programs; ++p) left.push_back(p);
  std::vector<Tuple> pairs;
  for (std::size_t p = 0; p < programs; ++p)
    for (std::size_t q = 0; q < programs; ++q) pairs.push_back({p, q});
  if (!may_cycle(left, possible, programs)) return Proof{.kind = Proof::Kind::NoDependencies, .rounds = {}};
  const std::vector<Answer> against = queries.ask_all("inductive proof, pairs", pairs, [](Encoding& e) {
    e.require(e.depends(0, 1));
    e.require(e.before(1, 0));
  });
  Proof proof{.kind = Proof::Kind::Inductive, .rounds = {}};
  while (may_cycle(left, possible, programs)) {
    Tuple removed;
    for (const std::size_t p : left)
      if (std::ranges::all_of(left,
                              [&](std::size_t q) { return against[p * programs + q] == Answer::Impossible; }))
        removed.push_back(p);
    if (removed.empty() || queries.stopped()) return std::nullopt;
    // What holds of all programs holds of those that are left.
    if (proof.rounds.empty() && !triples_hold(programs, queries, possible, against)) return std::nullopt;
    proof.rounds.push_back(removed);
    for (const std::size_t p : removed) std::erase(left, p);
  }
  return proof;
}

std::optional<Proof> shortest_path(const Facts& facts, Queries& queries, const std::vector<Answer>& possible,
                                   Analysis& analysis) {
  const std::size_t programs = facts.programs().size();
  for (unsigned length = 2; length <= facts.options().longest_path && !queries.stopped(); ++length) {
    if (analysis.cycle < length &&
        !none_possible(queries.ask_all(
            fmt::format("cycles of {}", length), cycles_of(programs, possible, length),
            [&](Encoding& e) {
              for (std::size_t i = 0; i < length; ++i) e.require(e.depends(i, (i + 1) % length));
            },
            not_impossible)))
      return std::nullopt;
    analysis.cycle = std::max(analysis.cycle, length);
    const auto chordless = [&](Encoding& e) {
      for (std::size_t i = 0; i < length; ++i) e.require(e.depends(i, i + 1));
      for (std::size_t i = 0; i <= length; ++i)
        for (std::size_t j = i + 2; j <= length; ++j) e.require(!e.surely_depends(i, j));
    };
    const auto paths = paths_of(programs, possible, length + 1);
    if (none_possible(
            queries.ask_all(fmt::format("chordless paths of {}", length), paths, chordless, not_impossible)))
      return Proof{.kind = Proof::Kind::ShortestPath, .rounds = {}, .length = length};
  }
  return std::nullopt;
}

}  // namespace

void prove(const Facts& facts, Queries& queries, const std::vector<Answer>& possible, Analysis& analysis) {
  if (analysis.outcome != Outcome::NoneUpToCycle) return;
  analysis.proof = inductive(facts.programs().size(), queries, possible);
  if (!analysis.proof) analysis.proof = shortest_path(facts, queries, possible, analysis);
  if (analysis.proof) analysis.outcome = Outcome::Serializable;
}

}  // namespace assay::analysis
