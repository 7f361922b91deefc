// Checks that bytes are UTF-8. All text readers use it, so that nothing else reaches a History, a report or a
// terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace assay {

// The offset of the first byte that is not part of a well-formed character; nothing if there is none.
std::optional<std::size_t> first_invalid_utf8(std::string_view bytes);

}  // namespace assay
