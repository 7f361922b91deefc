// JUnit XML, for CI systems: a history is a test suite, and each level that it was judged at is a test.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/findings.h"

namespace assay {

struct JunitTest {
  enum class Outcome : std::uint8_t { Passed, Failure, Error, Skipped };
  std::string name;
  double seconds = 0;
  Outcome outcome = Outcome::Passed;
  std::string message{}, type{}, text{};  // if it did not pass; as plain text
};

struct JunitSuite {
  std::string name;
  std::vector<JunitTest> tests;
  std::vector<std::string> notes{};
};

// A violated level is a failure with its explanation, an undecided one an error.
JunitSuite junit_suite(const Findings& findings);
// The suite of a history that could not be judged: it has one error.
JunitSuite junit_suite(const std::string& file, const Error& problem);
std::string junit_file(std::span<const JunitSuite> suites);

}  // namespace assay
