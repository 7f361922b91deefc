#include "base/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace assay {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// Decodes the first character of a text that is not empty.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest[length] || code > 0x10ffff || is_surrogate) return {};
  return {code, length};
}

// C0, DEL and C1 control characters, line and paragraph separators, and marks that change the direction of
// text.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

void append_hex(std::string& text, std::uint32_t number, unsigned digits) {
  while (digits-- > 0) text += "0123456789abcdef"[number >> 4 * digits & 0xf];
}

}  // namespace

std::string printable(std::string_view text, std::span<const std::string_view> kept) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto ours =
        std::ranges::find_if(kept, [&](std::string_view sequence) { return text.starts_with(sequence); });
    if (ours != kept.end()) {
      shown += *ours;
      text.remove_prefix(ours->size());
      continue;
    }
    const Character c = first_character(text);
    if (c.bytes == 0) {
      shown += "\\x";
      append_hex(shown, static_cast<unsigned char>(text[0]), 2);
    } else if (is_control(c.code) && c.code != '\n' && c.code != '\t') {
      shown += "\\u";
      append_hex(shown, c.code, 4);
    } else {
      shown += text.substr(0, c.bytes);
    }
    text.remove_prefix(std::max<std::size_t>(c.bytes, 1));
  }
  return shown;
}

bool is_printable_name(std::string_view name) {
  if (name.empty()) return false;
  while (!name.empty()) {
    const Character c = first_character(name);
    if (c.bytes == 0 || is_control(c.code)) return false;
    name.remove_prefix(c.bytes);
  }
  return true;
}

}  // namespace assay
