// Adds the clauses that define what it means that a transaction of unknown outcome counts, and that a
// conditional write took place.
//
// - If a transaction counts, so do the transactions whose elements its list reads show.
// - A conditional write took place exactly if the version that it read matches its condition.
//
// The clauses of a choice are added once the choice is made. They may need further such choices, which are
// defined in turn.
#pragma once

#include "encoding/version_choices.h"

namespace assay {

class DefiningClauses {
 public:
  DefiningClauses(const SearchProblem& problem, VersionChoices& versions, Clauses& clauses)
      : h_(problem.history), facts_(problem.facts), versions_(versions), clauses_(clauses) {}

  // Adds the clauses of the choices made since the last call.
  void add();

 private:
  void add_shown_by(TxnId t);
  void add_what_decides(std::uint32_t conditional);
  std::vector<Lit> sources(std::uint32_t conditional, bool matching) const;

  const History& h_;
  const ReadFacts& facts_;
  VersionChoices& versions_;
  Clauses& clauses_;
  std::size_t counting_done_ = 0, took_done_ = 0;  // choices that have their clauses, in order of creation
};

}  // namespace assay
