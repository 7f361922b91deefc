// Random schemas and programs are executed on MariaDB at each of its levels, with and without
// innodb_snapshot_isolation; an execution that no serial order explains must be covered by an anomaly that
// the analysis of the same text reports.
//
// The text is PostgreSQL's, which the analysis reads, and is spelled for MariaDB before it is sent. The judge
// is that of soundness_test.cpp: all serial orders on the same server.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "analysis/analyze.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "collect/server.h"
#include "random_sql/application_text.h"
#include "random_sql/mariadb_session.h"
#include "sql/read.h"
#include "support/random.h"

namespace assay::test {
namespace {

struct MariadbText {
  ApplicationText application;
  std::string schema;  // as MariaDB spells it
};

class MariadbDrawing {
 public:
  explicit MariadbDrawing(Random& random) : random_(random) {}

  MariadbText draw() {
    schema();
    for (const char* name : {"p0", "p1"}) text_.application.programs.push_back(program(name));
    return std::move(text_);
  }

 private:
  std::string one_of(std::initializer_list<const char*> list) {
    return *(list.begin() + random_.below(list.size()));
  }
  void both(const std::string& statement) {
    text_.application.schema += statement + ";\n";
    text_.schema += statement + ";\n";
  }

  void schema() {
    unique_ = random_.chance(0.2);
    both(
        fmt::format("CREATE TABLE u (k int PRIMARY KEY, a int NOT NULL, b int{})", unique_ ? " UNIQUE" : ""));
    both("CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL, b int)");
    text_.application.schema += "CREATE TABLE l (id serial PRIMARY KEY, k int, v int);\n";
    text_.schema += "CREATE TABLE l (id int AUTO_INCREMENT PRIMARY KEY, k int, v int);\n";
    for (const char* column : {"t (a)", "t (b)", "u (a)", "l (v)"})
      if (random_.chance(0.3)) both(fmt::format("CREATE INDEX i{} ON {}", indexes_++, column));
    text_.application.has_parent = random_.chance(0.15);
    if (text_.application.has_parent)
      both("ALTER TABLE t ADD FOREIGN KEY (b) REFERENCES u (k) " +
           one_of({"", "ON DELETE CASCADE", "ON DELETE SET NULL", "ON UPDATE CASCADE"}));
    if (random_.chance(0.15)) trigger();
  }

  void trigger() {
    const std::string body = one_of(
        {"UPDATE u SET a = NEW.a WHERE k = NEW.k", "INSERT INTO l (k, v) VALUES (NEW.k, NEW.b)",
         "IF (SELECT count(*) FROM u WHERE a = NEW.a) > 0 THEN UPDATE u SET b = 1 WHERE k = 1; END IF"});
    text_.application.schema += fmt::format(
        "CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {}; RETURN NEW; END $$;\n"
        "CREATE TRIGGER tr AFTER UPDATE ON t FOR EACH ROW EXECUTE FUNCTION tf();\n",
        body);
    trigger_ = fmt::format("CREATE TRIGGER tr AFTER UPDATE ON t FOR EACH ROW BEGIN {}; END", body);
  }

  ProgramScript program(std::string name) {
    ProgramScript script{std::move(name), {"p", "q"}, {}};
    values_ = {":p", ":q", "1", "2"};
    int variables = 0;
    for (std::uint64_t n = 2 + random_.below(3); n > 0; --n) {
      ScriptStatement statement = draw_statement();
      if (statement.into == "?") {
        statement.into = fmt::format("v{}", variables++);
        statement.text.replace(statement.text.find('@'), 1, statement.into);
        values_.push_back(":" + statement.into);
      }
      script.statements.push_back(std::move(statement));
    }
    return script;
  }

  std::string pick() { return values_[random_.below(values_.size())]; }
  std::string key() { return values_[random_.below(4)]; }
  std::string table() { return one_of({"t", "t", "u"}); }
  std::string column() { return one_of({"a", "b"}); }
  std::string lock(double chance) {
    return random_.chance(chance) ? one_of({" FOR UPDATE", " FOR UPDATE", " FOR SHARE"}) : "";
  }
  std::string condition(const std::string& on) {
    if (random_.chance(0.55)) return "k = " + key();
    switch (random_.below(7)) {
      case 0: return fmt::format("{} = {}", column(), pick());
      case 1: return fmt::format("{} < {}", column(), pick());
      case 2: return fmt::format("NOT ({} = {})", column(), pick());
      case 3: return fmt::format("k IN ({}, {})", key(), key());
      case 4: return fmt::format("k = {} AND {} > {}", key(), column(), pick());
      case 5: return "k BETWEEN 1 AND " + pick();
      default:
        return fmt::format("{} = (SELECT max(a) FROM {} WHERE k <> {})", column(), on == "u" ? "t" : "u",
                           key());
    }
  }
  std::string guarded(const std::string& where) {
    if (values_.size() == 4 || !random_.chance(0.5)) return where;
    return fmt::format("{} AND {} {}", where, values_.back(), one_of({"> 0", "= 1", "< 2", "IS NOT NULL"}));
  }

