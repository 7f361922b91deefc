#include "history_io/text_scan.h"

#include <fmt/format.h>

#include <charconv>

namespace assay {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

bool parse_integer(std::string_view text, std::int64_t& value) {
  const char* const end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, value);
  return problem == std::errc() && stopped == end;
}

Error bad_integer(std::string_view what, std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos)
    return error(fmt::format("{} {} does not fit in 64 bits", what, excerpt(text)));
  return error(fmt::format("{} is {}", what, excerpt(text)), "expected an integer");
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, kMost)) {
    if (c >= ' ' && c <= '~') shown += c;
    else shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return shown + (text.size() > kMost ? "...'" : "'");
}

FirstLine first_line(std::string_view beginning) {
  while (true) {
    const std::size_t end = beginning.find('\n');
    const std::string_view line = trim(beginning.substr(0, end));
    if (end == std::string_view::npos || !line.empty()) return {line, end != std::string_view::npos};
    beginning.remove_prefix(end + 1);
  }
}

}  // namespace assay
