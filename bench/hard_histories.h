// Histories that are built to be hard to judge, to measure the search with; small ones are held against brute
// force in tests/random/hard_test.cpp.
//
// Judging is NP-hard in two ways, and each has a generator here. A formula becomes a history in the manner of
// Papadimitriou (and of Biswas and Enea): writers of a key that nobody orders stand for its variables, and a
// cycle waits for each clause whose literals are all false. And an execution is forgotten: blind writes to a
// few keys in an order that is kept from the checker, of which few reads tell. Every transaction has a
// session of its own, so that no chain of sessions helps, and the file shuffles them.
#pragma once

#include <vector>

#include "base/random.h"
#include "history/history.h"

namespace assay {

// In conjunctive normal form. Literals are 1 and -1 for the first variable and its negation, and so on, as in
// DIMACS files.
struct Formula {
  std::size_t variables = 0;
  std::vector<std::vector<int>> clauses;
};

// Clauses of `width` different variables each. Those of three are hardest to tell apart at 4.26 clauses a
// variable.
Formula random_formula(Random& random, std::size_t variables, std::size_t clauses, std::size_t width = 3);

// More pigeons than holes, one of them: short to state, and every refutation by resolution is exponentially
// long.
Formula pigeons(std::size_t holes);

// Satisfies ser if and only if the formula can be satisfied; and so for si.
History history_of(const Formula& formula, Random& random);

struct ForgottenExecution {
  std::size_t transactions = 40;
  std::size_t keys = 4;
  std::size_t writes = 2, reads = 1;  // of each transaction, all on different keys
  std::size_t values = 0;             // how many a key has; 0: every write writes another
  bool disturbed = false;  // one read returns another version than it did: the nearest of which it could have
};

// Satisfies ser unless it is disturbed; then perhaps not.
History history_of(const ForgottenExecution& shape, Random& random);

}  // namespace assay
