// The oracle has levels of its own, so that it includes nothing of the engine: here the two meet, by their
// ids.
#pragma once

#include <gtest/gtest.h>

#include "isolation/level.h"
#include "oracle/oracle.h"

namespace assay::test {

inline oracle::Level of_oracle(Level level) {
  for (const oracle::Level candidate : oracle::kLevels)
    if (oracle::id(candidate) == id(level)) return candidate;
  ADD_FAILURE() << "the oracle does not know " << id(level);
  return oracle::Level::rc;
}

}  // namespace assay::test