  ScriptStatement draw_statement() {
    const std::string on = table();
    switch (random_.below(14)) {
      case 0:
      case 1:
      case 2:
        return {fmt::format("SELECT {} AS @ FROM {} WHERE k = {}{}", column(), on, key(), lock(0.3)), "?"};
      case 3:
        return {fmt::format("SELECT {}({}) AS @ FROM {} WHERE {}", one_of({"max", "min", "sum"}),
                            one_of({"a", "b", "k"}), on, condition(on)),
                "?"};
      case 4: return {fmt::format("SELECT count(*) AS @ FROM {} WHERE {}", on, condition(on)), "?"};
      case 5:
      case 6:
      case 7:
        return {fmt::format("UPDATE {} SET {} = {} WHERE {}", on, column(),
                            random_.chance(0.4) ? "a + 1" : pick(), guarded(condition(on)))};
      case 8: return {insert(on)};
      case 9:
        return {fmt::format("INSERT INTO l (k, v) SELECT {}, {} /*dual*/ WHERE {}", key(), pick(),
                            guarded("NOT EXISTS (SELECT 1 FROM l WHERE v = " + key() + ")"))};
      case 10: return {fmt::format("DELETE FROM {} WHERE {}", on, guarded(condition(on)))};
      case 11:
        return {fmt::format("SELECT k AS @ FROM {} WHERE {}{}", on, "k = " + key(), " FOR UPDATE"), "?"};
      case 12: return {fmt::format("SELECT count(*) AS @ FROM l WHERE v = {}", key()), "?"};
      default: return {fmt::format("SELECT t.a AS @ FROM t JOIN u ON t.b = u.k WHERE t.k = {}", key()), "?"};
    }
  }

  std::string insert(const std::string& on) {
    const std::string row = fmt::format("(k, a, b) VALUES ({}, {}, {})", key(), key(), pick());
    switch (random_.below(4)) {
      case 0:
        if (!(unique_ && on == "u"))
          return fmt::format("INSERT INTO {} {} ON CONFLICT (k) DO UPDATE SET {} = {}", on, row, column(),
                             one_of({"1", "2"}));
        [[fallthrough]];
      case 1:
        return fmt::format("INSERT INTO {} (k, a, b) SELECT {}, {}, {} /*dual*/ WHERE {}", on, key(), key(),
                           pick(), guarded("NOT EXISTS (SELECT 1 FROM u WHERE " + condition("u") + ")"));
      case 2:
        return fmt::format("INSERT INTO l (k, v) SELECT k, a FROM {} WHERE {}", on, guarded(condition(on)));
      default: return fmt::format("INSERT INTO {} {}", on, row);
    }
  }

  Random& random_;
  MariadbText text_;
  int indexes_ = 0;
  bool unique_ = false;
  std::vector<std::string> values_;

 public:
  std::string trigger_;
};

std::string for_mariadb(std::string text) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    if (const auto at = text.find(from); at != text.npos) text.replace(at, from.size(), to);
  };
  replace("ON CONFLICT (k) DO UPDATE SET", "ON DUPLICATE KEY UPDATE");
  replace("FOR SHARE", "LOCK IN SHARE MODE");
  replace("/*dual*/", "FROM DUAL");
  return text;
}

struct MariadbCall {
  std::size_t program;
  std::vector<std::string> arguments;
};

struct MariadbOutcome {
  bool committed = false;
  std::vector<std::string> told;
};

class MariadbTransaction {
 public:
  MariadbTransaction(MariadbSession& session, const ProgramScript& program,
                     const std::vector<std::string>& arguments)
      : session_(session), program_(program) {
    for (std::size_t p = 0; p < arguments.size(); ++p) values_[program.parameters[p]] = arguments[p];
    session_.run("START TRANSACTION");
  }

