// Escaping and shortening of text from a history.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// For XML content and attributes, and for the HTML-like labels of Graphviz. Control characters, which XML
// does not allow, become blanks.
std::string xml_escaped(std::string_view text);

// Cuts the text to about `most` bytes, between characters, and adds an ellipsis where it cut.
std::string shortened(std::string text, std::size_t most);

}  // namespace assay
