// A connection to PostgreSQL on which statements may wait for locks while others go on.
#pragma once

#include <libpq-fe.h>

#include <string>
#include <vector>

namespace assay::test {

struct SqlAnswerText {
  std::string state, problem;                  // SQLSTATE and message of an error
  std::vector<std::vector<std::string>> rows;  // literals

  std::string sorted() const;   // all rows, in an order of their own
  std::string literal() const;  // the first value, NULL without one
  std::string value() const;    // the same without quotes
};

class SqlSession {
 public:
  // `watcher` is asked whether this session waits for a lock; none for one that never does.
  explicit SqlSession(const std::string& url, SqlSession* watcher = nullptr);
  ~SqlSession();
  SqlSession(const SqlSession&) = delete;
  SqlSession& operator=(const SqlSession&) = delete;

  SqlAnswerText run(
      const std::string& statements);  // waits; the answer of the last one, or of the first error

  void send(const std::string& statement);
  bool answered();  // waits until it is, or until a lock keeps it
  SqlAnswerText answer();

 private:
  bool waits_for_a_lock();

  PGconn* connection_;
  SqlSession* watcher_;
};

}  // namespace assay::test
