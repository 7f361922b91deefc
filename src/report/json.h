// Findings as JSON: the line that `--json` prints, and what an explanation looks like in it and in the HTML
// report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/findings.h"

namespace assay {

using Json = nlohmann::ordered_json;

// {"schema": 1, "history": ..., "results": [...]}: one line without its end.
std::string as_json(const Findings& findings);

// An explanation; docs/report.md names the members.
Json violation(const Findings& findings, std::size_t story);

// Text on one line. Names of files may be anything: what is not UTF-8 is replaced.
std::string dump(const Json& json);

}  // namespace assay
