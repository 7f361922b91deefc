// Known findings: a file of fingerprints, so that a build fails on what is new only.
//
// A fingerprint is made of the level, the programs and the statements of the cycle, and nothing that changes
// without them: no places, no values, no rows.
#pragma once

#include <set>

#include "analysis_report/view.h"
#include "base/result.h"

namespace assay::analysis_report {

std::string fingerprint(const AnalysisView& view, const LevelResult& result,
                        const analysis::FoundAnomaly& anomaly);

// A line each: the fingerprint, then words for people. `#` begins a comment.
std::string as_baseline(const AnalysisView& view);
Result<std::set<std::string>> read_baseline(const std::string& file);

std::size_t new_anomalies(const LevelResult& result);  // all of them without a baseline

// Marks the anomalies that are known, and returns what was known but is not found any more.
std::size_t mark_known(AnalysisView& view, const std::set<std::string>& known);

}  // namespace assay::analysis_report
