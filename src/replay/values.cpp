#include "replay/values.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace assay::replay {
namespace {

// The number of `t5`; nothing when the text is a value of its own.
std::optional<long long> number_of(const std::string& text) {
  if (text.size() < 2 || text[0] != 't') return std::nullopt;
  long long number = 0;
  const auto [end, problem] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string short_text(long long number, long length) {
  std::string text = fmt::format("t{}", number);
  if (length < 0 || text.size() <= static_cast<std::size_t>(length)) return text;
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  text.clear();
  for (auto left = static_cast<unsigned long long>(number); text.size() < static_cast<std::size_t>(length);
       left /= letters.size())
    text += letters[left % letters.size()];
  return text;
}

}  // namespace

Result<ServerType> ServerTypes::find(const std::string& type, const std::string& modifier) {
  const auto known = known_.find({type, modifier});
  if (known != known_.end()) return known->second;
  std::vector<SqlRow> rows;
  const std::string question = fmt::format(
      "WITH RECURSIVE base AS (SELECT oid, typtype, typbasetype, typtypmod, typelem, typcategory, {1} AS mod "
      "FROM pg_type WHERE oid = {0} UNION ALL SELECT t.oid, t.typtype, t.typbasetype, t.typtypmod, "
      "t.typelem, "
      "t.typcategory, b.typtypmod FROM base b JOIN pg_type t ON (b.typtype = 'd' AND t.oid = b.typbasetype) "
      "OR "
      "(b.typcategory = 'A' AND b.typelem <> 0 AND t.oid = b.typelem)) "
      "SELECT format_type(oid, NULL), typcategory, CASE WHEN oid IN (1042, 1043) AND mod >= 4 THEN mod - 4 "
      "ELSE "
      "-1 END, oid, CASE WHEN oid = 1700 AND mod >= 4 THEN ((mod - 4) >> 16) - ((mod - 4) & 65535) ELSE 9 "
      "END FROM "
      "base WHERE typtype <> 'd' AND NOT (typcategory = 'A' AND typelem <> 0) LIMIT 1",
      type, modifier);
  if (session_.run(question, rows) != Reply::Done) return error(session_.problem());
  ServerType found;
  if (!rows.empty()) {
    found.name = rows[0][0].value_or("");
    found.category = rows[0][1].value_or("U")[0];
    found.length = std::stol(rows[0][2].value_or("-1"));
    found.digits = std::clamp(std::stoi(rows[0][4].value_or("9")), 0, 9);
    const std::string oid = rows[0][3].value_or("0");
    if (session_.run("SELECT enumlabel FROM pg_enum WHERE enumtypid = " + oid + " ORDER BY enumsortorder",
                     rows) != Reply::Done)
      return error(session_.problem());
    for (const SqlRow& row : rows) found.labels.push_back(row.at(0).value_or(""));
  }
  return known_[{type, modifier}] = found;
}

std::string made_up(long long number, const ServerType& type) {
  const auto bits = static_cast<unsigned long long>(number);
  if (!type.labels.empty()) return type.labels[bits % type.labels.size()];
  if (type.category == 'N') {
    long long limit = 1;
    for (int i = 0; i < type.digits; ++i) limit *= 10;
    return std::to_string(number % limit);
  }
  if (type.category == 'B') return number % 2 == 0 ? "false" : "true";
  if (type.name == "uuid") return fmt::format("00000000-0000-4000-8000-{:012x}", bits & 0xffffffffffff);
  if (type.name == "json" || type.name == "jsonb") return fmt::format("\"t{}\"", number);
  if (type.name == "bytea") return fmt::format("\\x{:016x}", bits);
  if (type.name == "interval") return fmt::format("{} seconds", number);
  if (type.name.starts_with("time ")) return fmt::format("{:02}:{:02}:00", bits / 60 % 24, bits % 60);
  if (type.category == 'I') return fmt::format("10.{}.{}.{}", bits >> 16 & 255, bits >> 8 & 255, bits & 255);
  if (type.category == 'D') {
    using namespace std::chrono;
    const year_month_day date(sys_days{year{2024} / 1 / 1} + days{number % 100000});
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  }
  return short_text(number, type.length);
}

std::optional<std::string> spelled(const analysis::Value& value, const ServerType& type) {
  if (value.null) return std::nullopt;
  const auto number = number_of(value.text);
  return number ? made_up(*number, type) : value.text;
}

std::string array_of(const std::vector<std::optional<std::string>>& elements) {
  std::string text;
  for (const auto& element : elements) {
    std::string quoted;
    for (const char c : element.value_or("")) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    text += (text.empty() ? "" : ",") + (element ? '"' + quoted + '"' : std::string("NULL"));
  }
  return "{" + text + "}";
}

}  // namespace assay::replay
