// What must not change a verdict, and what can only change it in one direction.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "history/edit.h"
#include "oracle/oracle.h"
#include "random/random_history.h"
#include "random/rebuild.h"
#include "random/shrink.h"
#include "support/random.h"

namespace assay::test {
namespace {

using Change = std::function<History(const History&)>;
using Judge = std::function<bool(const History&, oracle::Level)>;

bool judge(const History& history, oracle::Level level) {
  return oracle::allows(history, level, {.skew = 3});
}

// Whether `permitted(before, after)` for the verdicts of random histories and their changed selves.
void expect_after_change(std::string_view name, const Change& change,
                         bool (*permitted)(bool before, bool after), const Judge& judge_changed = judge) {
  Random random(suite_seed(name));
  for (std::size_t i = scaled(50000, 1000); i > 0; --i) {
    const History history = random_history(random, {.instants = true});
    const History changed = change(history);
    for (const oracle::Level level : oracle::kLevels) {
      if (permitted(judge(history, level), judge_changed(changed, level))) continue;
      FAIL() << oracle::id(level) << ' ' << report_failure(name, history, [&](const History& h) {
        return !permitted(judge(h, level), judge_changed(change(h), level));
      });
    }
  }
}

bool same(bool before, bool after) { return before == after; }
bool still_holds(bool before, bool after) { return !before || after; }

TEST(OracleInvariance, AbortedTransactionsDoNotExist) {
  const Change drop_aborted = [](const History& h) {
    return restrict(
        h, [&](TxnId t) { return h.outcome(t) != Outcome::Aborted; }, [](OpId) { return true; });
  };
  expect_after_change("drop-aborted", drop_aborted, same);
}

TEST(OracleInvariance, NamesMeanNothing) {
  const Change rename = [](const History& h) {
    Rebuilding how = as_it_is(h);
    how.key_name = [&h](KeyId k) { return "k" + std::to_string(h.key_count() - k.index()); };
    how.value = [](KeyId k, std::int64_t v) { return 1000 * static_cast<std::int64_t>(k.index() + 1) - v; };
    return rebuild(h, how);
  };
  expect_after_change("rename", rename, same);
}

TEST(OracleInvariance, TheOrderOfSessionsMeansNothing) {
  const Change reverse = [](const History& h) {
    Rebuilding how = as_it_is(h);
    std::ranges::reverse(how.sessions);
    return rebuild(h, how);
  };
  expect_after_change("reverse-sessions", reverse, same);
}

TEST(OracleInvariance, TheClocksOriginAndUnitMeanNothing) {
  const Change stretch = [](const History& h) {
    Rebuilding how = as_it_is(h);
    how.instant = [](std::int64_t i) { return 5 * i - 1000; };
    return rebuild(h, how);
  };
  expect_after_change("stretch-time", stretch, same, [](const History& h, oracle::Level level) {
    return oracle::allows(h, level, {.skew = 15});
  });
}

TEST(OracleInvariance, SkewOnlyHelps) {
  const Change nothing = [](const History& h) { return h; };
  expect_after_change("more-skew", nothing, still_holds, [](const History& h, oracle::Level level) {
    return oracle::allows(h, level, {.skew = 9});
  });
}

TEST(OracleInvariance, NotKnowingAnOutcomeOnlyHelps) {
  const Change forget = [](const History& h) {
    Rebuilding how = as_it_is(h);
    how.outcome = [&h](TxnId t) {
      const bool forgotten = h.outcome(t) == Outcome::Committed && h.position(t) % 2 == 0;
      return forgotten ? Outcome::Unknown : h.outcome(t);
    };
    return rebuild(h, how);
  };
  expect_after_change("forget-outcomes", forget, still_holds);
}

TEST(OracleInvariance, SeeingLessOnlyHelps) {
  const Change see_less = [](const History& h) {
    const auto keep = [&](OpId op) {
      const bool read = h.kind(op) == OpKind::Read || h.kind(op) == OpKind::ListRead;
      return !read || op.index() % 3 != 0;
    };
    return restrict(
        h, [](TxnId) { return true; }, keep);
  };
  expect_after_change("drop-reads", see_less, still_holds);
}

}  // namespace
}  // namespace assay::test
