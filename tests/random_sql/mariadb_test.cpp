// Random schemas and programs are executed on MariaDB at each of its levels, with and without
// innodb_snapshot_isolation; an execution that no serial order explains must be covered by an anomaly that
// the analysis of the same text reports.
//
// The text is PostgreSQL's, which the analysis reads, and is spelled for MariaDB before it is sent.
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
#include "random_sql/judge.h"
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

Dialect of_mariadb() {
  return {"START TRANSACTION", for_mariadb,
          [](const std::string& state) { return state == "1064" || state == "1054" || state == "1146"; }};
}

class MariadbStage : public ScriptStage<MariadbSession> {
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

 private:
  void clear() { admin_.run_all("DROP TRIGGER IF EXISTS tr; DELETE FROM t; DELETE FROM u; DELETE FROM l"); }
  void restore() override {
    clear();
    EXPECT_EQ(admin_.run_all(rows_).state, "");
    if (!trigger_.empty()) {
      const SqlAnswerText made = admin_.run(trigger_);
      EXPECT_EQ(made.state, "") << made.problem;
    }
  }
  SqlAnswerText ask(const std::string& query) override { return admin_.run(query); }

  MariadbSession admin_;
  std::string rows_, trigger_;
};

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
        const std::vector<ScriptCall> calls = draw_calls(text, random);
        const auto outcomes = stage.run(calls, of_mariadb(), random);
        ++runs;
        if (std::ranges::count(outcomes, true, &ScriptOutcome::committed) < 2) continue;
        if (stage.explained_serially(calls, outcomes, of_mariadb())) continue;
        ++level.unexplained;
        if (!analysis) analysis = analyzed(*application, level.level), ++level.analysed;
        const bool covered = is_covered(*analysis, *application, text, calls, outcomes);
        EXPECT_TRUE(covered) << "round " << round << " of seed " << seed << " at "
                             << analysis::id(level.level) << "\n"
                             << drawing.trigger_ << "\n"
                             << told(text, calls);
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
