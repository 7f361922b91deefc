// A database of our own on the server of a URL: nothing outside of it is touched, and it is dropped at the
// end.
//
// A role that may not create databases gets a schema of its own instead. That is only safe when the user's
// text cannot name anything outside: it is refused when it has the name of any other schema in it, as a word.
#pragma once

#include <memory>
#include <string>

#include "collect/server.h"
#include "collect/sql_session.h"

namespace assay::replay {

class OwnDatabase {
 public:
  // A URL, or start:postgres.
  static Result<OwnDatabase> open(const std::string& where);
  OwnDatabase(OwnDatabase&&) = default;
  OwnDatabase& operator=(OwnDatabase&&) = default;
  ~OwnDatabase();

  const std::string& version() const { return version_; }
  const std::string& name() const { return name_; }  // of the database or of the schema
  bool is_schema() const { return is_schema_; }
  // Connected to the database, or with the schema as its search path.
  Result<std::unique_ptr<SqlSession>> connect() const;
  // Why the text cannot be run in a schema; empty: it can.
  Result<std::string> names_outside(const std::string& text) const;

 private:
  OwnDatabase() = default;

  std::unique_ptr<Server> server_;
  Url url_;
  std::unique_ptr<SqlSession> admin_;  // outside of our database
  std::string version_, name_;
  bool is_schema_ = false;
};

// What the server said last, as one line: `ERROR: ... (23505)`.
std::string problem_of(const SqlSession& session);

}  // namespace assay::replay
