#include "sql_log/line_prefix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "sql_log/characters.h"

namespace assay::sql_log {
namespace {

constexpr std::string_view kSeverities[] = {"LOG",     "DETAIL", "STATEMENT", "ERROR",    "HINT",
                                            "WARNING", "NOTICE", "FATAL",     "CONTEXT",  "QUERY",
                                            "INFO",    "DEBUG",  "PANIC",     "LOCATION", "BACKTRACE"};

// What Debian, RDS, Azure, pgBadger's manual and PostgreSQL itself set; the last one takes any prefix with
// the process in brackets.
constexpr auto kCommon = std::to_array<std::string_view>({
    "%m [%p] ",
    "%m [%p] %q%u@%d ",
    "%t [%p] ",
    "%t [%p] %q%u@%d ",
    "%m [%p] %v ",
    "%m [%c] ",
    "%m [%c] %v ",
    "%m [%p] %c %v ",
    "%t:%r:%u@%d:[%p]:",
    "%m:%r:%u@%d:[%p]:",
    "%t-%c-",
    "%m [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ",
    "%t [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ",
    "%t [%p]: user=%u,db=%d,app=%a,client=%h ",
    "%t [%p]: [%l-1] user=%u,db=%d ",
    "%t [%p]: [%l] ",
    "%t [%p-%l] %q%u@%d ",
    "%m %p %c %v ",
    "[%p] ",
    "%p ",
    "%c ",
    "%a[%p]%a",
});

constexpr std::size_t kLongestValue = 200;  // of names of users, databases and applications

// 2026-11-18 20:14:52.123 UTC: how long it is without the zone.
std::size_t length_of_time(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-dd dd:dd:dd";
  if (text.size() < form.size()) return 0;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'd' ? !is_digit(text[i]) : text[i] != form[i]) return 0;
  std::size_t end = form.size();
  if (end < text.size() && text[end] == '.')
    for (++end; end < text.size() && is_digit(text[end]);) ++end;
  return end < text.size() && text[end] == ' ' ? end + 1 : end;
}

// Whether a value of this escape may hold the character.
bool belongs(char escape, char c) {
  switch (escape) {
    case 'p':
    case 'P':
    case 'l':
    case 'x': return is_digit(c);
    case 'n': return is_digit(c) || c == '.';
    case 'Q': return is_digit(c) || c == '-';
    case 'c': return std::isxdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
    case 'v': return is_digit(c) || c == '/';
    case 'e': return is_word(c);
    case 'm':
    case 't':
    case 's': return is_word(c) || c == '+' || c == '-' || c == '<' || c == '>';  // of the zone
    default: return c != '\n';
  }
}

}  // namespace

Result<LinePrefix> LinePrefix::parse(std::string_view setting) {
  constexpr std::string_view escapes = "abcdehilmnpPqQrstuvx";
  LinePrefix prefix;
  prefix.setting_ = std::string(setting);
  for (std::size_t i = 0; i < setting.size(); ++i) {
    std::size_t end = i + 1;
    while (setting[i] == '%' && end < setting.size() && (is_digit(setting[end]) || setting[end] == '-'))
      ++end;
    const bool escape = setting[i] == '%' && end < setting.size() && setting[end] != '%';
    if (escape && escapes.find(setting[end]) == escapes.npos)
      return error(fmt::format("%{} is no escape of log_line_prefix", setting[end]),
                   "give the setting as the server has it: SHOW log_line_prefix");
    if (escape) {
      prefix.parts_.push_back({setting[end], end > i + 1});
      i = end;
      continue;
    }
    if (setting[i] == '%' && end < setting.size()) i = end;  // %%
    if (prefix.parts_.empty() || prefix.parts_.back().escape != '\0') prefix.parts_.emplace_back();
    prefix.parts_.back().text += setting[i];
  }
  if (!prefix.tells_sessions_apart())
    return error(fmt::format("log_line_prefix '{}' does not tell sessions apart", setting),
                 "log with %p or %c in it, '%m [%p] ' for example");
  return prefix;
}

bool LinePrefix::tells_sessions_apart() const {
  return std::ranges::any_of(
      parts_, [](const Part& p) { return p.escape == 'p' || p.escape == 'c' || p.escape == 'v'; });
}

Result<LinePrefix> LinePrefix::guess(const std::vector<std::string_view>& lines) {
  std::optional<LinePrefix> best;
  std::size_t most = 0;
  for (const std::string_view setting : kCommon) {
    auto prefix = parse(setting);
    const auto fits = static_cast<std::size_t>(
        std::ranges::count_if(lines, [&](std::string_view line) { return prefix->match(line).has_value(); }));
    if (fits > most) best = std::move(prefix).value(), most = fits;
  }
  if (!best)
    return error("no entries of PostgreSQL's log here",
                 "give the server's setting: --log-line-prefix '%m [%p] ' (SHOW log_line_prefix)");
  return *std::move(best);
}

std::optional<PrefixedLine> LinePrefix::match(std::string_view line) const {
  PrefixedLine found;
  if (!match_from(0, line, found)) return std::nullopt;
  // A session's id tells more than its process id, which the system gives again to later ones.
  if (found.session.empty()) found.session = found.transaction.substr(0, found.transaction.find('/'));
  return found;
}

bool LinePrefix::match_from(std::size_t part, std::string_view line, PrefixedLine& found) const {
  // Processes that serve no session stop at %q.
  const bool may_end = part == parts_.size() || parts_[part].escape == 'q';
  if (may_end)
    for (const std::string_view severity : kSeverities)
      if (line.starts_with(severity) && line.substr(severity.size()).starts_with(":  ")) {
        found.severity = severity;
        found.text = line.substr(severity.size() + 3);
        return true;
      }
  if (part == parts_.size()) return false;
  const Part& here = parts_[part];
  if (here.escape == 'q') return match_from(part + 1, line, found);
  if (here.escape != '\0') return match_escape(part, line, found);
  return line.starts_with(here.text) && match_from(part + 1, line.substr(here.text.size()), found);
}

bool LinePrefix::match_escape(std::size_t part, std::string_view line, PrefixedLine& found) const {
  const auto [escape, padded, text] = parts_[part];
  if (padded) line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  std::size_t least = 0;
  if (escape == 'm' || escape == 't' || escape == 's') {
    least = length_of_time(line);
    if (least == 0) return false;
  } else if (escape == 'p' || escape == 'c' || escape == 'n' || escape == 'l') {
    least = 1;
  }
  for (std::size_t length = least; length <= std::min(line.size(), kLongestValue); ++length) {
    if (length > least && !belongs(escape, line[length - 1])) break;
    if (least == 1 && length == 1 && !belongs(escape, line[0])) break;
    std::string_view rest = line.substr(length);
    if (padded) rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (!match_from(part + 1, rest, found)) continue;
    const std::string_view value = line.substr(0, length);
    if (escape == 'c' || (escape == 'p' && found.session.empty())) found.session = value;
    if (escape == 'v') found.transaction = value;
    return true;
  }
  return false;
}

}  // namespace assay::sql_log
