#include "analysis/store_level.h"

#include <gtest/gtest.h>

#include "analysis/subjects.h"

namespace assay::analysis {
namespace {

TEST(StoreLevels, ImplyEachOtherAsTheirAxiomsDo) {
  EXPECT_TRUE(implies(StoreLevel::Ser, StoreLevel::Si));
  EXPECT_TRUE(implies(StoreLevel::Si, StoreLevel::Rc));
  EXPECT_TRUE(implies(StoreLevel::Si, StoreLevel::Psi));
  EXPECT_TRUE(implies(StoreLevel::Rc, StoreLevel::Rc));
  EXPECT_FALSE(implies(StoreLevel::Psi, StoreLevel::Pc));
  EXPECT_FALSE(implies(StoreLevel::Psi, StoreLevel::Rc));
  EXPECT_FALSE(implies(StoreLevel::Rc, StoreLevel::Ec));
}

TEST(StoreLevels, AreReadWithProgramsAndPairsOfTheirOwn) {
  sql::Application application = bank();
  application.programs.push_back(application.programs[0]);
  application.programs[1].name = "deposit";
  const auto levels = parse_levels("SI,deposit=ser,withdraw+deposit=ser", application);
  ASSERT_TRUE(levels);
  EXPECT_EQ(levels->of(0), StoreLevel::Si);
  EXPECT_EQ(levels->of(1), StoreLevel::Ser);
  EXPECT_TRUE(levels->serialized(1, 0));
  EXPECT_FALSE(levels->serialized(0, 0));
  EXPECT_EQ(to_text(*levels, application), "si,deposit=ser,withdraw+deposit=ser");
}

TEST(StoreLevels, RefuseWhatTheyDoNotKnow) {
  for (const char* text :
       {"", "strong", "si,nobody=ser", "deposit=ser", "si,withdraw", "si,withdraw+withdraw=psi"})
    EXPECT_FALSE(parse_levels(text, bank())) << text;
}

}  // namespace
}  // namespace assay::analysis
