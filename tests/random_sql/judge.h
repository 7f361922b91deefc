// What the random tests of PostgreSQL and MariaDB share: calls of random programs are executed interleaved,
// and the judge, who knows nothing of SQL, runs those that committed one after another, in every order, on
// the same server, and compares what they were told and what they leave. What no order explains must be
// covered by an anomaly that the analysis of the same text reports.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "analysis/analyze.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "random_sql/application_text.h"
#include "random_sql/session.h"

namespace assay::test {

struct ScriptCall {
  std::size_t program;
  std::vector<std::string> arguments;
};

struct ScriptOutcome {
  bool committed = false;
  std::vector<std::string> told;  // per statement, its rows
};

// How a server is spoken to.
struct Dialect {
  std::string begin;                                // a transaction
  std::function<std::string(std::string)> spelled;  // a statement of the programs
  std::function<bool(const std::string& state)>
      is_nonsense;  // the generator wrote what the server cannot read
};

// One transaction: its statements are sent one by one, each when its turn comes.
template <class Session>
class ScriptTransaction {
 public:
  ScriptTransaction(Session& session, const ProgramScript& program, const std::vector<std::string>& arguments,
                    const Dialect& dialect)
      : session_(session), program_(program), dialect_(dialect) {
    for (std::size_t p = 0; p < arguments.size(); ++p) values_[program.parameters[p]] = arguments[p];
    session_.run(dialect.begin);
  }

  bool finished() const { return finished_; }
  // Sends the next statement, unless a lock keeps the answer to the last one back.
  void step() {
    if (!waiting_) {
      const bool last = next_ == program_.statements.size();
      session_.send(last ? "COMMIT"
                         : dialect_.spelled(with_values(program_.statements[next_].text, values_)));
    }
    waiting_ = !session_.answered();
    if (!waiting_) take(session_.answer());
  }
  const ScriptOutcome& outcome() const { return outcome_; }

 private:
  void take(const SqlAnswerText& answer) {
    EXPECT_FALSE(dialect_.is_nonsense(answer.state)) << answer.problem;
    if (!answer.state.empty()) {
      session_.run("ROLLBACK");
      finished_ = true;
      return;
    }
    if (next_ == program_.statements.size()) {
      outcome_.committed = finished_ = true;
      return;
    }
    const ScriptStatement& statement = program_.statements[next_++];
    outcome_.told.push_back(answer.sorted());
    if (!statement.into.empty()) values_[statement.into] = answer.literal();
  }

  Session& session_;
  const ProgramScript& program_;
  Dialect dialect_;
  std::map<std::string, std::string> values_;
  std::size_t next_ = 0;
  bool waiting_ = false, finished_ = false;
  ScriptOutcome outcome_;
};

// A server with the tables of an application, and rows to begin with.
template <class Session>
class ScriptStage {
 public:
  virtual ~ScriptStage() = default;

  std::vector<ScriptOutcome> run(const std::vector<ScriptCall>& calls, const Dialect& dialect,
                                 Random& random) {
    restore();
    std::vector<std::unique_ptr<ScriptTransaction<Session>>> running;
    for (std::size_t i = 0; i < calls.size(); ++i)
      running.push_back(std::make_unique<ScriptTransaction<Session>>(*sessions_[i], program(calls[i]),
                                                                     calls[i].arguments, dialect));
    while (true) {
      std::vector<ScriptTransaction<Session>*> able;
      for (const auto& transaction : running)
        if (!transaction->finished()) able.push_back(transaction.get());
      if (able.empty()) break;
      able[random.below(able.size())]->step();
    }
    std::vector<ScriptOutcome> outcomes;
    for (const auto& transaction : running) outcomes.push_back(transaction->outcome());
    return outcomes;
  }

  bool explained_serially(const std::vector<ScriptCall>& calls, const std::vector<ScriptOutcome>& outcomes,
                          const Dialect& dialect) {
    const std::string state = left();
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < calls.size(); ++i)
      if (outcomes[i].committed) order.push_back(i);
    do {
      restore();
      bool same = true;
      for (const std::size_t i : order) {
        ScriptTransaction<Session> alone(*sessions_[0], program(calls[i]), calls[i].arguments, dialect);
        while (!alone.finished()) alone.step();
        same &= alone.outcome().committed && alone.outcome().told == outcomes[i].told;
      }
      if (same && left() == state) return true;
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
  }

 protected:
  // The rows to begin with, and nothing else.
  virtual void restore() = 0;
  virtual SqlAnswerText ask(const std::string& query) = 0;

  std::vector<std::unique_ptr<Session>> sessions_;
  const ApplicationText* application_ = nullptr;

 private:
  const ProgramScript& program(const ScriptCall& call) const { return application_->programs[call.program]; }
  // Values of sequences are not compared: no two runs draw the same.
  std::string left() {
    return ask("SELECT 't', k, a, b FROM t UNION ALL SELECT 'u', k, a, b FROM u UNION ALL SELECT 'l', k, v, "
               "0 "
               "FROM l")
        .sorted();
  }
};

inline std::vector<ScriptCall> draw_calls(const ApplicationText& text, Random& random) {
  std::vector<ScriptCall> calls;
  for (std::size_t i = 0, n = 2 + random.below(2); i < n; ++i) {
    const auto argument = [&] { return std::to_string(1 + random.below(2)); };
    calls.push_back({random.below(text.programs.size()), {argument(), argument()}});
  }
  return calls;
}

inline std::string told(const ApplicationText& application, const std::vector<ScriptCall>& calls) {
  std::string text = application.text();
  for (const ScriptCall& call : calls)
    text += fmt::format("-- call {}({})\n", application.programs[call.program].name,
                        fmt::join(call.arguments, ", "));
  return text;
}

// All anomalies of up to three transactions; a hard set of programs must not take an hour.
inline analysis::Analysis analyzed(const sql::Application& application, analysis::StoreLevel level) {
  analysis::Options options;
  options.cycle = 3;
  options.all_lengths = true;
  options.initial_rows = analysis::InitialRows::Any;
  options.threads = 1;
  options.seconds_per_query = 3;
  options.stop = [start = std::chrono::steady_clock::now()] { return seconds_since(start) > 20; };
  return analysis::analyze(application, analysis::Levels{.common = level}, options);
}

// Whether some anomaly is one of these calls' programs, or it was not decided. By name: a function of the
// schema is a program too.
inline bool is_covered(const analysis::Analysis& analysis, const sql::Application& application,
                       const ApplicationText& text, const std::vector<ScriptCall>& calls,
                       const std::vector<ScriptOutcome>& outcomes) {
  std::multiset<std::string> used;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (outcomes[i].committed) used.insert(text.programs[calls[i].program].name);
  const bool covered = std::ranges::any_of(analysis.anomalies, [&](const analysis::FoundAnomaly& anomaly) {
    std::multiset<std::string> on_cycle;
    for (const analysis::Call& call : anomaly.calls) on_cycle.insert(application.programs[call.program].name);
    return std::ranges::includes(used, on_cycle);
  });
  return covered || analysis.undecided_queries > 0;
}

}  // namespace assay::test
