// Levels as users name them.
#include "isolation/level_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::HasSubstr;

TEST(LevelNamed, FindsIdsNamesAndAliases) {
  EXPECT_EQ(level_named("pl-2").value(), Level::Pl2);
  EXPECT_EQ(level_named("Monotonic-Atomic-View").value(), Level::Mav);
  EXPECT_EQ(level_named("pl-3").value(), Level::PlainSer);
}

// Plain names have the meaning that the literature gives them; what adds session order has a name that says
// so.
TEST(LevelNamed, TakesPlainNamesForPlainLevels) {
  EXPECT_EQ(level_named("serializable").value(), Level::PlainSer);
  EXPECT_EQ(level_named("Snapshot_Isolation").value(), Level::AdyaSi);
  EXPECT_EQ(level_named("read-committed").value(), Level::Pl2);
  EXPECT_EQ(level_named("read-atomic").value(), Level::PlainRa);
  EXPECT_EQ(level_named("monotonic-atomic-view").value(), Level::Mav);
  EXPECT_EQ(level_named("strong-session-serializable").value(), Level::Ser);
  EXPECT_EQ(level_named("strong-session-snapshot-isolation").value(), Level::Si);
  EXPECT_EQ(level_named("session-monotonic-atomic-view").value(), Level::Rc);
  EXPECT_EQ(level_named("strict-serializable").value(), Level::StrictSer);
  for (const LevelRow& level : levels()) {
    const bool by_definition = level.id == "cc" || level.id == "pc" || level.id == "psi";
    if (!level.session_order() || by_definition || level.needs_instants()) continue;
    EXPECT_THAT(std::string(level.name), HasSubstr("session")) << level.id;
  }
}

TEST(LevelNamed, SaysWhichDefinitionWasTakenForANameThatIsNoId) {
  EXPECT_TRUE(parse_levels("ser,SI,pl-2").value().meanings.empty());
  EXPECT_THAT(parse_levels("ser, serializable").value().meanings,
              testing::ElementsAre(
                  testing::AllOf(testing::StartsWith("serializable is taken for plain-ser: One serial order"),
                                 HasSubstr("With session order it is ser (strong-session-serializable)."))));
  EXPECT_THAT(parse_levels("strict_serializable").value().meanings, testing::SizeIs(1));
}

// Somebody who asks for these must not get what is only like them.
TEST(LevelNamed, SaysWhyALevelOfTheLiteratureIsNotJudged) {
  for (const char* name :
       {"read-uncommitted", "pl-1", "cursor-stability", "repeatable-read", "pl-2.99", "read-your-writes",
        "monotonic-reads", "monotonic-writes", "writes-follow-reads"}) {
    const auto refused = level_named(name);
    ASSERT_FALSE(refused) << name;
    EXPECT_THAT(refused.error().what, HasSubstr(std::string(name) + " is not judged: ")) << name;
    EXPECT_FALSE(refused.error().remedy.empty()) << name;
  }
  EXPECT_THAT(parse_levels("ser,cursor-stability").error().what, HasSubstr("cursor-stability is not judged"));
  EXPECT_EQ(level_named("nonsense").error().what, "unknown level nonsense");
}

}  // namespace
}  // namespace assay
