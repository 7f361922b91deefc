// A key waits once, for this pass or for the next.
#include "encoding/dirty_keys.h"

#include <gmock/gmock.h>

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DirtyKeys, AreCheckedOnceInTheOrderInWhichTheyWereAdded) {
  DirtyKeys dirty({KeyId(3)}, 5);
  dirty.add(KeyId(1));
  dirty.add(KeyId(3));
  dirty.add(KeyId(1));
  EXPECT_THAT(dirty.keys(), ElementsAre(KeyId(3), KeyId(1)));
  EXPECT_TRUE(dirty.contains(KeyId(1)));
  EXPECT_FALSE(dirty.contains(KeyId(0)));
}

TEST(DirtyKeys, ThatAreToBeCheckedAgainAreThoseOfTheNextPass) {
  DirtyKeys dirty({KeyId(3)}, 5);
  dirty.check_again(KeyId(4));
  dirty.check_again(KeyId(2));
  dirty.check_again(KeyId(4));
  EXPECT_THAT(dirty.keys(), ElementsAre(KeyId(3)));
  dirty.next_pass();
  EXPECT_THAT(dirty.keys(), ElementsAre(KeyId(2), KeyId(4)));
  EXPECT_FALSE(dirty.contains(KeyId(3)));
  EXPECT_TRUE(dirty.contains(KeyId(4)));
  dirty.next_pass();
  EXPECT_THAT(dirty.keys(), IsEmpty());
  EXPECT_FALSE(dirty.contains(KeyId(4)));
}

}  // namespace
}  // namespace assay
