// Text of a history inside text of another kind.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// For XML content and attributes, and for Graphviz labels written like HTML. Control characters, which XML
// cannot say, become blanks.
std::string xml_escaped(std::string_view text);

// At most about `most` bytes, cut between characters, with an ellipsis where something is left out.
std::string shortened(std::string text, std::size_t most);

}  // namespace assay
