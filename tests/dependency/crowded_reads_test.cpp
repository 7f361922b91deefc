// Which reads need more versions than there are.
#include "dependency/crowded_reads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hist.h"
#include "verdict/operation_place.h"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The numbers of the transactions whose reads are crowded, from 1 on.
std::vector<std::size_t> crowded(std::string_view text, std::vector<std::uint32_t> excluded = {}) {
  const History history = hist(text);
  const ReadFacts facts = read_facts(history, true).value();
  const VersionIndex versions(facts, history.key_count());
  std::vector<std::size_t> readers;
  const auto is_excluded = [&](std::uint32_t candidate) {
    return std::ranges::find(excluded, candidate) != excluded.end();
  };
  for (const OpId op : find_crowded_reads(facts, versions, is_excluded, Budget::unlimited()))
    readers.push_back(transaction_of(history, op).index() + 1);
  return readers;
}

TEST(CrowdedReads, AreMoreThanTheVersionsWithTheirValue) {
  EXPECT_THAT(crowded("S1: w(x,1)  S2: w(x,1)  S3: r(x,1) w(x,2)  S4: r(x,1) w(x,3)"), IsEmpty());
  EXPECT_THAT(crowded("S1: w(x,1)  S2: w(x,1)  S3: r(x,1) w(x,2)  S4: r(x,1) w(x,3)  S5: r(x,1) w(x,4)"),
              ElementsAre(3, 4, 5));
}

TEST(CrowdedReads, CountTheInitialVersionAndThoseOfUnknownOutcome) {
  const std::string updates = "S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)  S3: r(x,0) w(x,3) ";
  EXPECT_THAT(crowded(updates + "S4: w(x,0)"), ElementsAre(1, 2, 3));
  EXPECT_THAT(crowded(updates + "S4: w(x,0)  S5: w(x,0)?"), IsEmpty());
  EXPECT_THAT(crowded(updates + "S4: w(x,0)  S5: w(x,0)!"), ElementsAre(1, 2, 3));
}

TEST(CrowdedReads, AreOfTransactionsThatCountAndWriteTheKey) {
  const std::string two = "S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)  S3: w(x,0)  ";
  EXPECT_THAT(crowded(two + "S4: r(x,0)"), IsEmpty());
  EXPECT_THAT(crowded(two + "S4: r(x,0) w(y,1)"), IsEmpty());
  EXPECT_THAT(crowded(two + "S4: r(x,0) w(x,3)?"), IsEmpty());
  EXPECT_THAT(crowded(two + "S4: r(x,0) w(x,3)!"), IsEmpty());
  EXPECT_THAT(crowded(two + "S4: r(x,0) w(x,3)?  S5: r(x,3)"), ElementsAre(1, 2, 4));
}

// The second transaction writes what it reads, so its own version is none that it can have read.
TEST(CrowdedReads, IncludeReadsWithOneCandidate) {
  EXPECT_THAT(crowded("S1: r(x,0) w(x,1)  S2: r(x,0) w(x,0)"), IsEmpty());
  EXPECT_THAT(crowded("S1: r(x,0) w(x,1)  S2: r(x,0) w(x,0)  S3: r(x,0) w(x,2)"), ElementsAre(1, 2, 3));
  EXPECT_THAT(crowded("S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)"), ElementsAre(1, 2));
}

// Candidates are numbered in the order of the reads.
TEST(CrowdedReads, CannotBeFromExcludedCandidates) {
  const std::string text = "S1: w(x,1)  S2: w(x,1)  S3: r(x,1) w(x,2)  S4: r(x,1) w(x,3)";
  EXPECT_THAT(crowded(text, {0}), IsEmpty());
  EXPECT_THAT(crowded(text, {0, 3}), IsEmpty());
  EXPECT_THAT(crowded(text, {0, 2}), ElementsAre(3, 4));
}

TEST(CrowdedReads, MatterAtLevelsAboveTheLostUpdate) {
  for (const LevelRow& row : levels())
    EXPECT_EQ(excludes_lost_updates(row.level), implies(row.level, Level::Psi) ||
                                                    implies(row.level, Level::AdyaSi) ||
                                                    implies(row.level, Level::PlainSer))
        << row.id;
}

}  // namespace
}  // namespace assay::test
