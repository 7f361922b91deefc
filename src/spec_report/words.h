// Questions and answers about specifications in words, for text and pages alike.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "synthesis/find.h"

namespace assay::spec_report {

std::string counted(std::size_t count, std::string_view what);

// `4 transactions, 3 objects and 5 values`
std::string in_words(const synthesis::Scope& scope);
// `biswas:SI and cerone:SI`
std::string names_of(const std::vector<spec::Specification>& specifications);
// `allowed by A and forbidden by B`
std::string as_asked(const synthesis::Problem& problem);
// `the limit of 1 s was reached after all histories of up to 3 transactions`
std::string why_undecided(const std::string& reason, std::size_t finished);
// `none of the 6 possible witnesses fits`
std::string refuted(const synthesis::Refutation& refutation);

std::string hist_text(const spec::HistoryFacts& facts);
std::size_t operations_in(const spec::HistoryFacts& facts);
std::size_t values_in(const spec::HistoryFacts& facts);
// `2 transactions, 4 operations, 1 object, 3 values`
std::string size_in_words(const spec::HistoryFacts& facts);

}  // namespace assay::spec_report
