// Findings as JSON: the line that `--json` prints, and the form of explanations in it and in the HTML report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/findings.h"

namespace assay {

using Json = nlohmann::ordered_json;

// One line, {"schema": 1, "history": ..., "results": [...]}, without a newline.
std::string as_json(const Findings& findings);

// An explanation; docs/report.md describes the members.
Json violation(const Findings& findings, std::size_t story);

// The JSON text on one line. Replaces bytes that are not UTF-8, which names of files may contain.
std::string dump(const Json& json);

}  // namespace assay
