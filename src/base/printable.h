// Makes text from untrusted sources safe for a terminal.
//
// Control characters can move the cursor, change colours or retitle the window, and bytes that are not UTF-8
// make some terminals swallow the text after them. Both can occur in a name in a history, a file name or a
// server's message.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay {

// Escapes control characters, except newline and tab, and bytes that are not UTF-8, as \u001b and \xff. Valid
// JSON stays valid and keeps its meaning. `kept`: control sequences of our own that stay as they are.
std::string printable(std::string_view text, std::span<const std::string_view> kept = {});

// Whether a name can be printed on one line without escaping: it is not empty and has no control character,
// not even newlines and tabs.
bool is_printable_name(std::string_view name);

}  // namespace assay
