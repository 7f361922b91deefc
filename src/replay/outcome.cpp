#include "replay/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>

namespace assay::replay {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

std::size_t digits_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

// Of the Gregorian calendar; far off when it is no date.
long long day_number(std::string_view text) {
  int year = 0, month = 0, day = 0;
  if (std::sscanf(std::string(text.substr(0, 10)).c_str(), "%4d-%2d-%2d", &year, &month, &day) != 3)
    return -1;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  return date.ok() ? std::chrono::sys_days(date).time_since_epoch().count() : -1;
}

std::string line_at(const std::vector<std::string>& lines, std::size_t i) {
  return i < lines.size() ? lines[i] : "its end";
}

// The parts of `FILE:LINE: v = '1', w = '2'`; the place is the first.
std::vector<std::string> parts_of(const std::string& line) {
  std::vector<std::string> parts;
  std::size_t from = line.find(": ");
  if (from == line.npos) return {line};
  parts.push_back(line.substr(0, from));
  for (from += 2; from <= line.size();) {
    const auto end = std::min(line.find(", ", from), line.size());
    parts.push_back(line.substr(from, end - from));
    from = end + 2;
  }
  return parts;
}

// At the same place, only what differs.
std::string words_of(const std::string& call, const std::string& seen, const std::string& other) {
  const auto a = parts_of(seen), b = parts_of(other);
  if (a.size() != b.size() || a[0] != b[0] || a.size() < 2)
    return fmt::format("{} comes to {}, not to {}", call, other, seen);
  std::string gets, not_this;
  for (std::size_t i = 1; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    gets += (gets.empty() ? "" : ", ") + b[i];
    not_this += (not_this.empty() ? "" : ", ") + a[i];
  }
  return fmt::format("{} has {}, not {}, at {}", call, gets, not_this, a[0]);
}

std::string rows_of(const std::vector<std::string>& rows, const std::vector<std::string>& others) {
  std::vector<std::string> only;
  std::ranges::set_difference(rows, others, std::back_inserter(only));
  if (only.empty()) return "fewer rows";
  if (only.size() > 3) only.resize(3), only.push_back("...");
  return fmt::format("{}", fmt::join(only, " "));
}

}  // namespace

bool Blur::of_sequence(std::string_view digits) const {
  if (digits.size() > 12) return false;
  long long value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const auto within = [&](long long from, long long most) { return value >= from && value < from + most; };
  return within(SequenceStart::kBig, SequenceStart::kMost) ||
         within(SequenceStart::kInteger, SequenceStart::kMost) ||
         (small_ && within(SequenceStart::kSmall, SequenceStart::kMostSmall));
}

std::size_t Blur::uuid(std::string_view text) const {
  if (text.size() < 36) return 0;
  for (std::size_t i = 0; i < 36; ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !is_hex(text[i])) return 0;
  }
  // Those of the rows that were put there.
  return text.starts_with("00000000-0000-4000-8000-") ? 0 : 36;
}

std::size_t Blur::clock(std::string_view text) const {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return 0;
  const long long day = day_number(text), now = day_number(today_);
  if (day < 0 || day < now - 2 || day > now + 2) return 0;
  std::size_t end = 10;
  const std::string_view rest = text.substr(10);
  if (rest.size() >= 9 && (rest[0] == ' ' || rest[0] == 'T') && rest[3] == ':' && rest[6] == ':') {
    end += 9;
    if (end < text.size() && text[end] == '.') end += 1 + digits_in(text.substr(end + 1));
    if (end < text.size() && (text[end] == '+' || text[end] == '-'))
      while (end < text.size() &&
             (text[end] == '+' || text[end] == '-' || text[end] == ':' || is_digit(text[end])))
        ++end;
  }
  return end;
}

std::string Blur::operator()(const std::string& text) const {
  std::string blurred;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = std::string_view(text).substr(i);
    const bool begins = i == 0 || !(is_hex(text[i - 1]) || text[i - 1] == '-');
    if (const std::size_t length = begins ? uuid(rest) : 0; length > 0) {
      blurred += "<uuid>";
      i += length;
    } else if (const std::size_t length = begins && is_digit(text[i]) ? clock(rest) : 0; length > 0) {
      blurred += "<now>";
      i += length;
    } else if (is_digit(text[i])) {
      const std::size_t length = digits_in(rest);
      blurred += of_sequence(rest.substr(0, length)) ? "<next>" : rest.substr(0, length);
      i += length;
    } else {
      blurred += text[i++];
    }
  }
  return blurred;
}

Outcome Blur::operator()(Outcome outcome) const {
  for (Told& told : outcome.told)
    for (std::string& line : told.lines) line = (*this)(line);
  for (auto& [table, rows] : outcome.tables) {
    for (std::string& row : rows) row = (*this)(row);
    std::ranges::sort(rows);
  }
  return outcome;
}

std::optional<std::string> difference(const Outcome& seen, const Outcome& other,
                                      const std::vector<std::string>& calls) {
  for (std::size_t t = 0; t < seen.told.size(); ++t) {
    if (!seen.told[t].committed) continue;
    if (!other.told[t].committed) return fmt::format("{} fails: {}", calls[t], other.told[t].why);
    const auto &a = seen.told[t].lines, &b = other.told[t].lines;
    // Rounds of a loop may come in any order.
    if (std::is_permutation(a.begin(), a.end(), b.begin(), b.end())) continue;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
      if (line_at(a, i) != line_at(b, i)) return words_of(calls[t], line_at(a, i), line_at(b, i));
  }
  for (const auto& [table, rows] : seen.tables) {
    const auto found = other.tables.find(table);
    const std::vector<std::string> none;
    const auto& others = found == other.tables.end() ? none : found->second;
    if (rows != others)
      return fmt::format("{} ends with {} instead of {}", table, rows_of(others, rows),
                         rows_of(rows, others));
  }
  return std::nullopt;
}

}  // namespace assay::replay
