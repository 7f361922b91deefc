// Random schemas and programs are executed on PostgreSQL at rc and si; an execution that no serial order
// explains must be covered by an anomaly that the analysis of the same text reports.
//
// What is drawn: columns of several types, defaults, generated columns, keys, checks, foreign keys with their
// actions, triggers, views; and statements over them with casts, guards and locks, and programs that look for
// keys and put them.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <set>

#include "analysis/analyze.h"
#include "base/random.h"
#include "base/stopwatch.h"
#include "collect/server.h"
#include "random_sql/application_text.h"
#include "random_sql/judge.h"
#include "random_sql/session.h"
#include "sql/read.h"
#include "support/random.h"

namespace assay::test {
namespace {

Dialect of_postgresql(std::string_view level) {
  return {"BEGIN ISOLATION LEVEL " + std::string(level), [](std::string text) { return text; },
          [](const std::string& state) { return state.starts_with("42"); }};
}

class SqlStage : public ScriptStage<SqlSession> {
 public:
  explicit SqlStage(const std::string& url) : admin_(url) {
    for (int i = 0; i < 3; ++i) sessions_.push_back(std::make_unique<SqlSession>(url, &admin_));
  }

  void create(const ApplicationText& application) {
    application_ = &application;
    admin_.run(
        "SET client_min_messages = warning; SET session_replication_role = origin; DROP SCHEMA IF EXISTS "
        "public CASCADE; CREATE SCHEMA public");
    const SqlAnswerText made = admin_.run(application.schema);
    ASSERT_EQ(made.state, "") << made.problem << "\n" << application.schema;
    admin_.run("SET session_replication_role = replica");
  }

  // Rows that the constraints allow; what they refuse is left out.
  void draw_rows(Random& random) {
    clear();
    for (const char* table : {"u", "t"})
      for (int key = 1; key <= 2; ++key)
        if (random.chance(0.7))
          admin_.run(fmt::format("INSERT INTO {} (k, a, b) VALUES ({}, {}, {})", table, key, random.below(3),
                                 application_->parent(table, random.below(3))));
    rows_.clear();
    for (const char* table : {"u", "t"})
      rows_ += admin_
                   .run(fmt::format(
                       "SELECT coalesce(string_agg(format('INSERT INTO {0} (k, a, b) VALUES (%L, %L, %L);', "
                       "k, a, b), ''), '') FROM {0}",
                       table))
                   .value();
  }

 private:
  void clear() { admin_.run("DELETE FROM t; DELETE FROM u; DELETE FROM l"); }
  void restore() override {
    clear();
    if (!rows_.empty()) admin_.run(rows_);
  }
  SqlAnswerText ask(const std::string& query) override { return admin_.run(query); }

  SqlSession admin_;
  std::string rows_;
};

TEST(SqlSoundness, EveryExecutionThatNoSerialOrderExplainsIsCoveredByAnAnomaly) {
  auto server = Server::start("postgres");
  ASSERT_TRUE(server) << server.error().describe();
  SqlStage stage(server->url());
  const std::uint64_t seed = suite_seed("SQL soundness");
  std::size_t unexplained = 0, runs = 0, opaque = 0, analysed = 0;
  const std::size_t sets = scaled(2000, 8);
  for (std::size_t round = 0; round < sets; ++round) {
    Random random(seed + round);
    const ApplicationText text = draw_application(random);
    stage.create(text);
    if (HasFatalFailure()) return;
    const auto application = sql::read_application({{"random.sql", text.text()}});
    ASSERT_TRUE(application) << application.error().describe() << "\n" << text.text();
    opaque += text_has_opaque(*application);
    for (const auto& [level, name] : {std::pair(analysis::StoreLevel::Rc, "READ COMMITTED"),
                                      std::pair(analysis::StoreLevel::Si, "REPEATABLE READ")}) {
      std::optional<analysis::Analysis> analysis;  // once somebody needs it
      for (int execution = 0; execution < 25; ++execution) {
        stage.draw_rows(random);
        const std::vector<ScriptCall> calls = draw_calls(text, random);
        const auto outcomes = stage.run(calls, of_postgresql(name), random);
        ++runs;
        if (std::ranges::count(outcomes, true, &ScriptOutcome::committed) < 2) continue;
        if (stage.explained_serially(calls, outcomes, of_postgresql("READ COMMITTED"))) continue;
        ++unexplained;
        if (!analysis) analysis = analyzed(*application, level), ++analysed;
        const bool covered = is_covered(*analysis, *application, text, calls, outcomes);
        EXPECT_TRUE(covered) << "round " << round << " of seed " << seed << " at " << name << "\n"
                             << told(text, calls);
        if (!covered) break;
      }
    }
  }
  EXPECT_GT(unexplained, 0u);
  std::cout << sets << " sets of programs (" << opaque << " with something that is not understood), " << runs
            << " executions, " << unexplained << " not serializable, in " << analysed << " sets and levels\n";
}

}  // namespace
}  // namespace assay::test
