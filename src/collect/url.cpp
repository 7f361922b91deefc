#include "collect/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace assay {
namespace {

// These have no server, and so no password.
bool is_local(std::string_view scheme) {
  return scheme == "sqlite" || scheme == "simulated" || scheme == "file";
}

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
    if (byte == 0)
      return error("a URL cannot hold the character %00");  // where client libraries stop reading
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

Result<void> set(Secret& secret, std::string_view text) {
  std::string decoded;
  ASSAY_TRY(set(decoded, text));
  secret = Secret(std::move(decoded));
  return {};
}

bool is_a_port(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// An option that must not be shown: password, sslpassword, and what others call it. Not passfile, a file's
// name.
bool names_a_secret(std::string_view name) {
  auto decoded = decode(name);
  std::string lower = decoded ? std::move(*decoded) : std::string(name);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower.find("passw") != std::string::npos || lower.find("pwd") != std::string::npos ||
         lower.find("secret") != std::string::npos;
}

// Where the authority of "USER:PASSWORD@HOST:PORT/PATH?OPTIONS" ends.
std::size_t end_of_authority(std::string_view text) {
  return std::min(text.find_first_of("/?"), text.size());
}

// The colon between host and port, behind the brackets of an IPv6 address.
std::size_t colon_of_port(std::string_view host) {
  return host.find(':', host.starts_with('[') ? std::min(host.find(']'), host.size()) : 0);
}

Result<void> parse_authority(std::string_view text, Url& url) {
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    std::string_view password = text.substr(0, at);
    const std::string_view user = take_until(password, ':');
    ASSAY_TRY(set(url.user, user));
    if (!password.empty()) ASSAY_TRY(set(url.password, password));
    text.remove_prefix(at + 1);
  }
  const std::size_t colon = colon_of_port(text);
  if (colon != std::string_view::npos) {
    if (!is_a_port(text.substr(colon + 1)))
      return error(fmt::format("{}: the port is no number", url.shown),
                   "USER:PASSWORD@HOST:PORT; : in a password is %3A, @ is %40");
    url.port = text.substr(colon + 1);
  }
  return set(url.host, text.substr(0, colon));
}

Result<void> parse_options(std::string_view text, Url& url) {
  while (!text.empty()) {
    std::string_view value = take_until(text, '&');
    std::string name;
    ASSAY_TRY(set(name, take_until(value, '=')));
    if (!names_a_secret(name)) {
      ASSAY_TRY(set(url.options[name], value));
      continue;
    }
    // What follows might be the rest of a password with &.
    if (!text.empty())
      return error(fmt::format("{}: options follow the password", url.shown),
                   "give the password last, with & in it as %26");
    ASSAY_TRY(set(name == "password" ? url.password : url.secret_options[name], value));
  }
  return {};
}

// Where the value of the first option that holds a secret begins; npos: there is none. Also in
// "host=db password=secret" and "Server=db;Pwd=secret", which others take for an address.
std::size_t secret_option(std::string_view text) {
  for (std::size_t equals = text.find('='); equals != std::string_view::npos;
       equals = text.find('=', equals + 1)) {
    const std::string_view before = text.substr(0, equals);
    const std::size_t separator = before.find_last_of(" \t\r\n;,&?");
    if (names_a_secret(separator == std::string_view::npos ? before : before.substr(separator + 1)))
      return equals + 1;
  }
  return std::string_view::npos;
}

// To the end: what follows a secret may belong to it.
std::string hide_secret_options(std::string_view text) {
  const std::size_t start = secret_option(text);
  return start == std::string_view::npos ? std::string(text)
                                         : fmt::format("{}{}", text.substr(0, start), kHiddenSecret);
}

// Of what follows SCHEME://, or of an address that has no scheme. A path cannot hold a password: it is not
// for this.
std::string hide_in_authority(std::string_view text) {
  const std::size_t at = text.rfind('@'), colon = text.find(':');
  if (at != std::string_view::npos && colon < at)
    // An @ in a secret says nothing about what is before it, and what is behind it is secret.
    return secret_option(text) <= at ? fmt::format("{}:{}", text.substr(0, colon), kHiddenSecret)
                                     : fmt::format("{}:{}{}", text.substr(0, colon), kHiddenSecret,
                                                   hide_secret_options(text.substr(at)));
  const std::size_t end = end_of_authority(text), host = at < end ? at + 1 : 0;
  const std::size_t port = colon_of_port(text.substr(host, end - host));
  if (port != std::string_view::npos && !is_a_port(text.substr(host + port + 1, end - host - port - 1)))
    return fmt::format("{}:{}", text.substr(0, host + port), kHiddenSecret);
  return hide_secret_options(text);
}

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
  if (text.starts_with("//") && !is_local(url.scheme)) {
    const std::string_view rest = text.substr(2);
    const std::size_t at = rest.rfind('@');
    if (at != std::string_view::npos && at > end_of_authority(rest) && rest.find(':') < at)
      return error(fmt::format("{}: it is not clear where the password ends", url.shown),
                   "write / in a password as %2F and ? as %3F, and @ outside of it as %40");
  }
  std::string_view before_options = take_until(text, '?');
  ASSAY_TRY(parse_options(text, url));
  if (before_options.starts_with("//")) {
    before_options.remove_prefix(2);
    // An empty authority is how file:///a/path is written.
    if (!before_options.starts_with('/')) ASSAY_TRY(parse_authority(take_until(before_options, '/'), url));
  } else if (!is_local(url.scheme) && !before_options.empty()) {
    return error(fmt::format("{}: the address of a server begins with //", url.shown),
                 url.scheme + "://USER@HOST");
  }
  ASSAY_TRY(set(url.path, before_options));
  return url;
}

std::string hide_password(std::string_view word) {
  const std::size_t start = word.starts_with("--") ? std::min(word.find('='), word.size() - 1) + 1 : 0;
  const std::string_view option = word.substr(0, start), text = word.substr(start);
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view scheme = text.substr(0, colon), rest = text.substr(colon);
  const bool has_authority = rest.starts_with("://") && !(is_local(scheme) && rest.starts_with(":///"));
  if (has_authority) return fmt::format("{}{}://{}", option, scheme, hide_in_authority(rest.substr(3)));
  // Where there is an @, somebody may have forgotten the //, or the scheme.
  const bool incomplete = !is_local(scheme) && rest.find('@') != std::string_view::npos;
  return fmt::format("{}{}", option, incomplete ? hide_in_authority(text) : hide_secret_options(text));
}

}  // namespace assay
