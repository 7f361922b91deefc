// Paths through nodes of time are exactly what clocks tell about the order of points.
#include "dependency/time_edges.h"

#include <gmock/gmock.h>

#include "base/random.h"
#include "history/builder.h"
#include "isolation/level.h"
#include "isolation/real_time.h"
#include "support/hist.h"

namespace assay::test {
namespace {

struct Timed {
  Timed(History of, Level level, std::int64_t skew)
      : history(std::move(of)), points(history.transaction_count(), row(level).points.two_points) {
    rules = row(level).points;
    rules.real_time.skew = skew;
    known.nodes = points.node_count();
    add_real_time(history, read_facts(history, true).value(), rules, known);
    graph.emplace(known.nodes, known.edges);
  }

  // Whether a path of at least one edge that stays among times leads from one point to the other.
  bool is_path(std::uint32_t from, std::uint32_t to) const {
    std::vector<std::uint32_t> open{from};
    std::vector<bool> seen(known.nodes);
    for (std::size_t i = 0; i < open.size(); ++i)
      for (const std::uint32_t next : graph->successors(open[i])) {
        if (next == to) return true;
        if (points.is_point(next) || seen[next]) continue;
        seen[next] = true;
        open.push_back(next);
      }
    return false;
  }

  History history;
  Points points;
  PointRules rules;
  KnownGraph known;
  std::optional<Digraph> graph;
};

// Instants that often coincide.
History random_history(Random& random, std::size_t transactions) {
  HistoryBuilder b;
  for (std::size_t t = 0; t < transactions; ++t) {
    b.write(b.key("x"), Scalar::integer(static_cast<std::int64_t>(t + 1)));
    const auto begin = static_cast<std::int64_t>(random.below(2 * transactions));
    const auto end = begin + static_cast<std::int64_t>(random.below(6));
    EXPECT_TRUE(b.finish({.session = b.new_session(), .instants = {.begin = begin, .end = end}}));
  }
  return std::move(b).build().value();
}

TEST(TimeEdges, OrderTransactionsThatDoNotOverlap) {
  const Timed t(hist("S1: <@0..10> w(x,1)  S2: <@11..20> w(x,2)  S3: <@10..30> w(x,3)"), Level::StrictSer, 0);
  EXPECT_TRUE(t.is_path(0, 1));
  EXPECT_FALSE(t.is_path(1, 0));
  EXPECT_FALSE(t.is_path(0, 2));  // they may have met at 10
  EXPECT_FALSE(t.is_path(1, 2));
}

TEST(TimeEdges, AreFewerTheMoreClocksMayDiffer) {
  const char* text = "S1: <@0..10> w(x,1)  S2: <@13..20> w(x,2)";
  EXPECT_TRUE(Timed(hist(text), Level::StrictSer, 2).is_path(0, 1));
  EXPECT_FALSE(Timed(hist(text), Level::StrictSer, 3).is_path(0, 1));
}

TEST(TimeEdges, LetATransactionOfUnknownOutcomePrecedeNothing) {
  const Timed t(
      hist("S1: <@0..10> w(x,1)?  S2: <@20..30> r(x,1)  S3: <@40..50> w(x,3)?  S4: <@60..70> r(x,3)"),
      Level::StrictSer, 0);
  EXPECT_FALSE(t.is_path(0, 1));
  EXPECT_FALSE(t.is_path(0, 3));
  EXPECT_TRUE(t.is_path(1, 2));
  EXPECT_TRUE(t.is_path(1, 3));
}

TEST(TimeEdges, AreNotMadeAtLevelsWithoutClocks) {
  EXPECT_TRUE(Timed(hist("S1: <@0..10> w(x,1)  S2: <@13..20> w(x,2)"), Level::Ser, 0).known.edges.empty());
}

TEST(TimeEdges, AreThePairsThatRealTimeOrders) {
  Random random(11);
  std::size_t ordered = 0, unordered = 0;
  for (const Level level : {Level::StrictSer, Level::StrongSi, Level::Gsi})
    for (int round = 0; round < 20; ++round) {
      const Timed t(random_history(random, 12), level, static_cast<std::int64_t>(random.below(3)));
      for (std::uint32_t from = 0; from < t.points.node_count(); ++from)
        for (std::uint32_t to = 0; to < t.points.node_count(); ++to) {
          if (from == to) continue;
          const bool first = t.points.is_commit(from), second = t.points.is_commit(to);
          const bool expected =
              has_real_time(t.rules, first, t.rules.two_points ? second : false) &&
              precedes(bounds(t.history, t.points.txn(from), first, t.rules),
                       bounds(t.history, t.points.txn(to), second, t.rules), t.rules.real_time.skew);
          ASSERT_EQ(t.is_path(from, to), expected) << row(level).id << ' ' << from << ' ' << to;
          ++(expected ? ordered : unordered);
        }
    }
  EXPECT_GT(ordered, 1000u);
  EXPECT_GT(unordered, 1000u);
}

TEST(TimeEdges, GrowOnlyLinearly) {
  Random random(5);
  const Timed t(random_history(random, 2000), Level::StrictSer, 0);
  EXPECT_LE(t.known.nodes, 2 * t.points.node_count());
  EXPECT_LE(t.known.edges.size(), 3 * t.points.node_count());
}

}  // namespace
}  // namespace assay::test
