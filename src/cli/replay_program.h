// Runs one program of the model against PostgreSQL, as the transaction of a replay: variables and branches
// here, statements there, expressions by asking a second connection that is in no transaction.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "analysis/analyze.h"
#include "cli/replay_history.h"
#include "cli/replay_turns.h"
#include "collect/sql_session.h"
#include "sql/print.h"
#include "sql/program.h"

namespace assay::cli {

class ReplayProgram {
 public:
  enum class End : std::uint8_t {
    Completed,
    Aborted,     // by itself, or by the database
    Impossible,  // the model says too little to run it
  };

  ReplayProgram(const sql::Application& application, const analysis::Call& call, SqlSession& transaction,
                SqlSession& calculator, ReplayRecord& record,
                std::function<void(std::uint32_t)> before_statement);

  End run();
  const std::string& why() const { return why_; }

 private:
  using Spell = sql::SpellVariable;

  // replay_program.cpp: control and expressions
  bool block(const sql::Block& block);  // false: it is over
  bool run_one(const sql::Statement& statement);
  bool assign(const sql::Assign& assign);
  bool branch(const sql::If& branch);
  bool loop(const sql::Loop& loop, const sql::Statement& statement);
  bool round(const sql::Loop& loop, bool& last);
  bool hand_on(const sql::Loop& loop, bool first);
  bool ask(const sql::ExpressionPtr& expression, CellValue& value, bool& known);
  bool query(SqlSession& session, const std::string& sql, std::vector<SqlRow>& rows);
  bool spelled(const sql::Spelling& spelling, std::string& text);
  bool impossible(const std::string& why);
  std::string literal(sql::VariableId id);
  static std::string_view cast_of(sql::Type type);
  void tell(const sql::Effect& effect, std::size_t rows);

  // replay_queries.cpp
  bool select(const sql::Select& select, const std::function<bool(const SqlRow&)>& each_row);
  bool select(const sql::Select& select, const sql::Statement& statement);
  bool aggregates(const sql::Select& select, const std::vector<SqlRow>& rows);
  void record_rows(const sql::Select& select, const std::vector<SqlRow>& rows, std::size_t first_column);
  void record_missed(const sql::Select& select, const std::vector<RowKey>& given, std::string also);
  RowKey key_of(sql::TableId table, const SqlRow& row, std::size_t first) const;
  std::string all_columns(sql::TableId table) const;
  static std::vector<std::set<sql::ColumnId>> columns_read(const sql::Select& select);
  static sql::ExpressionPtr made_by(const std::string& prefix);

  // replay_changes.cpp
  bool insert(sql::Insert insert, const sql::Statement& statement);
  bool update(const sql::Update& update, const sql::Statement& statement);
  bool erase(const sql::Delete& erase, const sql::Statement& statement);
  // What a statement on one table reads before it changes rows.
  bool lock(sql::TableId table, const sql::ExpressionPtr& where, const std::set<sql::ColumnId>& columns);
  bool returned(const std::vector<sql::Output>& returning, const sql::Effect& effect,
                const std::vector<SqlRow>& rows);

  const sql::Application& application_;
  const sql::Schema& schema_;
  const sql::Program& program_;
  SqlSession& transaction_;
  SqlSession& calculator_;
  ReplayRecord& record_;
  std::function<void(std::uint32_t)> before_statement_;
  Spell spell_;
  std::map<sql::VariableId, CellValue> values_;
  std::map<sql::VariableId, std::vector<CellValue>> sets_;
  std::map<std::pair<sql::TableId, RowKey>, std::string> last_seen_;  // xmin of rows
  std::set<sql::VariableId> unknown_;  // assigned, but the model does not say what
  bool unknown_used_ = false;          // one of these was spelled
  sql::Place place_;                   // of the statement that runs
  End end_ = End::Completed;
  std::string why_;
};

}  // namespace assay::cli
