// The parts of a search of a small history, put together as WriteOrder does, to look at one of them.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "dependency/guess.h"
#include "encoding/defining_clauses.h"
#include "encoding/order_choices.h"
#include "history/itemize.h"
#include "support/hist.h"

namespace assay::test {

// Of each update-maybe, whose rows become conditional writes.
inline History with_conditional_writes(std::string_view text) {
  const History whole = hist(text);
  std::vector<Invisible> rows;
  for (const TxnId t : whole.transactions())
    for (const OpId op : whole.operations(t))
      if (whole.kind(op) == OpKind::UpdateMaybe)
        for (const KeyValueId row : whole.rows(op)) rows.push_back({op, whole.key(row)});
  return itemize(whole, {{}, {}, rows}).value().history;
}

// A history, a level, and what is known of them. Transactions, keys and nodes have the numbers in which the
// text has them, so tests write them as numbers.
struct Known {
  Known(History of, Level level) : history(std::move(of)), rules(row(level).points) {}
  Known(std::string_view text, Level level) : Known(hist(text), level) {}
  Known(const Known&) = delete;
  Known& operator=(const Known&) = delete;

  // By transaction, one after another. Empty: as the greedy guess has them.
  Guess execution(std::initializer_list<std::size_t> transactions = {}) const {
    if (transactions.size() == 0) return guess_order(history, facts, rules).value();
    std::vector<std::uint32_t> nodes;
    for (const std::size_t t : transactions) {
      if (rules.two_points) nodes.push_back(problem.points.snapshot(TxnId(t)));
      nodes.push_back(problem.points.commit(TxnId(t)));
    }
    return follow_order(history, facts, rules, std::move(nodes));
  }

  History history;
  PointRules rules;
  ReadFacts facts = read_facts(history, true).value();
  VersionIndex versions{facts, history.key_count()};
  KnownGraph known = known_graph(history, facts, rules);
  SearchProblem problem{history, facts, versions, rules, known};
};

struct SearchParts : Known {
  template <class Text>
  SearchParts(Text text, Level level, std::initializer_list<std::size_t> transactions = {})
      : Known(std::move(text), level), guess(execution(transactions)) {}

  // Gives the solver what waits.
  bool state() {
    clauses.state_facts();
    defining.add();
    return clauses.state_clauses();
  }
  // Has the solver find values; `last` sees them before they are given up.
  Answer solve(const std::function<void()>& last = [] {}) {
    return solver.solve(
        [&] {
          last();
          return false;
        },
        [] { return false; });
  }
  // Makes it true.
  void assume(Lit literal) { solver.add_clause(std::span(&literal, 1)); }
  // Whether a comes before b in the execution at hand, both of them nodes.
  bool before(std::uint32_t a, std::uint32_t b) const { return theory.order().before(a, b); }
  VersionId version_by(std::size_t t) const { return facts.versions_by(TxnId(t)).first; }

  Guess guess;
  Acyclicity theory{known.nodes, known.edges, guess.order};
  Solver solver{theory};
  Choices choices{problem, theory, solver};
  Clauses clauses{problem, choices, solver};
  OrderChoices order{problem, choices};
  VersionChoices version{problem, choices, clauses, theory.order()};
  DefiningClauses defining{problem, version, clauses};
};

inline std::vector<Rule> rules_of(const Choices& choices) {
  std::vector<Rule> result;
  for (Var v = 0; v < choices.size(); ++v) result.push_back(choices[v].rule);
  return result;
}

}  // namespace assay::test
