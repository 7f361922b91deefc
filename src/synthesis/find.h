// Histories that tell levels apart, smallest number of transactions first; or that there is none in the
// scope.
#pragma once

#include "synthesis/concrete.h"

namespace assay::synthesis {

struct FindOptions {
  Scope scope{};
  std::size_t least_transactions = 1;  // smaller histories are known not to do
  SearchOptions search{};
  bool minimal = false;      // fewest operations, then objects, then values
  std::size_t all = 1;       // how many to find that are no renamings of each other
  bool irreducible = false;  // those that contain no smaller one, which are found smallest first
  bool proofs = false;       // keep what shows that there is none, checked
  Stop stop{};
};

struct Found {
  Solution solution;                    // only with objects that are used
  std::vector<Refutation> refutations;  // of each forbidden level
};

// Why there is no history with so many transactions.
struct SizeProof {
  std::size_t transactions;
  std::vector<Clause> clauses;
  std::vector<InstanceNote> notes;
  std::string drat;
};

struct FindResult {
  enum class Kind { Found, None, Stopped } kind = Kind::None;  // Stopped: before `all` were found
  std::vector<Found> found;
  std::string why_stopped;
  std::size_t finished = 0;  // all histories of up to so many transactions were looked at
  Effort effort;             // of all sizes
  std::vector<SizeProof> proofs;
};

// An error is a bug of ours: something was found that does not stand when judged again.
Result<FindResult> find(const Problem& problem, const FindOptions& options);

// The same for all histories that differ in names only.
std::vector<std::uint32_t> canonical_form(const spec::HistoryFacts& facts);

}  // namespace assay::synthesis
