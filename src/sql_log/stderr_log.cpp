// The log in plain text: each entry begins with log_line_prefix and a severity. The lines of its text after
// the first begin with a tab, and DETAIL, STATEMENT and others are entries of the same session behind it.
#include <algorithm>
#include <map>

#include "sql_log/entry.h"
#include "sql_log/line_prefix.h"

namespace assay::sql_log {
namespace {

constexpr std::size_t kLinesToGuessFrom = 5000;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t start = 0; start < text.size();) {
    const auto end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

class StderrLog {
 public:
  StderrLog(const LogFile& file, LinePrefix prefix)
      : name_(std::make_shared<const std::string>(file.name)), prefix_(std::move(prefix)) {}

  void line(std::string_view line, std::size_t number) {
    if (line.starts_with('\t')) {
      if (text_ != nullptr) text_->append("\n").append(line.substr(1));
      return;
    }
    const auto found = prefix_.match(line);
    if (!found) return foreign(line, number);
    const std::string_view kind = found->severity;
    LogEntry* before = last_of(found->session);
    text_ = &nowhere_;
    nowhere_.clear();
    if (kind == "DETAIL" || kind == "STATEMENT") {
      if (before != nullptr) text_ = kind == "DETAIL" ? &before->detail : &before->statement;
    } else if (kind != "HINT" && kind != "CONTEXT" && kind != "QUERY" && kind != "LOCATION" &&
               kind != "BACKTRACE") {
      last_[found->session] = result_.entries.size();
      result_.entries.push_back(
          {{name_, number}, found->session, found->transaction, std::string(kind), "", "", ""});
      text_ = &result_.entries.back().message;
    }
    *text_ = found->text;
  }

  Entries take() { return std::move(result_); }

 private:
  LogEntry* last_of(const std::string& session) {
    const auto found = last_.find(session);
    return found == last_.end() ? nullptr : &result_.entries[found->second];
  }

  void foreign(std::string_view line, std::size_t number) {
    text_ = nullptr;
    if (line.find_first_not_of(" \r") == line.npos) return;
    if (result_.foreign_lines++ == 0) result_.first_foreign = {name_, number};
  }

  std::shared_ptr<const std::string> name_;
  LinePrefix prefix_;
  Entries result_;
  std::map<std::string, std::size_t> last_;  // entry of each session
  std::string* text_ = nullptr;              // what a line that begins with a tab goes on with
  std::string nowhere_;
};

}  // namespace

Result<Entries> read_stderr_log(const LogFile& file, std::string_view prefix) {
  const std::vector<std::string_view> lines = lines_of(file.text);
  std::vector<std::string_view> sample;
  for (const std::string_view line : lines)
    if (!line.starts_with('\t') && sample.size() < kLinesToGuessFrom) sample.push_back(line);
  auto parsed = prefix.empty() ? LinePrefix::guess(sample) : LinePrefix::parse(prefix);
  if (!parsed) {
    Error problem = std::move(parsed).error();
    problem.file = file.name;
    return problem;
  }
  StderrLog log(file, std::move(parsed).value());
  for (std::size_t i = 0; i < lines.size(); ++i) log.line(lines[i], i + 1);
  return log.take();
}

}  // namespace assay::sql_log
