// Counting updates against versions, held against the oracle on small histories of one key with few values:
// what find_crowded_reads() finds is a violation, its certificate is accepted, and of random certificates of
// the same form none is accepted whose claim is false.
#include <gtest/gtest.h>

#include <cstdio>

#include "certify/certify.h"
#include "check/history_facts.h"
#include "dependency/crowded_reads.h"
#include "random/agreement.h"
#include "random/random_history.h"
#include "random/shrink.h"
#include "support/oracle_level.h"
#include "support/random.h"

namespace assay::test {
namespace {

constexpr RandomHistoryOptions kFewValues{.least_transactions = 3,
                                          .most_transactions = 7,
                                          .most_sessions = 7,
                                          .most_keys = 1,
                                          .most_operations = 3,
                                          .lists = false};

Proof proof_of(const History& history, Level level, const ReadFacts& facts, std::span<const OpId> reads) {
  ProofBuilder proof = proof_builder(history, level, facts);
  std::vector<LineId> clauses;
  for (const OpId op : reads) clauses.push_back(proof.candidates(op));
  proof.crowded(std::move(clauses));
  return proof.take();
}

// External reads, known or open.
std::vector<OpId> external_reads(const ReadFacts& facts) {
  std::vector<OpId> reads;
  for (const ReadFact& read : facts.reads) reads.push_back(read.op);
  for (const OpenRead& read : facts.open) reads.push_back(read.op);
  return reads;
}

TEST(Crowded, WhatIsFoundIsViolatedAndNoOtherClaimIsAccepted) {
  Random random(suite_seed("Crowded"));
  std::size_t crowded = 0, accepted = 0, refused = 0;
  for (std::size_t i = scaled(300'000, 6000); i > 0; --i) {
    const History history = random_history(random, kFewValues);
    const auto facts = read_facts(history, true);
    if (!facts || !facts->wrong.empty()) continue;
    const VersionIndex versions(*facts, history.key_count());
    const auto found = find_crowded_reads(
        *facts, versions, [](std::uint32_t) { return false; }, Budget::unlimited());
    crowded += !found.empty();
    std::vector<OpId> some;
    for (const OpId op : external_reads(*facts))
      if (random.chance(0.7)) some.push_back(op);
    for (const Level level : kJudged) {
      const auto is_violated = [&] { return !oracle::allows(history, of_oracle(level)); };
      if (!found.empty() && excludes_lost_updates(level)) {
        ASSERT_TRUE(is_violated()) << id(level) << "\n"
                                   << report_failure("crowded", history,
                                                     [](const History&) { return false; });
        const auto certified = certify(history, level, proof_of(history, level, *facts, found));
        ASSERT_TRUE(certified) << certified.error().describe();
      }
      if (some.empty()) continue;
      if (!certify(history, level, proof_of(history, level, *facts, some))) {
        ++refused;
        continue;
      }
      ++accepted;
      ASSERT_TRUE(is_violated()) << id(level) << "\n"
                                 << report_failure("crowded", history, [](const History&) { return false; });
    }
  }
  std::printf("%zu histories crowded; of random certificates %zu accepted, %zu refused\n", crowded, accepted,
              refused);
  EXPECT_GT(crowded, 40u);
  EXPECT_GT(accepted, 20u);
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace assay::test
