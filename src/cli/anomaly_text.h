// What `assay explain ANOMALY` and `assay levels LEVEL` say of an anomaly.
#pragma once

#include <string>

#include "isolation/anomaly.h"

namespace assay::cli {

// A history in the .hist format, for a line of text.
std::string on_one_line(std::string_view history);

// Its definition, its other names, what it rules out, and its example explained by the checker.
std::string anomaly_in_full(const AnomalyRow& anomaly);

}  // namespace assay::cli