  bool finished() const { return finished_; }
  void step() {
    if (!waiting_) {
      const bool last = next_ == program_.statements.size();
      session_.send(last ? "COMMIT" : for_mariadb(with_values(program_.statements[next_].text, values_)));
    }
    waiting_ = !session_.answered();
    if (!waiting_) take(session_.answer());
  }
  const MariadbOutcome& outcome() const { return outcome_; }

 private:
  void take(const SqlAnswerText& answer) {
    EXPECT_FALSE(answer.state == "1064" || answer.state == "1054" || answer.state == "1146")
        << answer.problem;  // the generator wrote nonsense
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

  MariadbSession& session_;
  const ProgramScript& program_;
  std::map<std::string, std::string> values_;
  std::size_t next_ = 0;
  bool waiting_ = false, finished_ = false;
  MariadbOutcome outcome_;
};

class MariadbStage {
 public:
  explicit MariadbStage(const std::string& socket) : admin_(socket) {
    for (int i = 0; i < 3; ++i) sessions_.push_back(std::make_unique<MariadbSession>(socket));
  }

  void create(const MariadbText& text, const std::string& trigger) {
    application_ = &text.application;
    trigger_ = trigger;
    const SqlAnswerText made = admin_.run_all(
        "DROP DATABASE IF EXISTS random_sql; CREATE DATABASE random_sql CHARACTER SET utf8mb4; USE "
        "random_sql;" +
        text.schema);
    ASSERT_EQ(made.state, "") << made.problem << "\n" << text.schema;
    for (const auto& session : sessions_) ASSERT_EQ(session->run("USE random_sql").state, "");
  }

  void level(const std::string& name, bool snapshot) {
    for (const auto& session : sessions_) {
      const SqlAnswerText set = session->run_all(fmt::format(
          "SET SESSION innodb_lock_wait_timeout = 5; SET SESSION innodb_snapshot_isolation = {}; SET "
          "SESSION TRANSACTION ISOLATION LEVEL {}",
          snapshot ? "ON" : "OFF", name));
      ASSERT_EQ(set.state, "") << set.problem;
    }
  }

  void draw_rows(Random& random) {
    clear();
    rows_.clear();
    for (const char* table : {"u", "t"})
      for (int key = 1; key <= 2; ++key)
        if (random.chance(0.75)) {
          const std::string row = fmt::format("INSERT INTO {} (k, a, b) VALUES ({}, {}, {})", table, key,
                                              random.below(3), application_->parent(table, random.below(3)));
          if (admin_.run(row).state.empty()) rows_ += row + ";";
        }
  }

  std::vector<MariadbOutcome> run(const std::vector<MariadbCall>& calls, Random& random) {
    restore();
    std::vector<std::unique_ptr<MariadbTransaction>> running;
    for (std::size_t i = 0; i < calls.size(); ++i)
      running.push_back(std::make_unique<MariadbTransaction>(
          *sessions_[i], application_->programs[calls[i].program], calls[i].arguments));
    while (true) {
      std::vector<MariadbTransaction*> able;
      for (const auto& transaction : running)
        if (!transaction->finished()) able.push_back(transaction.get());
      if (able.empty()) break;
      able[random.below(able.size())]->step();
    }
    std::vector<MariadbOutcome> outcomes;
    for (const auto& transaction : running) outcomes.push_back(transaction->outcome());
    return outcomes;
  }

  std::string left() {
    return admin_
        .run(
            "SELECT 't', k, a, b FROM t UNION ALL SELECT 'u', k, a, b FROM u UNION ALL SELECT 'l', k, v, 0 "
            "FROM l")
        .sorted();
  }

  bool explained_serially(const std::vector<MariadbCall>& calls,
                          const std::vector<MariadbOutcome>& outcomes) {
    const std::string state = left();
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < calls.size(); ++i)
      if (outcomes[i].committed) order.push_back(i);
    do {
      restore();
      bool same = true;
      for (const std::size_t i : order) {
        MariadbTransaction alone(*sessions_[0], application_->programs[calls[i].program], calls[i].arguments);
        while (!alone.finished()) alone.step();
        same &= alone.outcome().committed && alone.outcome().told == outcomes[i].told;
      }
      if (same && left() == state) return true;
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
  }

 private:
  void clear() { admin_.run_all("DROP TRIGGER IF EXISTS tr; DELETE FROM t; DELETE FROM u; DELETE FROM l"); }
  void restore() {
    clear();
    EXPECT_EQ(admin_.run_all(rows_).state, "");
    if (!trigger_.empty()) {
      const SqlAnswerText made = admin_.run(trigger_);
      EXPECT_EQ(made.state, "") << made.problem;
    }
  }

