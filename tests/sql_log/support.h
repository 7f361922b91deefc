// Logs to programs, for tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sql/read.h"
#include "sql_log/derive.h"

namespace assay::sql_log::test {

inline sql::Schema schema() {
  auto read =
      sql::read_schema({{"s.sql",
                         "CREATE TABLE account (id bigint PRIMARY KEY, owner text, balance bigint NOT NULL);"
                         "CREATE TABLE users (id int PRIMARY KEY, name text);"
                         "CREATE TABLE orders (id int PRIMARY KEY, user_id int REFERENCES users, n int);"}});
  if (read) return std::move(read).value();
  ADD_FAILURE() << read.error().describe();
  return {};
}

inline Result<DerivedPrograms> derive(const std::string& log, const std::string& prefix = {}) {
  return derive_programs({{"a.log", log}}, schema(), prefix);
}

// Entries of one session in plain text, one for each line that is given; `A 101 ` in front names another one.
inline std::string stderr_log(const std::vector<std::string>& messages, const std::string& pid = "101") {
  std::string text;
  for (const std::string& message : messages) {
    const bool severity = message.starts_with("ERROR") || message.starts_with("DETAIL") ||
                          message.starts_with("STATEMENT") || message.starts_with("LOG");
    text +=
        "2026-11-18 20:14:52.100 UTC [" + pid + "] " + (severity ? "" : "LOG:  statement: ") + message + "\n";
  }
  return text;
}

// The scripts without comments and blank lines.
inline std::string scripts_of(const Result<DerivedPrograms>& derived) {
  if (!derived) return derived.error().describe();
  std::string result;
  for (std::size_t start = 0; start < derived->scripts.size();) {
    const auto end = std::min(derived->scripts.find('\n', start), derived->scripts.size());
    const std::string line = derived->scripts.substr(start, end - start);
    start = end + 1;
    if (!line.empty() && (!line.starts_with("--") || line.starts_with("-- transaction:")))
      result += line + "\n";
  }
  return result;
}
inline std::string scripts(const std::vector<std::string>& messages) {
  return scripts_of(derive(stderr_log(messages)));
}

inline std::string notes_of(const Result<DerivedPrograms>& derived) {
  if (!derived) return derived.error().describe();
  std::string result;
  for (const sql::Note& note : derived->notes) result += to_text(note.place) + ": " + note.text + "\n";
  for (const UnreadProgram& unread : derived->left_out)
    result += to_text(unread.why.place) + ": " + unread.why.text + "\n";
  return result;
}

}  // namespace assay::sql_log::test
