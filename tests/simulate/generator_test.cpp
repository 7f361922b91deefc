#include <gtest/gtest.h>

#include <ctime>
#include <map>
#include <set>

#include "history/compare.h"
#include "simulate/generate_support.h"
#include "simulate/store.h"

namespace assay::test {
namespace {

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::size_t count(const History& h, OpKind kind) {
  std::size_t n = 0;
  for (const OpId op : h.operations()) n += h.kind(op) == kind;
  return n;
}

TEST(Generator, GivesTheSameHistoryForTheSameSeed) {
  for (const Level level : simulated_levels()) {
    const GeneratorOptions options{.isolation = level, .aborted = 0.1, .unknown = 0.1, .seed = 7};
    EXPECT_EQ(first_difference(generated(options).history, generated(options).history), std::nullopt);
  }
}

TEST(Generator, GivesAnotherHistoryForAnotherSeed) {
  EXPECT_NE(first_difference(generated({.seed = 7}).history, generated({.seed = 8}).history), std::nullopt);
}

TEST(Generator, EndsExactlyAsManyTransactionsAsAsked) {
  for (const std::size_t n : {1u, 2u, 7u, 250u}) {
    const Generated g = generated({.transactions = n, .aborted = 0.2, .unknown = 0.2});
    EXPECT_EQ(g.history.transaction_count(), n);
    EXPECT_EQ(g.committed + g.aborted + g.unknown, n);
    std::map<Outcome, std::size_t> outcomes;
    for (const TxnId t : g.history.transactions()) ++outcomes[g.history.outcome(t)];
    EXPECT_EQ(outcomes[Outcome::Committed], g.committed);
    EXPECT_EQ(outcomes[Outcome::Aborted], g.aborted);
    EXPECT_EQ(outcomes[Outcome::Unknown], g.unknown);
  }
}

TEST(Generator, DividesTheTransactionsAmongTheSessions) {
  const History h = generated({.sessions = 7, .transactions = 100}).history;
  ASSERT_EQ(h.session_count(), 7u);
  for (const SessionId s : h.sessions()) {
    EXPECT_GE(h.transactions(s).size(), 14u);
    EXPECT_LE(h.transactions(s).size(), 15u);
  }
}

TEST(Generator, HasTheOperationsAndFractionsAsked) {
  const Generated g = generated({.isolation = Level::Cc,
                                 .transactions = 5000,
                                 .operations = 6,
                                 .reads = 0.7,
                                 .aborted = 0.2,
                                 .unknown = 0.1});
  EXPECT_NEAR(share(g.aborted, 5000), 0.2, 0.02);
  EXPECT_NEAR(share(g.unknown, 5000), 0.1, 0.02);
  EXPECT_NEAR(share(count(g.history, OpKind::Read), g.history.operation_count()), 0.7, 0.02);
  for (const TxnId t : g.history.transactions())
    if (g.history.outcome(t) != Outcome::Aborted) {
      ASSERT_EQ(g.history.operations(t).size(), 6u);
    }
}

TEST(Generator, SplitsReadersFromWritersWhenAsked) {
  const History h = generated({.transactions = 4000, .reads = 0.3, .mix = Mix::Split}).history;
  std::size_t readers = 0;
  for (const TxnId t : h.transactions()) {
    std::set<OpKind> kinds;
    for (const OpId op : h.operations(t)) kinds.insert(h.kind(op));
    ASSERT_EQ(kinds.size(), 1u);
    readers += kinds.contains(OpKind::Read);
  }
  EXPECT_NEAR(share(readers, 4000), 0.3, 0.03);
}

TEST(Generator, OftenWritesWhatItRead) {
  const auto updates = [](double fraction) {
    const History h =
        generated({.isolation = Level::Pc, .keys = 100000, .read_modify_write = fraction}).history;
    std::size_t n = 0;
    for (const TxnId t : h.transactions()) {
      std::set<KeyId> read;
      for (const OpId op : h.operations(t)) {
        if (h.kind(op) == OpKind::Read) read.insert(h.key(op));
        else n += read.contains(h.key(op));
      }
    }
    return share(n, count(h, OpKind::Write));
  };
  EXPECT_LT(updates(0), 0.01);
  EXPECT_GT(updates(0.5), 0.3);
}

TEST(Generator, UsesNoKeyTwiceInATransactionWhenAsked) {
  const History h = generated({.operations = 8, .keys = 10, .distinct_keys = true}).history;
  for (const TxnId t : h.transactions()) {
    std::set<KeyId> keys;
    for (const OpId op : h.operations(t)) EXPECT_TRUE(keys.insert(h.key(op)).second);
  }
}

TEST(Generator, WritesEachValueOfAKeyOnceUnlessAskedForDuplicates) {
  const auto keys_with_duplicates = [](double duplicates) {
    const History h =
        generated({.isolation = Level::Pc, .transactions = 4000, .duplicates = duplicates}).history;
    std::set<KeyValueId> written;
    std::set<KeyId> repeated;
    for (const OpId op : h.operations()) {
      if (h.kind(op) != OpKind::Write) continue;
      EXPECT_GT(h.value(h.value(op)).as_integer(), 0);
      if (!written.insert(h.value(op)).second) repeated.insert(h.key(op));
    }
    return repeated.size();
  };
  EXPECT_EQ(keys_with_duplicates(0), 0u);
  EXPECT_EQ(keys_with_duplicates(0.3), 30u);
}

TEST(Generator, RunsTransactionsConcurrently) {
  for (const Level level : simulated_levels()) {
    const History h = generated({.isolation = level}).history;
    std::size_t overlapping = 0;
    for (std::size_t i = 1; i < h.transaction_count(); ++i)
      overlapping += h.instants(TxnId(i)).begin < h.instants(TxnId(i - 1)).end;
    EXPECT_GT(share(overlapping, h.transaction_count()), 0.5) << id(level);
  }
}

TEST(Generator, RunsTheTransactionsOfASessionOneAfterAnother) {
  const History h = generated({.instants = RecordedInstants::All, .skew = 1000000}).history;
  for (const SessionId s : h.sessions()) {
    std::optional<std::int64_t> last;
    for (const TxnId t : h.transactions(s)) {
      const Instants at = h.instants(t);
      EXPECT_TRUE(!last || *last <= *at.begin);
      EXPECT_TRUE(*at.begin < *at.began && *at.began <= *at.committing && *at.committing < *at.end);
      last = at.end;
    }
  }
}

TEST(Generator, ShiftsTheClockOfASessionByHalfTheSkewAtMost) {
  const auto with_skew = [](std::int64_t skew) {
    return generated({.sessions = 20, .skew = skew, .seed = 3}).history;
  };
  const History right = with_skew(0), shifted = with_skew(1000);
  std::map<SessionId, std::set<std::int64_t>> shifts;
  for (const TxnId t : shifted.transactions())
    shifts[shifted.session(t)].insert(*shifted.instants(t).end - *right.instants(t).end);
  std::set<std::int64_t> different;
  for (const auto& [session, of_session] : shifts) {
    EXPECT_EQ(of_session.size(), 1u) << "a session has one clock";
    different.insert(*of_session.begin());
  }
  EXPECT_GT(different.size(), 10u);
  EXPECT_LE(*different.rbegin() - *different.begin(), 1000);
}

TEST(Generator, RecordsTheInstantsAsked) {
  EXPECT_FALSE(generated({.instants = RecordedInstants::None}).history.has_instants());
  const History two = generated({.unknown = 0.2}).history;
  for (const TxnId t : two.transactions()) {
    const Instants at = two.instants(t);
    EXPECT_TRUE(at.begin && !at.began && !at.committing);
    EXPECT_EQ(at.end.has_value(), two.outcome(t) != Outcome::Unknown);
  }
}

TEST(Generator, AbortsConflictsOnlyWhereTheLevelDemandsIt) {
  for (const Level level : simulated_levels()) {
    const Generated g = generated({.isolation = level});
    if (implies(level, Level::Psi)) {
      EXPECT_GT(g.aborted, 50u) << id(level);
      EXPECT_GT(g.committed, 500u) << id(level);
    } else {
      EXPECT_EQ(g.aborted, 0u) << id(level);
    }
  }
}

TEST(Generator, SometimesCommitsWhatTheClientNeverHeardOf) {
  const History h = generated({.isolation = Level::Ser, .transactions = 3000, .unknown = 0.2}).history;
  std::set<KeyValueId> unknown_writes, read;
  for (const TxnId t : h.transactions())
    for (const OpId op : h.operations(t)) {
      if (h.kind(op) == OpKind::Write && h.outcome(t) == Outcome::Unknown) unknown_writes.insert(h.value(op));
      if (h.kind(op) == OpKind::Read && h.outcome(t) == Outcome::Committed) read.insert(h.value(op));
    }
  std::size_t seen = 0;
  for (const KeyValueId kv : unknown_writes) seen += read.contains(kv);
  EXPECT_GT(seen, unknown_writes.size() / 10);
  EXPECT_LT(seen, unknown_writes.size() / 2);
}

TEST(Generator, ReplacesListsThatAreLongEnough) {
  const History h = generated({.isolation = Level::Si,
                               .transactions = 2000,
                               .keys = 3,
                               .data = DataKind::Lists,
                               .list_length = 10})
                        .history;
  EXPECT_GT(h.key_count(), 100u);
  std::map<KeyId, std::size_t> appends;
  for (const OpId op : h.operations()) {
    EXPECT_TRUE(h.kind(op) == OpKind::Append || h.kind(op) == OpKind::ListRead);
    if (h.kind(op) == OpKind::Append) ++appends[h.key(op)];
  }
  for (const auto& [key, n] : appends)
    EXPECT_LE(n, 10u + 8u * 8u) << "transactions that run may go on using it";
}

TEST(Generator, MakesTwoHundredThousandOperationsInSecondsAtEveryLevel) {
  for (const Level level : simulated_levels()) {
    const std::clock_t start = std::clock();
    generated({.isolation = level, .sessions = 200, .transactions = 10000, .operations = 20, .keys = 5000});
    EXPECT_LT(share(static_cast<std::size_t>(std::clock() - start), CLOCKS_PER_SEC), 10.0) << id(level);
  }
}

}  // namespace
}  // namespace assay::test
