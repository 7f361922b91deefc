#include "collect/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace assay {
namespace {

constexpr std::string_view kHidden = "***";

Result<std::string> decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    unsigned byte = 0;
    const char* const digits = text.data() + i + 1;
    if (i + 2 >= text.size() || std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2)
      return error("a % in the URL without two hexadecimal digits", "write % itself as %25");
    decoded += static_cast<char>(byte);
    i += 2;
  }
  return decoded;
}

// What stands before `separator`, which is taken away with it; all of it when there is none.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

Result<void> set(std::string& part, std::string_view text) {
  auto decoded = decode(text);
  if (!decoded) return std::move(decoded).error();
  part = std::move(*decoded);
  return {};
}

Result<void> parse_authority(std::string_view text, Url& url) {
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    std::string_view password = text.substr(0, at);
    const std::string_view user = take_until(password, ':');
    ASSAY_TRY(set(url.user, user));
    if (!password.empty()) ASSAY_TRY(set(url.password, password));
    text.remove_prefix(at + 1);
  }
  const std::size_t colon = text.find(':', text.starts_with('[') ? text.find(']') : 0);
  if (colon != std::string_view::npos) url.port = text.substr(colon + 1);
  return set(url.host, text.substr(0, colon));
}

Result<void> parse_options(std::string_view text, Url& url) {
  while (!text.empty()) {
    std::string_view value = take_until(text, '&');
    const std::string name(take_until(value, '='));
    ASSAY_TRY(set(name == "password" ? url.password : url.options[name], value));
  }
  return {};
}

bool ends_a_url(char c) { return c == ' ' || c == '\'' || c == '"' || c == '\n'; }

}  // namespace

std::string Url::option(const std::string& name) const {
  const auto found = options.find(name);
  return found == options.end() ? "" : found->second;
}

Result<Url> parse_url(std::string_view text) {
  Url url;
  url.shown = hide_password(text);
  if (text.find(':') == std::string_view::npos)
    return error(fmt::format("{} is no database URL", url.shown),
                 "like sqlite: or postgresql://localhost/test");
  url.scheme = take_until(text, ':');
  std::string_view before_options = take_until(text, '?');
  ASSAY_TRY(parse_options(text, url));
  if (before_options.starts_with("//")) {
    before_options.remove_prefix(2);
    // An empty authority is how file:///a/path is written.
    if (!before_options.starts_with('/')) ASSAY_TRY(parse_authority(take_until(before_options, '/'), url));
  }
  ASSAY_TRY(set(url.path, before_options));
  return url;
}

std::string hide_password(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t scheme = text.find("://"), option = text.find("password=");
    const std::size_t start = std::min(scheme == std::string_view::npos ? scheme : scheme + 3,
                                       option == std::string_view::npos ? option : option + 9);
    if (start == std::string_view::npos) break;
    shown += text.substr(0, start);
    text.remove_prefix(start);
    if (shown.ends_with("password=")) {
      const auto end = std::ranges::find_if(text, [](char c) { return c == '&' || ends_a_url(c); });
      shown += kHidden;
      text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
      continue;
    }
    const auto end = std::ranges::find_if(text, [](char c) { return c == '/' || c == '?' || ends_a_url(c); });
    const std::string_view authority = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    const std::size_t at = authority.rfind('@'), colon = authority.find(':');
    if (at == std::string_view::npos || colon > at) continue;
    shown += fmt::format("{}:{}", authority.substr(0, colon), kHidden);
    text.remove_prefix(at);
  }
  return shown += text;
}

}  // namespace assay
