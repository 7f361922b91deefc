#include "history_io/log_directory.h"

#include <simdjson.h>

#include <algorithm>
#include <filesystem>

#include "history_io/byte_source.h"
#include "history_io/text_scan.h"

namespace assay {
namespace {

// Removes the run of digits at the beginning of `text`, and returns it without leading zeros.
std::string_view take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  return digits;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a, whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const std::string_view x = take_number(a), y = take_number(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a[0] != b[0]) return a[0] < b[0];
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;  // T1 and T01: the order is arbitrary but fixed
}

std::vector<std::string> log_files(const std::string& directory, std::string_view prefix) {
  std::vector<std::string> files;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(directory, problem)) {
    const std::string name = entry.path().filename().string();
    std::error_code ignored;
    if (name.starts_with(prefix) && name.ends_with(".log") && !entry.is_directory(ignored))
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end(), [](const std::string& a, const std::string& b) {
    return natural_less(session_name_of(a), session_name_of(b));
  });
  return files;
}

std::string session_name_of(const std::string& path) { return std::filesystem::path(path).stem().string(); }

Result<SessionId> session_of_log(HistoryBuilder& builder, const std::string& path) {
  const std::string name = session_name_of(path);
  if (simdjson::validate_utf8(name)) return builder.session(name);
  Error problem = error("the name of the log is not UTF-8", "rename it");
  problem.file = excerpt(path);
  return problem;
}

bool logs_look_like(const std::string& directory, std::string_view prefix,
                    bool (*looks_like)(std::string_view beginning)) {
  for (const std::string& file : log_files(directory, prefix)) {
    auto source = ByteSource::open(file);
    if (!source) return false;
    source->need(4096);
    if (!source->window().empty()) return looks_like(source->window().substr(0, 4096));
  }
  return false;
}

}  // namespace assay
