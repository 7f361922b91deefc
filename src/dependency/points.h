// The points of transactions as nodes of a graph, and the edges that are known from the start.
//
// A transaction has two points, its snapshot and its commit. At levels with one point both are node t of
// transaction t. At the others its snapshot is node 2t and its commit node 2t + 1. Transactions that cannot
// count have nodes too, but no edges. At the levels of real time, nodes of time come after all points
// (time_edges.h).
#pragma once

#include <vector>

#include "dependency/read_facts.h"
#include "graph/digraph.h"
#include "isolation/point_rules.h"
#include "verdict/rule.h"

namespace assay {

class Points {
 public:
  Points(std::size_t transactions, bool two) : transactions_(transactions), two_(two) {}

  std::size_t node_count() const { return two_ ? 2 * transactions_ : transactions_; }
  bool two() const { return two_; }
  std::uint32_t snapshot(TxnId t) const { return two_ ? 2 * t.value : t.value; }
  std::uint32_t commit(TxnId t) const { return two_ ? 2 * t.value + 1 : t.value; }
  TxnId txn(std::uint32_t node) const { return TxnId(two_ ? node / 2 : node); }
  bool is_commit(std::uint32_t node) const { return !two_ || node % 2 == 1; }
  bool is_point(std::uint32_t node) const { return node < node_count(); }  // and not a node of time

 private:
  std::size_t transactions_;
  bool two_;
};

// Why one point is before another: the rule that concludes the edge, or `suppose` if the edge is chosen.
// Times are nodes too. All edges of a path from a point through times to another point are of rule
// `realtime`.
struct EdgeCause {
  Rule rule;
  OpId op{};        // Reads, Missed, Overwritten: the read. Exclusive: a write. Observed: a list read
  OpId shown_by{};  // Overwritten, Exclusive: the list read that shows the order of the writers, if one does
};

// Why an open read is not from one of its candidate writers.
struct Exclusion {
  std::size_t edges = 0;  // the edges before this number prove it; 0: not excluded
  TxnId between{};        // a writer of the key after the candidate and before the reader; none: the reader
                          // precedes the candidate
};

// An edge that holds if the transaction, which may count, does.
struct PossibleEdge {
  TxnId txn;
  Edge edge;
  EdgeCause cause;
};

struct KnownGraph {
  std::vector<Edge> edges;
  std::vector<EdgeCause> causes;        // of each edge
  std::size_t nodes = 0;                // points and times
  std::vector<std::uint32_t> clocks;    // the first node of each chain of times, and the number of all nodes
  std::size_t timed = 0;                // edges from this number on are of real time
  std::size_t given = SIZE_MAX;         // edges from this number on were derived from others
  std::vector<Exclusion> excluded;      // by index in ReadFacts::candidates; empty: none is excluded
  std::vector<std::uint32_t> settled;   // by open read: the last candidate left, or kOpen; it may be excluded
  std::vector<PossibleEdge> if_counts;  // by transaction
  enum class Decided : std::uint8_t { Open, Took, Left };
  std::vector<Decided> decided;  // by conditional write

  static constexpr std::uint32_t kOpen = UINT32_MAX;
  bool is_excluded(std::size_t candidate) const { return !excluded.empty() && excluded[candidate].edges > 0; }
  void add(std::uint32_t from, std::uint32_t to, EdgeCause cause) {
    edges.push_back({from, to});
    causes.push_back(cause);
  }
};

// The edges known from the start: session order, reads, the two points of each transaction, the version order
// that lists show, and last real time. A reader of a version gets an edge only to the writer of the version
// shown next, so the graph stays linear in size.
//
// Of the writers in one session that a transaction has read from, only the last gets an edge. So a scan has
// one edge for each session, not for each row. `every_read`: also adds the read edges that these and session
// order imply.
KnownGraph known_graph(const History& history, const ReadFacts& facts, const PointRules& rules,
                       bool every_read = false);

}  // namespace assay
