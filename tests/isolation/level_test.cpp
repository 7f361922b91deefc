// The table of levels: what it says is consistent, and what follows from a row is what it was written down as
// by hand. (Whether the implications are true, the oracle says: tests/oracle_tests, tests/random.)
#include "isolation/level.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "isolation/anomaly.h"

namespace assay {
namespace {

using enum Level;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Level> listed(const LevelSet& set) {
  std::vector<Level> levels;
  for (const Level level : set) levels.push_back(level);
  return levels;
}

TEST(LevelSet, HasWhatWasInsertedInTheOrderOfTheTable) {
  LevelSet set{Ser, Rc};
  EXPECT_THAT(listed(set), ElementsAre(Rc, Ser));
  set.insert(StrictSer);
  set.insert(Rc);
  EXPECT_EQ(set.size(), 3u);
  EXPECT_TRUE(set.contains(StrictSer));
  EXPECT_FALSE(set.contains(Si));
  EXPECT_THAT(listed(set & LevelSet{Si, StrictSer}), ElementsAre(StrictSer));
  EXPECT_TRUE((set & LevelSet{Si}).empty());
  set |= LevelSet{Si};
  EXPECT_EQ(set, (LevelSet{Rc, Si, Ser, StrictSer}));
  EXPECT_THAT(listed(LevelSet()), IsEmpty());
}

TEST(LevelTable, HasARowForEveryLevelInOrder) {
  ASSERT_EQ(levels().size(), kLevelCount);
  for (std::size_t i = 0; i < kLevelCount; ++i) {
    const LevelRow& level = levels()[i];
    EXPECT_EQ(static_cast<std::size_t>(level.level), i);
    for (const std::string_view text : {level.id, level.name, level.definition, level.source})
      EXPECT_FALSE(text.empty()) << level.id;
  }
}

TEST(LevelTable, CallsEveryLevelByNamesOfItsOwn) {
  std::set<std::string_view> names;
  for (const LevelRow& level : levels()) {
    EXPECT_TRUE(names.insert(level.id).second) << level.id;
    EXPECT_TRUE(names.insert(level.name).second) << level.name;
    for (const std::string_view alias : level.aliases) EXPECT_TRUE(names.insert(alias).second) << alias;
    for (const std::string_view name : {level.id, level.name}) EXPECT_EQ(find_level(name), level.level);
  }
  EXPECT_EQ(find_level("Strict_Serializable"), StrictSer);
  EXPECT_EQ(find_level("all"), std::nullopt);
}

// Two rows that ask for the same are one level.
TEST(LevelTable, AsksForSomethingElseInEveryRow) {
  for (const LevelRow& a : levels())
    for (const LevelRow& b : levels())
      EXPECT_EQ(a.level == b.level, a.view == b.view && a.points == b.points) << a.id << " and " << b.id;
}

TEST(LevelTable, ListsDirectImplicationsOnly) {
  for (const LevelRow& level : levels())
    for (const Level weaker : level.implies) {
      EXPECT_NE(weaker, level.level);
      EXPECT_FALSE(implies(weaker, level.level)) << level.id << " and " << id(weaker);
      for (const Level other : level.implies)
        EXPECT_TRUE(other == weaker || !implies(other, weaker))
            << level.id << " implies " << id(weaker) << " by " << id(other);
    }
}

TEST(LevelTable, ClosesImplications) {
  EXPECT_EQ(implied_by(Pc), (LevelSet{Pc} |= implied_by(Cc)));
  EXPECT_TRUE(implies(StrictSer, Rc));
  EXPECT_TRUE(implies(SessionSi, AdyaSi));
  EXPECT_FALSE(implies(AdyaSi, Rc));
  for (const LevelRow& level : levels()) EXPECT_TRUE(implies(level.level, level.level)) << level.id;
}

// Whatever is judged or written down in this order meets the weaker levels first, but for those without
// sessions.
TEST(LevelTable, HasWeakerLevelsFirstWhereBothHaveSessionsOrNot) {
  for (const LevelRow& stronger : levels())
    for (const LevelRow& weaker : levels())
      if (stronger.session_order() == weaker.session_order() && implies(stronger.level, weaker.level)) {
        EXPECT_LE(weaker.level, stronger.level) << weaker.id << " after " << stronger.id;
      }
}

TEST(LevelTable, FindsTheLevelWithoutClocks) {
  EXPECT_EQ(without_real_time(StrictSer), Ser);
  EXPECT_EQ(without_real_time(StrongSi), Si);
  EXPECT_EQ(without_real_time(SessionSi), Si);
  EXPECT_EQ(without_real_time(Gsi), AdyaSi);
  for (const LevelRow& level : levels()) {
    const Level without = without_real_time(level.level);
    EXPECT_FALSE(row(without).needs_instants()) << level.id;
    EXPECT_TRUE(implies(level.level, without)) << level.id;
    if (!level.needs_instants()) {
      EXPECT_EQ(without, level.level);
    }
  }
}

TEST(LevelTable, FindsTheLevelWithSessions) {
  EXPECT_EQ(with_session_order(PlainSer), Ser);
  EXPECT_EQ(with_session_order(AdyaSi), Si);
  EXPECT_EQ(with_session_order(Gsi), SessionSi);
  EXPECT_EQ(with_session_order(Mav), Rc);
  EXPECT_EQ(with_session_order(PlainRa), Ra);
  EXPECT_EQ(with_session_order(Pl2), std::nullopt);
  for (const LevelRow& level : levels()) {
    const auto with = with_session_order(level.level);
    if (level.session_order()) {
      EXPECT_EQ(with, level.level);
    } else if (with) {
      EXPECT_TRUE(row(*with).session_order() && implies(*with, level.level)) << level.id;
    }
  }
}

TEST(LevelTable, FindsTheStandInWithATotalOrder) {
  for (const Level weak : {Pl2, Mav, Rc, PlainRa, Ra, Cc, Pc}) EXPECT_EQ(stand_in(weak), Pc);
  EXPECT_EQ(stand_in(Psi), Si);
  EXPECT_EQ(stand_in(Gsi), Gsi);
  EXPECT_EQ(stand_in(Ser), Ser);
  for (const LevelRow& level : levels()) {
    const Level stronger = stand_in(level.level);
    EXPECT_TRUE(has_total_order(stronger) && implies(stronger, level.level)) << level.id;
  }
}

// What the engine has no rules for must not become a row unnoticed: weak levels have one point and no clocks,
// and pasts are followed along sessions.
TEST(LevelTable, AsksForWhatTheEngineCanJudge) {
  for (const LevelRow& level : levels()) {
    const PointRules& points = level.points;
    if (is_weak(level.level)) {
      EXPECT_EQ(points, (PointRules{.session_order = points.session_order, .total = false})) << level.id;
    }
    if (!points.total) {
      EXPECT_FALSE(points.two_points || points.exclusive || points.real_time.any()) << level.id;
    }
    if (sees_the_past(level.level)) {
      EXPECT_TRUE(level.session_order()) << level.id;
    }
    if (!reads_repeat(level.level)) {
      for (const Level weaker : level.implies) EXPECT_FALSE(reads_repeat(weaker)) << level.id;
    }
  }
}

TEST(AnomalyTable, NamesTheWeakestLevelsOnly) {
  for (const AnomalyRow& row : anomalies())
    for (const Level level : row.rules_out)
      for (const Level other : row.rules_out)
        EXPECT_TRUE(level == other || !implies(level, other)) << row.name << " " << id(level);
}

TEST(AnomalyTable, HasANameForTheConditionOfEachLevelThatRulesItOut) {
  EXPECT_EQ(name_of_condition(Pl2), Anomaly::G1c);
  EXPECT_EQ(name_of_condition(Rc), Anomaly::NonMonotonicRead);
  EXPECT_EQ(name_of_condition(Ra), Anomaly::ReadSkew);
  EXPECT_EQ(name_of_condition(Cc), Anomaly::Causality);
  EXPECT_EQ(name_of_condition(Psi), Anomaly::GSingle);
  for (const Level snapshots : {Pc, Si, AdyaSi, Gsi, SessionSi, StrongSi})
    EXPECT_EQ(name_of_condition(snapshots), Anomaly::GNonadjacent);
  for (const Level serial : {Ser, PlainSer, StrictSer})
    EXPECT_EQ(name_of_condition(serial), Anomaly::WriteSkew);
}

}  // namespace
}  // namespace assay
