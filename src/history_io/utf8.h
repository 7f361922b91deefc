// Whether bytes are UTF-8: the one check of all text readers, so that nothing else ever reaches a
// History, a report or a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace assay {

// The offset of the first byte that does not belong to a well-formed character.
std::optional<std::size_t> first_invalid_utf8(std::string_view bytes);

}  // namespace assay
