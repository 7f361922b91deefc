#include "random_sql/session.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>

namespace assay::test {
namespace {

SqlAnswerText read_answer(PGresult* result) {
  SqlAnswerText answer;
  const ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
    const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    answer.state = state != nullptr ? state : "?";
    answer.problem = PQresultErrorMessage(result);
  }
  for (int row = 0; row < PQntuples(result); ++row) {
    answer.rows.emplace_back();
    for (int column = 0; column < PQnfields(result); ++column)
      answer.rows.back().push_back(PQgetisnull(result, row, column) != 0
                                       ? "NULL"
                                       : fmt::format("'{}'", PQgetvalue(result, row, column)));
  }
  PQclear(result);
  return answer;
}

}  // namespace

std::string SqlAnswerText::sorted() const {
  auto copy = rows;
  std::ranges::sort(copy);
  std::string text;
  for (const auto& row : copy) {
    for (const std::string& value : row) text += value + " ";
    text += "\n";
  }
  return text;
}

std::string SqlAnswerText::literal() const { return rows.empty() ? "NULL" : rows[0].at(0); }

std::string SqlAnswerText::value() const {
  const std::string text = literal();
  return text == "NULL" ? "" : text.substr(1, text.size() - 2);
}

SqlSession::SqlSession(const std::string& url, SqlSession* watcher)
    : connection_(PQconnectdb(url.c_str())), watcher_(watcher) {
  EXPECT_EQ(PQstatus(connection_), CONNECTION_OK) << PQerrorMessage(connection_);
  PQsetNoticeProcessor(
      connection_, [](void*, const char*) {}, nullptr);
  run("SET client_min_messages = warning; SET deadlock_timeout = '10ms'");
}

SqlSession::~SqlSession() { PQfinish(connection_); }

SqlAnswerText SqlSession::run(const std::string& statements) {
  return read_answer(PQexec(connection_, statements.c_str()));
}

void SqlSession::send(const std::string& statement) {
  ASSERT_EQ(PQsendQuery(connection_, statement.c_str()), 1) << PQerrorMessage(connection_);
}

bool SqlSession::answered() {
  while (PQisBusy(connection_) != 0) {
    pollfd ready{PQsocket(connection_), POLLIN, 0};
    if (poll(&ready, 1, 2) == 0 && watcher_ != nullptr && waits_for_a_lock()) return false;
    if (PQconsumeInput(connection_) == 0) {
      ADD_FAILURE() << PQerrorMessage(connection_);
      return true;
    }
  }
  return true;
}

SqlAnswerText SqlSession::answer() {
  SqlAnswerText last;
  while (PGresult* result = PQgetResult(connection_)) last = read_answer(result);
  return last;
}

bool SqlSession::waits_for_a_lock() {
  return watcher_->run(fmt::format("SELECT cardinality(pg_blocking_pids({})) > 0", PQbackendPID(connection_)))
             .value() == "t";
}

}  // namespace assay::test
