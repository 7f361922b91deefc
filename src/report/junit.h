// Findings as JUnit XML, in which each level of each history is a test, for CI systems.
#pragma once

#include <span>

#include "base/result.h"
#include "report/findings.h"

namespace assay {

// The test suite of one history. A violated level is a failure with its explanation, an undecided one an
// error.
std::string junit_suite(const Findings& findings);
// The suite of a history that could not be judged: it has one error.
std::string junit_suite(const std::string& file, const Error& problem);
std::string junit_file(std::span<const std::string> suites);

}  // namespace assay
