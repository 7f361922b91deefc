// One call of a program, as the transaction of a run: the user's function is called, or the statements of the
// user's script are sent one by one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "replay/gates.h"
#include "replay/outcome.h"
#include "replay/state.h"

namespace assay::replay {

// A call of the witness in the user's words.
struct PreparedCall {
  std::string name;                             // T1 withdraw
  std::optional<std::size_t> function, script;  // one of them
  std::string sql{};                            // that calls the function
  std::vector<SqlParameter>
      values{};  // of the parameters of the script; those that it sets itself come later
};

Result<PreparedCall> prepare_call(State& state, const sql::Written& written,
                                  const sql::Application& application, const analysis::FoundAnomaly& anomaly,
                                  std::size_t call);

class Transaction {
 public:
  // `keeper` is another connection of the same thread: it opens the gates.
  Transaction(const sql::Written& written, const Gates& gates, const PreparedCall& call, SqlSession& session,
              SqlSession& keeper, Told& told)
      : written_(written), gates_(gates), call_(call), session_(session), keeper_(keeper), told_(told) {}

  // `at_gate` returns when the transaction may go on. Does not commit; false: it failed.
  bool run(std::string_view level, const std::function<void(const Gate&)>& at_gate);
  bool commit();
  void roll_back() { (void)session_.run("ROLLBACK"); }

 private:
  bool call_function();
  bool run_script();
  void hear(std::string_view state, std::string_view text);
  bool failed();
  void add_rows(const sql::Place& place, std::vector<SqlRow> rows);

  const sql::Written& written_;
  const Gates& gates_;
  const PreparedCall& call_;
  SqlSession& session_;
  SqlSession& keeper_;
  Told& told_;
  std::function<void(const Gate&)> at_gate_;
  std::size_t passed_ = 0;
};

// Whether an error with this SQLSTATE says that a statement cannot be run there at all, whatever the rows
// are.
bool cannot_run(const std::string& state);

}  // namespace assay::replay
