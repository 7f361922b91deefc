// Levels in the specification language: the built-in ones spelled out give the built-in answers, others give
// theirs, and what programs cannot tell is refused with its place.
#include "analysis/written_level.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "analysis/rules.h"
#include "support/paths.h"

namespace assay::analysis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string store(const std::string& level) { return test::source_dir() + "/examples/stores.spec:" + level; }

struct Spelled {
  const char *builtin, *written;
};
constexpr Spelled kSpelled[] = {{"ec", "EC"},   {"cc", "CC"}, {"pc", "PC"},
                                {"psi", "PSI"}, {"si", "SI"}, {"ser", "SER"}};

// On larger subjects: tests/slow_analysis.
TEST(WrittenLevel, GivesTheAnswersOfTheBuiltInLevelThatItSpellsOut) {
  const sql::Application application = example({"courseware.sql"}, {"add_student", "enroll", "rem_student"});
  for (const Spelled& level : kSpelled) {
    expect_same_answers(bank(), level.builtin, store(level.written), 2, true);
    // The built-in si lets an INSERT take a key whose row was deleted since the snapshot, as PostgreSQL does.
    if (std::string_view(level.builtin) == "si") continue;
    expect_same_answers(application, level.builtin, store(level.written), 2, false);
  }
}

TEST(WrittenLevel, FollowsFromItsAxiomsWhatTheBuiltInOnesSay) {
  for (const Spelled& level : kSpelled) {
    const auto written = load_written_level(store(level.written));
    ASSERT_TRUE(written) << written.error().describe();
    const StoreLevelRow &found = (*written)->row, &known = row(*find_store_level(level.builtin));
    EXPECT_EQ(found.causal, known.causal) << level.written;
    EXPECT_EQ(found.prefix, known.prefix) << level.written;
    EXPECT_EQ(found.no_conflict, known.no_conflict) << level.written;
    EXPECT_EQ(found.total, known.total) << level.written;
  }
}

sql::Application read_text(const std::string& text) {
  auto application = sql::read_application({{"test.sql", text}});
  EXPECT_TRUE(application);
  return std::move(*application);
}

// Writers in order have no write skew, which si has, but readers fork, which they do not at si.
TEST(WrittenLevel, MayBeOneThatIsNotBuiltIn) {
  const std::string tables = "CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);\n";
  const sql::Application skew = read_text(tables + R"(
-- transaction: skew(x, y)
SELECT a FROM t WHERE k = :x;
UPDATE t SET a = 1 WHERE k = :y;
)");
  EXPECT_EQ(analyze(skew, "si", 2).outcome, Outcome::AnomalyFound);
  EXPECT_EQ(analyze(skew, store("WritersInOrder"), 2).outcome, Outcome::NoneUpToCycle);
  const sql::Application fork = read_text(tables + R"(
-- transaction: put(x)
UPDATE t SET a = 1 WHERE k = :x;
-- transaction: both()
SELECT a FROM t WHERE k = 1;
SELECT a FROM t WHERE k = 2;
)");
  EXPECT_EQ(analyze(fork, "si", 4).outcome, Outcome::NoneUpToCycle);
  const Analysis forked = analyze(fork, store("WritersInOrder"), 4);
  ASSERT_EQ(forked.outcome, Outcome::AnomalyFound);
  EXPECT_EQ(cycles(forked, fork), (std::set<Cycle>{{"both", "both", "put", "put"}}));
  EXPECT_EQ(analyze(fork, store("WritersInOrder") + ",both=ser", 4).outcome, Outcome::NoneUpToCycle);
}

TEST(WrittenLevel, MaySpeakOfPrograms) {
  const auto levels = parse_levels(store("EC") + ",withdraw=ser", bank());
  ASSERT_TRUE(levels) << levels.error().describe();
  EXPECT_EQ(to_text(*levels, bank()), store("EC") + ",withdraw=ser");
  EXPECT_EQ(analyze(bank(), *levels, {}).outcome, Outcome::NoneUpToCycle);
}

class LevelInAFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "assay_level_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  // The name of `level L` of this text.
  std::string written(const std::string& text) {
    std::ofstream(directory_ / "own.spec") << text;
    return (directory_ / "own.spec").string() + ":L";
  }

  std::filesystem::path directory_;
};

class RefusedLevel : public LevelInAFile {
 protected:
  // What is said about `level L` of this text.
  std::string refused(const std::string& text) {
    const auto level = load_written_level(written(text));
    return level ? "accepted" : level.error().describe();
  }
  std::string refused_formula(const std::string& formula) {
    return refused("include cerone\nlevel L in cerone: " + formula + "\n");
  }
};

const std::string kOwnFramework =
    "framework own {\n  witness ar : total order on Txn\n  witness vis : relation on Txn\n";
const std::string kExt = "  axiom (all x; s, t: wr[x](s,t) => s = max(ar, vis.t & W(x)))\n";

