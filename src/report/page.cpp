#include "report/page.h"

#include <fmt/format.h>

#include "report/escape.h"

namespace assay {

std::string static_page(std::string_view title, std::string_view heading, std::string_view body,
                        const Tool& tool) {
  return fmt::format(R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{}</title>
<style>
{}</style>
</head>
<body>
<main>
<h1>{}</h1>
{}<footer>assay {}: {}</footer>
</main>
</body>
</html>
)",
                     xml_escaped(title), page_style(), xml_escaped(heading), body, xml_escaped(tool.version),
                     xml_escaped(tool.command));
}

std::string figure(std::string_view svg) {
  const std::size_t begin = svg.find("<svg"), end = svg.find('>', begin);
  if (end == std::string_view::npos) return {};
  // HTML knows the namespaces by itself.
  std::string element(svg.substr(begin, end - begin));
  for (std::size_t at; (at = element.find(" xmlns")) != std::string::npos;)
    element.erase(at, element.find('"', element.find('"', at) + 1) + 1 - at);
  return fmt::format("<figure>{}{}</figure>\n", element, svg.substr(end));
}

}  // namespace assay
