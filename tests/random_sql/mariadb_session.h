// A connection to MariaDB on which statements may wait for locks while others go on.
#pragma once

#include <mysql.h>

#include <string>

#include "random_sql/session.h"

namespace assay::test {

class MariadbSession {
 public:
  explicit MariadbSession(const std::string& socket);
  ~MariadbSession() { mysql_close(link_); }
  MariadbSession(const MariadbSession&) = delete;
  MariadbSession& operator=(const MariadbSession&) = delete;

  // Waits; the answer, whose `state` is the number of an error.
  SqlAnswerText run(const std::string& statement);
  // All of them, up to the first error.
  SqlAnswerText run_all(const std::string& statements);

  void send(const std::string& statement);
  // False when it takes long: a lock keeps the answer, or the machine is busy, which is as well.
  bool answered();
  SqlAnswerText answer();

 private:
  MYSQL* link_;
};

}  // namespace assay::test
