// The clauses that say what it means that a transaction of unknown outcome counts, or that a conditional
// write took place.
//
// - If a transaction counts, so do those whose elements its list reads show.
// - A conditional write took place exactly if the version that it met matches its condition.
//
// They wait for a choice of their kind to be made. They may need more such choices, which are defined in
// turn.
#pragma once

#include "encoding/version_choices.h"

namespace assay {

class DefiningClauses {
 public:
  DefiningClauses(const SearchProblem& problem, VersionChoices& versions, Clauses& clauses)
      : h_(problem.history), facts_(problem.facts), versions_(versions), clauses_(clauses) {}

  // For the choices that were made since the last call.
  void add();

 private:
  void add_shown_by(TxnId t);
  void add_what_decides(std::uint32_t conditional);
  std::vector<Lit> sources(std::uint32_t conditional, bool matching) const;

  const History& h_;
  const ReadFacts& facts_;
  VersionChoices& versions_;
  Clauses& clauses_;
  std::size_t counting_done_ = 0, took_done_ = 0;  // of the choices, in the order in which they were made
};

}  // namespace assay
