// A connection that takes any SQL and gives rows as text: for those who bring statements of their own.
//
// An adapter (database.h) knows keys and values only; replaying the programs of an application needs their
// SQL.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collect/database.h"

namespace assay {

using SqlRow = std::vector<std::optional<std::string>>;  // nullopt: NULL

class SqlSession {
 public:
  virtual ~SqlSession() = default;

  // Rows of the last statement of the text. Aborted: the transaction cannot go on; Broken: a bad statement.
  virtual Reply run(const std::string& sql, std::vector<SqlRow>& rows) = 0;
  Reply run(const std::string& sql) {
    std::vector<SqlRow> none;
    return run(sql, none);
  }
  // How many rows the last statement changed or gave.
  virtual std::size_t count() const = 0;
  virtual std::string problem() const = 0;
  virtual std::string version() const = 0;
};

// Only PostgreSQL has them so far.
Result<std::unique_ptr<SqlSession>> open_sql_session(const Url& url);

}  // namespace assay
