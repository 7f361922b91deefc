#include "history_io/utf8.h"

#include <simdjson.h>

namespace assay {

std::optional<std::size_t> first_invalid_utf8(std::string_view bytes) {
  if (simdjson::validate_utf8(bytes)) return std::nullopt;
  // The text is invalid. To find where, step over the characters that are well-formed.
  std::size_t at = 0;
  while (at < bytes.size()) {
    const auto lead = static_cast<unsigned char>(bytes[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (at + length > bytes.size() || !simdjson::validate_utf8(bytes.data() + at, length)) break;
    at += length;
  }
  return at;
}

}  // namespace assay