TEST_F(RefusedLevel, NamesTheConstructAndItsPlace) {
  EXPECT_THAT(refused_formula("wr . vis in vis"), AllOf(HasSubstr("own.spec:2:20: wr cannot be used")));
  EXPECT_THAT(refused_formula("all t: vis(T0,t)"), HasSubstr("T0 cannot be used"));
  EXPECT_THAT(refused_formula("all x; t in R(x); s: vis(s,t)"), HasSubstr("R cannot be used"));
  EXPECT_THAT(refused_formula("all x; t in W(x): max(ar, ar.t & W(x)) in vis.t"),
              HasSubstr("max cannot be used"));
  EXPECT_THAT(refused_formula("within updating: transitive vis"), HasSubstr("within cannot be used"));
  EXPECT_THAT(refused_formula("all s, t; x: vis(s,t) => W(x)(s)"),
              HasSubstr("W in a conclusion cannot be used"));
  EXPECT_THAT(refused_formula("all p: (all q: by(p) = by(q)) "), testing::Not(HasSubstr("accepted")));
}

TEST_F(RefusedLevel, CannotAskForTransactionsToExist) {
  for (const char* formula : {"all t: some s: vis(s,t)", "vis in vis . vis", "ar in vis+", "nonempty vis",
                              "not transitive vis", "not (all s, t: vis(s,t))"})
    EXPECT_THAT(refused_formula(formula), HasSubstr("asks for a transaction to exist")) << formula;
  for (const char* formula : {"vis+ in vis", "acyclic (vis | so)", "no s, t: vis(s,t) and not ar(s,t)",
                              "all t: (some s: so(s,t) and vis(s,t)) => true"})
    EXPECT_EQ(refused_formula(formula), "accepted") << formula;
}

TEST_F(RefusedLevel, NeedsTheExecutionsThatTheAnalysisIsAbout) {
  EXPECT_THAT(refused("include biswas\nlevel L in biswas: true\n"),
              HasSubstr("not a level of visibility and arbitration"));
  EXPECT_THAT(refused(kOwnFramework + "  axiom vis in ar\n}\nlevel L in own: true\n"),
              HasSubstr("does not say what a read returns"));
  EXPECT_THAT(refused(kOwnFramework + kExt + "}\nlevel L in own: true\n"), HasSubstr("see later ones"));
  EXPECT_EQ(refused(kOwnFramework + kExt + "  axiom vis in ar\n}\nlevel L in own: true\n"), "accepted");
}

TEST(WrittenLevel, BindsAllPrograms) {
  for (const std::string& text : {std::string("si,withdraw=") + store("EC"), store("EC") + ",withdraw=si",
                                  store("Nothing"), std::string("nofile.spec:L")})
    EXPECT_FALSE(parse_levels(text, bank())) << text;
}

class OwnLevel : public LevelInAFile {
 protected:
  std::string level(const std::string& formula) {
    return written(kOwnFramework + kExt + "  axiom vis in ar\n}\nlevel L in own: " + formula + "\n");
  }
};

// Sessions are orders, and of two before one, or after one, one is before the other.
TEST_F(OwnLevel, KnowsThatSessionsAreChains) {
  const auto row = [&](const std::string& formula) {
    const auto found = load_written_level(level(formula));
    EXPECT_TRUE(found) << found.error().describe();
    return found ? (*found)->row : StoreLevelRow{};
  };
  EXPECT_TRUE(row("vis = so").causal);
  EXPECT_FALSE(row("vis in so").causal);
  EXPECT_TRUE(row("ar in so and (all s, t: vis(s,t) => so(t,s))").causal);  // nobody sees anybody
  EXPECT_FALSE(row("vis = so").no_conflict);
  EXPECT_TRUE(row("vis = so and (all s, t, u: conflict(s,t) => u = s or u = t or (so(s,u) and so(t,u)))")
                  .no_conflict);
  EXPECT_TRUE(row("vis = so and (all s, t, u: conflict(s,t) => u = s or u = t or (so(u,s) and so(u,t)))")
                  .no_conflict);
}

// Of the transactions before one it sees all but those of its session.
TEST_F(OwnLevel, HoldsOfTransactionsInSessionsThatAreChains) {
  const sql::Application application = read_text(R"(
CREATE TABLE t (k int PRIMARY KEY);
CREATE FUNCTION b() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM t WHERE k = 1) THEN RAISE EXCEPTION 'no'; END IF;
  INSERT INTO t VALUES (2);
END; $$;
CREATE FUNCTION c() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM t WHERE k = 1) THEN RAISE EXCEPTION 'no'; END IF;
  IF EXISTS (SELECT 1 FROM t WHERE k = 2) THEN RAISE EXCEPTION 'no'; END IF;
END; $$;
-- transaction: a()
INSERT INTO t VALUES (1);
)");
  const std::string others =
      "so in ar and transitive vis and (all s, t: ar(s,t) => (vis(s,t) <=> not so(s,t)))";
  EXPECT_TRUE(has(look(application, level("transitive vis"), 3), application, {"a", "b", "c"}));
  EXPECT_FALSE(has(look(application, level(others), 3), application, {"a", "b", "c"}));
}

// Who might have inserted a row is not there where nobody needs him: then no axiom speaks of him.
TEST_F(OwnLevel, SpeaksOfTransactionsThatExist) {
  const sql::Application application = read_text(R"(
CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);
-- transaction: first()
SELECT min(k) FROM t WHERE a = 1;
INSERT INTO t VALUES (5, 2);
-- transaction: second()
SELECT min(k) FROM t WHERE a = 2;
INSERT INTO t VALUES (6, 1);
)");
  const std::string three = level("all q, r, s, t: not (ar(q,r) and ar(r,s) and ar(s,t))");
  EXPECT_TRUE(cycles(analyze(application, three, 2), application).contains({"first", "second"}));
}

}  // namespace
}  // namespace assay::analysis