  MariadbSession admin_;
  std::vector<std::unique_ptr<MariadbSession>> sessions_;
  const ApplicationText* application_ = nullptr;
  std::string rows_, trigger_;
};

std::string as_called(const ApplicationText& application, const std::vector<MariadbCall>& calls) {
  std::string text = application.text();
  for (const MariadbCall& call : calls)
    text += fmt::format("-- call {}({})\n", application.programs[call.program].name,
                        fmt::join(call.arguments, ", "));
  return text;
}

struct MariadbLevel {
  analysis::StoreLevel level;
  const char* name;
  bool snapshot;
  std::size_t unexplained = 0, analysed = 0;
};

TEST(MariadbSoundness, EveryExecutionThatNoSerialOrderExplainsIsCoveredByAnAnomaly) {
  auto server = Server::start("mariadb");
  ASSERT_TRUE(server) << server.error().describe();
  const std::string socket = server->url().substr(server->url().find("socket=") + 7);
  MariadbStage stage(socket);
  const std::uint64_t seed = suite_seed("MariaDB soundness");
  std::size_t runs = 0;
  const std::size_t sets = scaled(1000, 8);
  MariadbLevel levels[] = {{analysis::StoreLevel::MariadbRc, "READ COMMITTED", false},
                           {analysis::StoreLevel::MariadbRr, "REPEATABLE READ", false},
                           {analysis::StoreLevel::MariadbSnapshot, "REPEATABLE READ", true},
                           {analysis::StoreLevel::Ser, "SERIALIZABLE", false}};
  for (std::size_t round = 0; round < sets; ++round) {
    Random random(seed + round);
    MariadbDrawing drawing(random);
    const MariadbText drawn = drawing.draw();
    const ApplicationText& text = drawn.application;
    stage.create(drawn, drawing.trigger_);
    if (HasFatalFailure()) return;
    const auto application = sql::read_application({{"random.sql", text.text()}});
    ASSERT_TRUE(application) << application.error().describe() << "\n" << text.text();
    for (MariadbLevel& level : levels) {
      stage.level(level.name, level.snapshot);
      if (HasFatalFailure()) return;
      std::optional<analysis::Analysis> analysis;  // once somebody needs it
      for (int execution = 0; execution < 12; ++execution) {
        stage.draw_rows(random);
        std::vector<MariadbCall> calls;
        for (std::size_t i = 0, n = 2 + random.below(2); i < n; ++i) {
          const auto argument = [&] { return std::to_string(1 + random.below(2)); };
          calls.push_back({random.below(text.programs.size()), {argument(), argument()}});
        }
        const auto outcomes = stage.run(calls, random);
        ++runs;
        if (std::ranges::count(outcomes, true, &MariadbOutcome::committed) < 2) continue;
        if (stage.explained_serially(calls, outcomes)) continue;
        ++level.unexplained;
        if (!analysis) {
          analysis::Options options;
          options.cycle = 3;
          options.all_lengths = true;
          options.initial_rows = analysis::InitialRows::Any;
          options.threads = 1;
          // A hard set of programs must not take an hour.
          options.seconds_per_query = 3;
          options.stop = [start = std::chrono::steady_clock::now()] { return seconds_since(start) > 20; };
          analysis = analysis::analyze(*application, analysis::Levels{.common = level.level}, options);
          ++level.analysed;
        }
        std::multiset<std::string> used;
        for (std::size_t i = 0; i < calls.size(); ++i)
          if (outcomes[i].committed) used.insert(text.programs[calls[i].program].name);
        const bool covered =
            std::ranges::any_of(analysis->anomalies, [&](const analysis::FoundAnomaly& anomaly) {
              std::multiset<std::string> on_cycle;
              for (const analysis::Call& call : anomaly.calls)
                on_cycle.insert(application->programs[call.program].name);
              return std::ranges::includes(used, on_cycle);
            });
        EXPECT_TRUE(covered || analysis->undecided_queries > 0)
            << "round " << round << " of seed " << seed << " at " << analysis::id(level.level) << "\n"
            << drawing.trigger_ << "\n"
            << as_called(text, calls);
        if (!covered) break;
      }
    }
  }
  std::cout << sets << " sets of programs, " << runs << " executions\n";
  for (const MariadbLevel& level : levels)
    std::cout << analysis::id(level.level) << ": " << level.unexplained << " not serializable, in "
              << level.analysed << " sets\n";
  EXPECT_EQ(levels[3].unexplained, 0u);
}

}  // namespace
}  // namespace assay::test
