// A connection that takes any SQL and gives rows as text: for those who bring statements of their own.
//
// An adapter (database.h) knows keys and values only; replaying the programs of an application needs their
// SQL.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collect/database.h"

namespace assay {

using SqlRow = std::vector<std::optional<std::string>>;  // nullopt: NULL

// For $n of a statement. Type 0: the server finds out.
struct SqlParameter {
  std::optional<std::string> value;
  unsigned type = 0;
};
struct SqlResultColumn {
  std::string name;
  unsigned type;
};

class SqlSession {
 public:
  virtual ~SqlSession() = default;

  // Rows of the last statement of the text. Aborted: the transaction cannot go on; Broken: a bad statement.
  virtual Reply run(const std::string& sql, std::vector<SqlRow>& rows) = 0;
  Reply run(const std::string& sql) {
    std::vector<SqlRow> none;
    return run(sql, none);
  }
  // One statement, with its parameters beside it.
  virtual Reply run(const std::string& sql, std::span<const SqlParameter> parameters,
                    std::vector<SqlRow>& rows) = 0;
  // Of the rows that the last statement gave.
  virtual std::vector<SqlResultColumn> columns() const = 0;
  // Called on the thread that runs a statement, while it runs, with the SQLSTATE and the text of each notice.
  virtual void on_notice(std::function<void(std::string_view, std::string_view)> heard) = 0;
  // How many rows the last statement changed or gave.
  virtual std::size_t count() const = 0;
  virtual std::string problem() const = 0;
  virtual std::string state() const = 0;  // SQLSTATE of the last problem; empty when the connection was lost
  virtual std::string version() const = 0;
};

// Only PostgreSQL has them so far.
Result<std::unique_ptr<SqlSession>> open_sql_session(const Url& url);

}  // namespace assay
