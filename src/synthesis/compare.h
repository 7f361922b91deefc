// How two specifications relate within a scope, and how several do.
#pragma once

#include <functional>

#include "synthesis/find.h"

namespace assay::synthesis {

enum class Relation { Equivalent, Stronger, Weaker, Incomparable, Undecided };
std::string_view word(Relation relation);

struct Comparison {
  Relation relation;
  // What the first allows and the second forbids, and the other way round, as far as there is such a history.
  std::optional<Found> only_first, only_second;
  std::string why_undecided;
  std::size_t finished =
      0;  // what was looked at when it stopped: all histories of up to so many transactions
};

Result<Comparison> compare(const spec::Specification& first, const spec::Specification& second,
                           const FindOptions& options);

// Every pair. Each history that is found is judged at every level, so that it settles other pairs too.
struct Lattice {
  std::vector<std::string> names;
  // [i][j]: i allows only what j allows; nothing: undecided
  std::vector<std::vector<std::optional<bool>>> implies;
  struct Separation {
    std::size_t allowed, forbidden;  // the pair it was found for
    spec::HistoryFacts facts;
  };
  std::vector<Separation> separations;
  std::vector<std::vector<std::optional<std::size_t>>> separated_by;  // which of them tells i from j
  // [i][j]: i allows only what j allows, for histories of all sizes; says by which witnesses.
  std::vector<std::vector<std::optional<std::string>>> proved;
  std::string why_undecided;
  std::vector<std::vector<std::size_t>> finished;  // of a pair that is undecided: up to so many transactions

  bool equivalent(std::size_t i, std::size_t j) const {
    return implies[i][j] == true && implies[j][i] == true;
  }
  // i is directly above j: stronger, with nothing between them; of equivalent levels only the first counts.
  bool covers(std::size_t i, std::size_t j) const;
  bool is_first_of_its_kind(std::size_t i) const;
  // Pairs (i, j) of which i => j says everything that holds in the lattice: each level with the first one of
  // its kind, both ways, and the pairs that cover.
  std::vector<std::pair<std::size_t, std::size_t>> inclusions_that_matter() const;
};
Result<Lattice> lattice(const std::vector<spec::Specification>& levels, const FindOptions& options);

}  // namespace assay::synthesis
