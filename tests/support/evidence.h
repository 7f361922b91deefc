// Whether the evidence of a verdict stands: what every test of the checker asks. Undecided has none, and is an error.
#pragma once

#include "verdict/certify.h"
#include "verdict/verdict.h"

namespace assay::test {

inline Result<void> certify(const History& history, Level level, const Verdict& verdict) {
  if (const auto* holds = std::get_if<Holds>(&verdict)) return assay::certify(history, level, *holds);
  if (const auto* fell = std::get_if<Violated>(&verdict)) return assay::certify(history, level, fell->proof);
  return error("undecided");
}

}  // namespace assay::test
