// Findings as JUnit XML, so that a CI job shows each level of each history as a test.
#pragma once

#include <span>

#include "base/result.h"
#include "report/findings.h"

namespace assay {

// One test suite for a history. A violated level is a failure with its explanation, an undecided one an
// error.
std::string junit_suite(const Findings& findings);
// A history that could not be judged: a suite with one error.
std::string junit_suite(const std::string& file, const Error& problem);
std::string junit_file(std::span<const std::string> suites);

}  // namespace assay
