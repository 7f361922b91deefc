// Who of each chain wrote a key last: by looking at all, by searching, and by blocks.
#include "saturation/chains.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "history/builder.h"

namespace assay {
namespace {

// Sessions of different lengths, one of them without writers of x; some transactions aborted.
History history_of(Random& random, std::size_t sessions, std::size_t transactions, double written) {
  HistoryBuilder b;
  for (std::size_t s = 0; s < sessions; ++s) {
    const SessionId session = b.new_session();
    const std::size_t length = transactions * (s + 1) / sessions;
    for (std::size_t i = 0; i < length; ++i) {
      const bool writes = s != 1 && random.chance(written);
      b.write(b.key(writes ? "x" : "y"), Scalar::integer(static_cast<std::int64_t>(s * transactions + i)));
      EXPECT_TRUE(b.finish(
          {.session = session, .outcome = random.chance(0.05) ? Outcome::Aborted : Outcome::Committed}));
    }
  }
  return std::move(b).build().value();
}

using Last = std::map<std::uint32_t, VersionId>;  // by chain

TEST(ChainWriters, FindTheLastOfEachChainHoweverTheyLook) {
  Random random(7);
  std::size_t prepared = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t sessions = 2 + random.below(4), transactions = 20 + random.below(400);
    const History h =
        history_of(random, sessions, transactions, 0.05 + 0.9 * static_cast<double>(random.below(100)) / 100);
    const ReadFacts facts = read_facts(h, true).value();
    const TxnChains chains = transaction_chains(h, facts, true);
    ChainWriters searching(facts, chains.cover, h.key_count()), by_blocks(facts, chains.cover, h.key_count());
    for (const KeyId key : h.keys()) {
      by_blocks.prepare(key);
      prepared += by_blocks.is_prepared(key);
      for (int question = 0; question < 40; ++question) {
        std::vector<std::uint32_t> from, to;
        for (const std::uint32_t length : chains.cover.length) {
          from.push_back(static_cast<std::uint32_t>(random.below(length + 1)));
          to.push_back(static_cast<std::uint32_t>(random.below(length + 1)));
        }
        const TxnId except(random.below(h.transaction_count()));
        const auto ask = [&](const ChainWriters& writers, std::uint32_t at_a_time) {
          Last last;
          const std::uint32_t all = writers.all_chains().beyond;
          for (std::uint32_t first = 0; first < all; first += at_a_time)
            writers.last_between(
                key, {first, std::min(first + at_a_time, all)}, [&](std::uint32_t c) { return from[c]; },
                [&](std::uint32_t c) { return to[c]; }, except,
                [&](const ChainWriters::Writer& w) { last[w.chain] = w.version; });
          return last;
        };
        Last expected;
        for (const ChainWriters::Writer& w : searching.of(key))
          if (w.position >= from[w.chain] && w.position < to[w.chain] && searching.txn(w) != except)
            expected[w.chain] = w.version;
        for (const std::uint32_t at_a_time : {1u, 2u, searching.all_chains().beyond}) {
          ASSERT_EQ(ask(searching, at_a_time), expected);
          ASSERT_EQ(ask(by_blocks, at_a_time), expected);
        }
      }
    }
  }
  EXPECT_GT(prepared, 20u);
}

}  // namespace
}  // namespace assay
