// Finds what a Jepsen test left in its directory: store/NAME/TIME, or the link store/NAME/latest.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace assay {

// What Elle, or another checker of Jepsen, said about a run.
struct JepsenResults {
  std::string valid;                    // true, false or unknown
  std::vector<std::string> anomalies;   // :anomaly-types, as Elle spells them
  std::vector<std::string> not_models;  // :not, the consistency models that it rules out
};

// Reads the results.edn of a test, given its directory or the file of its history: the part that Elle wrote,
// if it is there.
Result<JepsenResults> read_jepsen_results(const std::string& history);

}  // namespace assay
