// Pages without script, which open anywhere: `assay matrix` and `assay analyze` write them.
//
// Their look is that of the report (web/): web/src/style/base.css and document.css are compiled in. The
// bodies are HTML, so whatever stands in them was escaped before.
#pragma once

#include <string>
#include <string_view>

#include "report/html.h"

namespace assay {

// `title` is that of the browser's window, `heading` the first line of the page; both are plain text.
std::string static_page(std::string_view title, std::string_view heading, std::string_view body,
                        const Tool& tool);

// A picture as Graphviz wrote it, as a part of a page: without what belongs to a file of its own.
std::string figure(std::string_view svg);

// The text of the two files.
std::string_view page_style();

}  // namespace assay
