// The log as comma-separated values (log_destination = csvlog), and such values in general.
#include <fmt/format.h>

#include <algorithm>

#include "sql_log/entry.h"

namespace assay::sql_log {
namespace {

// Columns of csvlog, as the manual lists them; later versions only add to the end.
enum CsvLogColumn : std::uint8_t {
  kProcess = 3,
  kSession = 5,
  kTransaction = 9,
  kSeverity = 11,
  kMessage = 13,
  kDetail = 14,
  kStatement = 19,
  kFewest = 23,
};

}  // namespace

Result<std::vector<CsvRow>> read_csv(const LogFile& file) {
  std::vector<CsvRow> rows;
  const std::string& text = file.text;
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size();) {
    CsvRow row{line, {}};
    for (bool more = true; more;) {
      std::string& field = row.fields.emplace_back();
      if (i < text.size() && text[i] == '"') {
        for (++i;; ++i) {
          if (i >= text.size())
            return Error{"a quoted field has no end", "the file was cut off", file.name,
                         std::to_string(row.line)};
          if (text[i] == '"' && (i + 1 >= text.size() || text[i + 1] != '"')) break;
          if (text[i] == '"') ++i;
          if (text[i] == '\n') ++line;
          field += text[i];
        }
        ++i;
      }
      while (i < text.size() && text[i] != ',' && text[i] != '\n') field += text[i++];
      if (field.ends_with('\r')) field.pop_back();
      more = i < text.size() && text[i] == ',';
      if (i < text.size()) ++i;
    }
    ++line;
    if (row.fields.size() > 1 || !row.fields[0].empty()) rows.push_back(std::move(row));
  }
  return rows;
}

Result<Entries> read_csv_log(const LogFile& file) {
  auto rows = read_csv(file);
  if (!rows) return std::move(rows).error();
  const auto name = std::make_shared<const std::string>(file.name);
  Entries result;
  for (CsvRow& row : *rows) {
    std::vector<std::string>& f = row.fields;
    if (f.size() < kFewest)
      return Error{fmt::format("{} columns, where csvlog has {} and more", f.size(), std::size_t{kFewest}),
                   "give the log as PostgreSQL wrote it", file.name, std::to_string(row.line)};
    result.entries.push_back({{name, row.line},
                              f[kSession].empty() ? f[kProcess] : std::move(f[kSession]),
                              std::move(f[kTransaction]),
                              std::move(f[kSeverity]),
                              std::move(f[kMessage]),
                              std::move(f[kDetail]),
                              std::move(f[kStatement])});
  }
  return result;
}

}  // namespace assay::sql_log
