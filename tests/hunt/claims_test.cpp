#include "hunt/claims.h"

#include "hunt/hunt_fixture.h"

namespace assay {
namespace {

using testing::HasSubstr;
using Claims = HuntFixture;

constexpr DatabaseLevel kWeak{"weak", "", Level::Rc}, kStrong{"strong", "", Level::Si},
    kOther{"other", "", Level::Psi}, kNone{"none", "", {}};

TEST_F(Claims, AreThoseOfTheLevelsThatTheUserNames) {
  open("sqlite:");
  EXPECT_EQ(find_levels(*database_, "")->size(), 1u);
  EXPECT_EQ(find_levels(*database_, "serializable,Serializable")->size(), 2u);
  const auto unknown = find_levels(*database_, "serializable,chaos");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().describe(), HasSubstr("no isolation level chaos"));
}

TEST(CommonClaim, IsTheOneThatEveryOtherImplies) {
  EXPECT_EQ(common_claim({&kStrong}).value(), Level::Si);
  EXPECT_EQ(common_claim({&kStrong, &kWeak, &kOther}).value(), Level::Rc);
  EXPECT_EQ(common_claim({&kStrong, &kOther}).value(), Level::Psi);
}

TEST(CommonClaim, IsMissingWhereOneLevelClaimsNothing) {
  const auto claim = common_claim({&kStrong, &kNone});
  ASSERT_FALSE(claim);
  EXPECT_THAT(claim.error().describe(), HasSubstr("strong claims no level that could be checked"));
}

}  // namespace
}  // namespace assay
