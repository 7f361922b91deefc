// SQL text to programs, for tests: errors and notes come back as text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sql/print.h"
#include "sql/read.h"

namespace assay::sql::test {

// The text stands in a file `a.sql`.
inline Application application(const std::string& text) {
  auto result = read_application({{"a.sql", text}});
  if (result) return std::move(result).value();
  ADD_FAILURE() << result.error().describe();
  return {};
}

inline std::string error_of(const std::string& text) {
  const auto result = read_application({{"a.sql", text}});
  return result ? "none" : result.error().describe();
}

inline std::vector<std::string> notes_of(const Application& application) {
  std::vector<std::string> notes;
  for (const Note& note : application.notes) notes.push_back(to_text(note.place) + ": " + note.text);
  return notes;
}

// Without the heading, and without the indentation of the outermost block.
inline std::string statements_of(const Application& application, std::size_t program = 0) {
  if (application.programs.size() <= program) return "no such program";
  const std::string text = to_text(application.programs[program], application.schema);
  std::string result;
  for (std::size_t line = text.find('\n') + 1; line < text.size();) {
    const auto end = text.find('\n', line);
    result += text.substr(line + 2, end - line - 1);
    line = end + 1;
  }
  return result;
}

inline const std::string kTables =
    "CREATE TABLE account (id bigint PRIMARY KEY, balance bigint NOT NULL, owner text);"
    "CREATE TABLE log (id bigserial PRIMARY KEY, account bigint REFERENCES account, amount bigint);\n";

// A PL/pgSQL procedure p(key bigint, amount bigint, keys bigint[]) with this text between $$ and $$.
inline Application procedure(const std::string& body) {
  return application(kTables +
                     "CREATE PROCEDURE p(key bigint, amount bigint, keys bigint[]) LANGUAGE plpgsql AS $$" +
                     body + "$$;");
}

inline Application script(const std::string& heading, const std::string& text) {
  return application(kTables + "-- transaction: " + heading + "\n" + text);
}

}  // namespace assay::sql::test
