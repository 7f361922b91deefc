// What was found, in words: the witnesses that allow a history, and why others cannot.
#pragma once

#include "spec/finite_history.h"
#include "synthesis/concrete.h"

namespace assay::synthesis {

// How things are called; transaction 0 is the initial one.
struct Names {
  std::vector<std::string> transactions, objects;
};
Names names_of_found(const spec::HistoryFacts& facts);  // T1, T2, ...; x, y, ...

// One line for each witness: `co: T1 < T2 < T3`, `vis: T1->T2`.
std::vector<std::string> describe_witnesses(const spec::Specification& spec,
                                            const Solution::Explanation& explanation, const Names& names);

// Why no witness allows the history, by the orders that come closest: for each what it breaks.
std::vector<std::string> why_forbidden(const spec::Specification& spec, const spec::HistoryFacts& facts,
                                       const Names& names);

}  // namespace assay::synthesis
