// The transactions of a log: which statements each session sent between BEGIN and COMMIT, or by themselves.
//
// - A statement outside of BEGIN is a transaction of its own. Several in one message are one, and so are
// those
//   with the same virtual transaction id.
// - A transaction that was rolled back changed nothing, so it is left out; but one that only read is kept:
//   the client has seen what it read, and pools of connections end every transaction with ROLLBACK.
// - A transaction that the log does not show from its beginning to its end is left out.
// - Savepoints stay where some ROLLBACK TO needs them, under names of their own (`sp1`).
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "sql/program.h"
#include "sql_log/roles.h"
#include "sql_log/shape.h"

namespace assay::sql_log {

struct SeenStatement {
  ShapedStatement what;
  Role role = Role::Work;
  std::string problem{};  // why it cannot be analysed
  sql::Place place{};
};

struct SeenTransaction {
  std::vector<SeenStatement> statements;
  std::string level;  // `serializable`; empty: the session's default
};

struct LogSummary {
  std::size_t statements = 0, transactions = 0, sessions = 0;
  std::vector<sql::Note> notes;
};

class TransactionReader {
 public:
  using Take = std::function<void(SeenTransaction)>;
  TransactionReader(const sql::Schema& schema, Take take) : schema_(schema), take_(std::move(take)) {}

  // Entries in the order of the log.
  void add(const LogEntry& entry);
  // What is open now is not seen to its end.
  LogSummary finish();

 private:
  struct Session {
    bool in_block = false;          // after BEGIN
    bool failed = false;            // nothing but ROLLBACK helps
    std::string block_transaction;  // virtual transaction id of what is open
    std::string default_level, level;
    std::vector<SeenStatement> open;
    std::string last_sql;
  };
  enum class End : std::uint8_t { Commit, Rollback, Unknown, NoBeginning };
  enum class Left : std::uint8_t { RolledBack, NoEnd, NoBeginning, Schema };

  void statement(Session& session, const LogEntry& entry, const LoggedStatement& logged);
  void one(Session& session, const LogEntry& entry, const sql::Json& tree, const std::string& sql,
           const LoggedValues& values, bool alone);
  void error(Session& session, const LogEntry& entry);
  void append(Session& session, SeenStatement statement) { session.open.push_back(std::move(statement)); }
  void end(Session& session, End how);
  void leave_out(Left why, const SeenTransaction& transaction);
  SeenStatement shaped(const std::string& sql, const LoggedValues& values, sql::Place place) const;
  void remark(const sql::Place& place, const std::string& text);

  // Whether the server seems to have logged every statement.
  struct Completeness {
    sql::Place first{};
    bool all_kinds = false;  // not only changes
    double fastest = std::numeric_limits<double>::infinity();
  };

  const sql::Schema& schema_;
  Take take_;
  Completeness complete_;
  LogSummary summary_;
  std::map<std::string, Session> sessions_;
  std::map<Left, std::pair<std::size_t, sql::Place>> left_out_;  // how many, and the first
  std::map<std::string, sql::Place> remarks_;
};

}  // namespace assay::sql_log
