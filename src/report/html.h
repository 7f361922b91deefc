// The report: one HTML file that needs nothing else. The page (web/) is compiled in; the data takes the place
// of a word in it.
#pragma once

#include <functional>

#include "report/json.h"

namespace assay {

struct Tool {
  std::string version, command;
  std::optional<std::uint64_t> seed{};  // where something was drawn at random
};

// What the page shows; docs/report.md names the members. `draw` makes a picture of a story, if it can.
Json report_data(const Findings& findings, const Tool& tool,
                 const std::function<std::optional<std::string>(std::size_t story)>& draw);

// The page with the data in it. No key or value can end the script that it stands in.
std::string html_report(const Json& data);

// The text of web/dist/report.html.
std::string_view report_page();

}  // namespace assay
