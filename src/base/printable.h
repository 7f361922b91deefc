// Text that comes from a file, made safe for a terminal.
//
// Control characters move the cursor, change colours or retitle the window; bytes that are not UTF-8 make
// some terminals swallow what follows. Both can come from a name in a history, a file name or a server's
// message.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay {

// Control characters (but the newline and the tab) and bytes that are not UTF-8, written as \u001b and \xff.
// What JSON is stays JSON that says the same. `kept`: our own control sequences, left as they are.
std::string printable(std::string_view text, std::span<const std::string_view> kept = {});

// Whether a name can stand in a line as it is: it is not empty and has no control character, newlines and
// tabs included.
bool is_printable_name(std::string_view name);

}  // namespace assay
