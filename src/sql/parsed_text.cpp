#include "sql/parsed_text.h"

#include <algorithm>
#include <cctype>

#include "sql/errors.h"

namespace assay::sql {

Place Parsed::place_at(std::size_t offset) const {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return {file, first_line + static_cast<std::size_t>(std::count(text.begin(), end, '\n'))};
}

Place Parsed::place_of(const Json& statement) const {
  auto at = static_cast<std::size_t>(number_of(statement, "stmt_location"));
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    else if (text.compare(at, 2, "--") == 0) at = std::min(text.find('\n', at), text.size());
    else if (text.compare(at, 2, "/*") == 0) at = std::min(text.find("*/", at), text.size() - 2) + 2;
    else break;
  }
  return place_at(at);
}

std::string Parsed::text_of_statement(const Json& statement) const {
  const auto start = static_cast<std::size_t>(number_of(statement, "stmt_location"));
  const auto length = static_cast<std::size_t>(number_of(statement, "stmt_len"));
  return text.substr(std::min(start, text.size()), length == 0 ? std::string::npos : length);
}

Result<Parsed> parse(std::string text, FileName file, std::size_t first_line) {
  Parsed result{std::move(text), std::move(file), first_line, {}};
  auto statements = parse_sql(result.text);
  if (!statements) {
    Error problem = std::move(statements).error();
    std::size_t byte = 0;
    if (problem.place.starts_with("byte ")) byte = std::stoul(problem.place.substr(5));
    return error_at(result.place_at(byte), problem.what, problem.remedy);
  }
  result.statements = std::move(statements).value();
  return result;
}

}  // namespace assay::sql
