// The report: one self-contained HTML file. The page (web/) is compiled in, and the data replaces a
// placeholder in it.
#pragma once

#include <functional>

#include "report/json.h"

namespace assay {

struct Tool {
  std::string version, command;
  std::optional<std::uint64_t> seed{};  // where something was drawn at random
};

// The data that the page shows; docs/report.md describes the members. `draw` renders an explanation, if it
// can.
Json report_data(const Findings& findings, const Tool& tool,
                 const std::function<std::optional<std::string>(std::size_t story)>& draw);

// Puts the data into the page. Escapes it so that no key or value can end the script element around it.
std::string html_report(const Json& data);

// The page about these findings, with pictures by Graphviz where it is installed.
std::string html_page(const Findings& findings, const Tool& tool);

// The text of web/dist/report.html.
std::string_view report_page();

}  // namespace assay
