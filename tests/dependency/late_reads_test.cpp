// How late reads join the open reads.
#include "dependency/late_reads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hist.h"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::vector<VersionId> candidates(const ReadFacts& facts, std::size_t open) {
  const auto span = facts.candidates_of(facts.open[open]);
  return {span.begin(), span.end()};
}

// x = 1 has two possible writers.
const char* kRepeated = "S1: w(x,1)  S2: w(x,1)  S3: w(x,2) w(y,1)  S4: r(x,1)  S5: w(z,1)";

TEST(LateReads, StandWithTheOpenReadsOfTheirReader) {
  const History history = hist(kRepeated);
  ReadFacts facts = read_facts(history, true).value();
  ASSERT_THAT(facts.open, SizeIs(1));
  const VersionId initial = facts.initial_version(KeyId(1)), written = *facts.versions_by(TxnId(2)).begin();
  const MovedReads moved = add_late_reads(
      facts,
      {{TxnId(4), KeyId(1), {initial}}, {TxnId(3), KeyId(1), {initial, VersionId(written.value + 1)}}});
  ASSERT_THAT(facts.open, SizeIs(3));
  EXPECT_EQ(facts.open[0].reader, TxnId(3));
  EXPECT_EQ(facts.open[0].key, KeyId(0));
  EXPECT_EQ(facts.open[1].key, KeyId(1));
  EXPECT_EQ(facts.open[2].reader, TxnId(4));
  EXPECT_THAT(candidates(facts, 1), SizeIs(2));
  EXPECT_THAT(moved.open, ElementsAre(0u));
  EXPECT_THAT(moved.candidates, ElementsAre(0u, 1u));
  EXPECT_THAT(moved.changed, ElementsAre(1u, 2u));
}

TEST(LateReads, NarrowAnOpenReadOfTheSameKey) {
  const History history = hist(kRepeated);
  ReadFacts facts = read_facts(history, true).value();
  const auto before = candidates(facts, 0);
  ASSERT_THAT(before, SizeIs(2));
  const MovedReads moved = add_late_reads(facts, {{TxnId(3), KeyId(0), {before[1]}}});
  EXPECT_THAT(facts.open, SizeIs(1));
  EXPECT_THAT(candidates(facts, 0), ElementsAre(before[1]));
  EXPECT_THAT(moved.candidates, ElementsAre(MovedReads::kGone, 0u));
  EXPECT_THAT(moved.changed, ElementsAre(0u));
}

TEST(LateReads, OfOneKeyAreOfOneVersion) {
  const History history = hist(kRepeated);
  ReadFacts facts = read_facts(history, true).value();
  const VersionId first(0), second(1), third = facts.initial_version(KeyId(0));
  add_late_reads(facts, {{TxnId(4), KeyId(0), {first, second}}, {TxnId(4), KeyId(0), {third, second}}});
  ASSERT_THAT(facts.open, SizeIs(2));
  EXPECT_THAT(candidates(facts, 1), ElementsAre(second));
}

}  // namespace
}  // namespace assay::test
