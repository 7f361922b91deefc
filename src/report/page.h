// HTML pages without script, which open anywhere. `assay matrix` and `assay analyze` write them.
//
// They look like the report (web/), because web/src/style/base.css and document.css are compiled in. The body
// is HTML, so the caller must have escaped it.
#pragma once

#include <string>
#include <string_view>

#include "report/html.h"

namespace assay {

// `title` is for the browser's window, `heading` is the first line of the page; both are plain text.
std::string static_page(std::string_view title, std::string_view heading, std::string_view body,
                        const Tool& tool);

// Makes a page element of a picture that Graphviz wrote: removes what only a separate file needs.
std::string figure(std::string_view svg);

// The text of the two style sheets.
std::string_view page_style();

}  // namespace assay
