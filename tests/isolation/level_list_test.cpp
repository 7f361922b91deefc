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
  EXPECT_EQ(level_named("read-committed").value(), Level::Rc);
  EXPECT_EQ(level_named("pl-3").value(), Level::PlainSer);
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
