// The log as one JSON object for each line (log_destination = jsonlog).
#include <nlohmann/json.hpp>

#include "sql_log/entry.h"

namespace assay::sql_log {

Result<Entries> read_json_log(const LogFile& file) {
  const auto name = std::make_shared<const std::string>(file.name);
  Entries result;
  std::size_t number = 0;
  for (std::size_t start = 0; start < file.text.size();) {
    const auto end = std::min(file.text.find('\n', start), file.text.size());
    const std::string_view line = std::string_view(file.text).substr(start, end - start);
    start = end + 1;
    ++number;
    if (line.find_first_not_of(" \r\t") == line.npos) continue;
    const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_object())
      return Error{"this line is no JSON object", "give the log as PostgreSQL wrote it", file.name,
                   std::to_string(number)};
    const auto text = [&](const char* member) {
      const auto found = object.find(member);
      if (found == object.end()) return std::string();
      return found->is_string() ? found->get<std::string>() : found->dump();
    };
    result.entries.push_back({{name, number},
                              object.contains("session_id") ? text("session_id") : text("pid"),
                              text("vxid"),
                              text("error_severity"),
                              text("message"),
                              text("detail"),
                              text("statement")});
  }
  return result;
}

}  // namespace assay::sql_log
