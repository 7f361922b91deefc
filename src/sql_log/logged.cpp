#include "sql_log/logged.h"

#include <algorithm>
#include <charconv>

namespace assay::sql_log {
namespace {

// Takes `duration: 0.123 ms  ` off; nothing may be left.
double take_duration(std::string_view& message) {
  constexpr std::string_view duration = "duration: ", unit = " ms";
  const auto end = message.find(unit);
  if (!message.starts_with(duration) || end == message.npos) return 0;
  double milliseconds = 0;
  std::from_chars(message.data() + duration.size(), message.data() + end, milliseconds);
  message.remove_prefix(end + unit.size());
  message.remove_prefix(std::min(message.find_first_not_of(' '), message.size()));
  return milliseconds;
}

}  // namespace

LoggedValues logged_values(std::string_view detail) {
  LoggedValues values;
  const auto start = detail.find('$');
  if (!detail.starts_with("parameters: ") && !detail.starts_with("Parameters: ")) return values;
  for (std::size_t i = start; i < detail.size();) {
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(detail.data() + i + 1, detail.data() + detail.size(), number);
    const std::string_view rest = detail.substr(static_cast<std::size_t>(end - detail.data()));
    constexpr std::size_t kMostParameters = 65535;
    if (problem != std::errc() || !rest.starts_with(" = ") || number == 0 || number > kMostParameters) break;
    if (values.size() < number) values.resize(number);
    i = static_cast<std::size_t>(rest.data() - detail.data()) + 3;
    if (detail.substr(i).starts_with("NULL")) {
      values[number - 1] = "NULL";
      i += 4;
    } else if (i < detail.size() && detail[i] == '\'') {
      const std::size_t open = i;
      for (++i; i < detail.size(); ++i) {
        if (detail[i] != '\'') continue;
        if (i + 1 < detail.size() && detail[i + 1] == '\'') ++i;
        else break;
      }
      if (i >= detail.size()) break;  // cut off
      const std::string_view value = detail.substr(open, ++i - open);
      if (!value.ends_with("...'")) values[number - 1] = value;
    } else {
      break;
    }
    if (!detail.substr(i).starts_with(", $")) break;
    i += 2;
  }
  return values;
}

std::optional<LoggedStatement> logged_statement(const LogEntry& entry) {
  if (entry.severity != "LOG") return std::nullopt;
  std::string_view message = entry.message;
  const double milliseconds = take_duration(message);
  constexpr std::string_view simple = "statement: ", extended = "execute ";
  if (message.starts_with(simple))
    return LoggedStatement{std::string(message.substr(simple.size())), {}, milliseconds};
  if (!message.starts_with(extended) || message.starts_with("execute fetch from ")) return std::nullopt;
  const auto colon = message.find(": ");
  if (colon == message.npos) return std::nullopt;
  return LoggedStatement{std::string(message.substr(colon + 2)), logged_values(entry.detail), milliseconds};
}

}  // namespace assay::sql_log
