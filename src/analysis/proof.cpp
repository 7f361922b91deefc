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

// Whether the programs that are left can form a cycle at all, which the server does not exclude.
bool may_cycle(const Facts& facts, const Tuple& left, const std::vector<Answer>& possible) {
  const std::size_t programs = facts.programs().size();
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
  return !facts.levels().exclude_cycles(rest);
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

std::optional<Proof> inductive(const Facts& facts, Queries& queries, const std::vector<Answer>& possible) {
  const std::size_t programs = facts.programs().size();
  Tuple left;
  for (std::size_t p = 0; p < programs; ++p) left.push_back(p);
  std::vector<Tuple> pairs;
  for (std::size_t p = 0; p < programs; ++p)
    for (std::size_t q = 0; q < programs; ++q) pairs.push_back({p, q});
  if (!may_cycle(facts, left, possible)) return Proof{.kind = Proof::Kind::NoDependencies, .rounds = {}};
  const std::vector<Answer> against = queries.ask_all("inductive proof, pairs", pairs, [](Encoding& e) {
    e.require(e.depends(0, 1));
    e.require(e.before(1, 0));
  });
  Proof proof{.kind = Proof::Kind::Inductive, .rounds = {}};
  while (may_cycle(facts, left, possible)) {
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

// Proofs that rest on there being no cycle of up to `length` transactions, which is looked for on the way.
class LengthProofs {
 public:
  LengthProofs(const Facts& facts, Queries& queries, const std::vector<Answer>& possible, Analysis& analysis)
      : facts_(facts),
        queries_(queries),
        possible_(possible),
        analysis_(analysis),
        programs_(facts.programs().size()) {}

  std::optional<Proof> find(bool windows, bool shortest_paths) {
    const unsigned longest = std::max(facts_.options().longest_path, facts_.options().cycle);
    for (unsigned length = 1; length <= longest && !queries_.stopped(); ++length) {
      if (length > analysis_.cycle && length >= 2) {
        search_length(facts_, queries_, possible_, length, analysis_);
        if (analysis_.outcome != Outcome::NoneUpToCycle) return std::nullopt;
      }
      if (windows && no_window(length))
        return Proof{.kind = Proof::Kind::Window, .rounds = {}, .length = length};
      if (shortest_paths && length >= 2 && no_chordless_path(length))
        return Proof{.kind = Proof::Kind::ShortestPath, .rounds = {}, .length = length};
    }
    return std::nullopt;
  }

 private:
  // No path of `length` dependencies ends before everything else on it. Whoever has a window of this length
  // has one of every smaller length at its end, so only those that were possible are made longer.
  bool no_window(unsigned length) {
    if (length == 1) windows_ = paths_of(programs_, possible_, 2);
    else {
      std::vector<Tuple> longer;
      for (const Tuple& window : windows_)
        for (std::size_t p = 0; p < programs_; ++p) {
          if (possible_[p * programs_ + window.front()] == Answer::Impossible) continue;
          longer.push_back({p});
          longer.back().insert(longer.back().end(), window.begin(), window.end());
        }
      windows_ = std::move(longer);
    }
    const auto answers = queries_.ask_all(fmt::format("windows of {}", length), windows_, [&](Encoding& e) {
      for (std::size_t i = 0; i < length; ++i) e.require(e.depends(i, i + 1));
      for (std::size_t i = 0; i < length; ++i) e.require(e.before(length, i));
    });
    std::vector<Tuple> left;
    for (std::size_t w = 0; w < windows_.size(); ++w)
      if (not_impossible(answers[w])) left.push_back(std::move(windows_[w]));
    windows_ = std::move(left);
    return windows_.empty();
  }

  bool no_chordless_path(unsigned length) {
    const auto chordless = [&](Encoding& e) {
      for (std::size_t i = 0; i < length; ++i) e.require(e.depends(i, i + 1));
      for (std::size_t i = 0; i <= length; ++i)
        for (std::size_t j = i + 2; j <= length; ++j) e.require(!e.surely_depends(i, j));
    };
    return none_possible(queries_.ask_all(fmt::format("chordless paths of {}", length),
                                          paths_of(programs_, possible_, length + 1), chordless,
                                          not_impossible));
  }

  const Facts& facts_;
  Queries& queries_;
  const std::vector<Answer>& possible_;
  Analysis& analysis_;
  std::size_t programs_;
  std::vector<Tuple> windows_;
};

}  // namespace

void prove(const Facts& facts, Queries& queries, const std::vector<Answer>& possible, Analysis& analysis) {
  if (analysis.outcome != Outcome::NoneUpToCycle) return;
  const ProofScheme scheme = facts.options().scheme;
  const auto chosen = [&](ProofScheme one) { return scheme == ProofScheme::Auto || scheme == one; };
  if (chosen(ProofScheme::Inductive)) analysis.proof = inductive(facts, queries, possible);
  if (!analysis.proof && scheme != ProofScheme::Inductive)
    analysis.proof = LengthProofs(facts, queries, possible, analysis)
                         .find(chosen(ProofScheme::Window), chosen(ProofScheme::ShortestPath));
  if (!analysis.proof) return;
  analysis.outcome = Outcome::Serializable;
  for (std::size_t p = 0; p < facts.programs().size(); ++p)
    if (facts.levels().row(p).no_cycle_among) analysis.proof->excluded.push_back(p);
}

}  // namespace assay::analysis
