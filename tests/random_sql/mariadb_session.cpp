#include "random_sql/mariadb_session.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <sstream>

namespace assay::test {

MariadbSession::MariadbSession(const std::string& socket) : link_(mysql_init(nullptr)) {
  EXPECT_NE(mysql_real_connect(link_, nullptr, "root", nullptr, nullptr, 0, socket.c_str(), 0), nullptr)
      << mysql_error(link_);
}

SqlAnswerText MariadbSession::run(const std::string& statement) {
  send(statement);
  return answer();
}

SqlAnswerText MariadbSession::run_all(const std::string& statements) {
  SqlAnswerText last;
  std::istringstream lines(statements);
  for (std::string line; last.state.empty() && std::getline(lines, line, ';');)
    if (line.find_first_not_of(" \n") != line.npos) last = run(line);
  return last;
}

void MariadbSession::send(const std::string& statement) {
  ASSERT_EQ(mysql_send_query(link_, statement.data(), statement.size()), 0) << mysql_error(link_);
}

bool MariadbSession::answered() {
  pollfd ready{static_cast<int>(mysql_get_socket(link_)), POLLIN, 0};
  return poll(&ready, 1, 15) != 0;
}

SqlAnswerText MariadbSession::answer() {
  SqlAnswerText answer;
  MYSQL_RES* rows = mysql_read_query_result(link_) ? nullptr : mysql_store_result(link_);
  if (mysql_errno(link_) != 0) {
    answer.state = std::to_string(mysql_errno(link_));
    answer.problem = mysql_error(link_);
    return answer;
  }
  if (rows == nullptr) return answer;
  while (const MYSQL_ROW row = mysql_fetch_row(rows)) {
    answer.rows.emplace_back();
    for (unsigned column = 0; column < mysql_num_fields(rows); ++column)
      answer.rows.back().push_back(row[column] != nullptr ? row[column] : "NULL");
  }
  mysql_free_result(rows);
  return answer;
}

}  // namespace assay::test
