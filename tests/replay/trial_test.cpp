// Advice becomes text where the user's text is read as the program that the advice means.
#include "replay/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::replay {
namespace {

using testing::HasSubstr;

constexpr std::string_view kTable = "CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);\n";

class TrialTest : public testing::Test {
 protected:
  // Locks the first query of the first program.
  std::string locked(const std::string& programs) {
    read(programs);
    const sql::Program& program = application_.programs.at(0);
    analysis::Promotion lock{analysis::Promotion::Kind::Lock, 0, 0, {}};
    sql::walk(program.body, [&](const sql::Statement& statement, std::uint32_t) {
      const auto* loop = std::get_if<sql::Loop>(&statement.what);
      const bool query = std::holds_alternative<sql::Select>(statement.what) ||
                         (loop != nullptr && loop->over == sql::Loop::Over::Query);
      if (query && !lock.place.file) lock.statement = statement.number, lock.place = statement.place;
    });
    const auto changed = with_locks(files_, application_, {lock});
    return changed ? changed->at(0).text.substr(kTable.size()) : "nothing";
  }
  std::string exclusive(const std::string& programs) {
    read(programs);
    const auto changed = with_exclusion(files_, application_, {0});
    return changed ? changed->at(0).text.substr(kTable.size()) : "nothing";
  }

 private:
  void read(const std::string& programs) {
    files_ = {{"a.sql", std::string(kTable) + programs}};
    auto application = sql::read_application(files_);
    ASSERT_TRUE(application) << application.error().describe();
    application_ = std::move(*application);
  }

  std::vector<sql::SourceFile> files_;
  sql::Application application_;
};

TEST_F(TrialTest, LocksStandBehindTheQueryThatIsMeant) {
  EXPECT_EQ(
      locked("-- transaction: f(k int)\nSELECT n AS a FROM t WHERE id = :k\n\\gset\nDELETE FROM t;\n"),
      "-- transaction: f(k int)\nSELECT n AS a FROM t WHERE id = :k FOR UPDATE \n\\gset\nDELETE FROM t;\n");
  EXPECT_THAT(locked("CREATE FUNCTION f(k int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN "
                     "SELECT n INTO x FROM t WHERE id = k; UPDATE t SET n = x WHERE id = k + 1; END $$;"),
              HasSubstr("WHERE id = k FOR UPDATE ; UPDATE"));
  EXPECT_THAT(locked("CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN "
                     "FOR r IN SELECT id FROM t LOOP DELETE FROM t WHERE id = r.id; END LOOP; END $$;"),
              HasSubstr("SELECT id FROM t  FOR UPDATE LOOP DELETE"));
}

TEST_F(TrialTest, NothingIsChangedWhereNoLockCanStand) {
  EXPECT_EQ(
      locked("CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ DECLARE x int := "
             "(SELECT n FROM t WHERE id = 1 UNION SELECT 2); BEGIN DELETE FROM t WHERE id = x; END $$;"),
      "nothing");
}

TEST_F(TrialTest, ProgramsBeginWithTheirLock) {
  EXPECT_THAT(exclusive("CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$\nDECLARE x int;\nBEGIN\n"
                        "  DELETE FROM t;\nEND $$;"),
              HasSubstr("BEGIN PERFORM pg_advisory_xact_lock(1);\n  DELETE"));
  EXPECT_EQ(exclusive("-- transaction: f\nDELETE FROM t;\n"),
            "-- transaction: f\nSELECT pg_advisory_xact_lock(1);\nDELETE FROM t;\n");
}

}  // namespace
}  // namespace assay::replay
