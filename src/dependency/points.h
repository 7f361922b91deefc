// Points as nodes of a graph, and what is known about their order from the start.
//
// Transaction t has node t at levels with one point; its snapshot is node 2t and its commit node 2t + 1 at
// the others. Transactions that do not count have nodes too, which no edge touches. At the levels of real
// time, nodes of time come after them (time_edges.h).
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
  bool is_point(std::uint32_t node) const { return node < node_count(); }  // and not a time

 private:
  std::size_t transactions_;
  bool two_;
};

// Why one point is before another: a rule that concludes an edge, or `suppose`, the choice of an order. A
// time that clocks tell is a node too; the edges of a path from a point through times to another point are of
// real time.
struct EdgeCause {
  Rule rule;
  OpId op{};        // Reads, Missed, Overwritten: the read. Exclusive: a write. Observed: a list read
  OpId shown_by{};  // Overwritten, Exclusive: the list read that shows the order of the writers, if one does
};

// Why a read with several possible writers is not from one of them.
struct Exclusion {
  std::size_t edges = 0;  // those before this number show it; 0: it may be from it
  TxnId between{};  // a writer of the key that comes after this one, and before the reader; none: the reader
                    // comes before it
};

// True if the transaction, which may count, does.
struct PossibleEdge {
  TxnId txn;
  Edge edge;
  EdgeCause cause;
};

struct KnownGraph {
  std::vector<Edge> edges;
  std::vector<EdgeCause> causes;        // of each edge
  std::size_t nodes = 0;                // points, and times
  std::vector<std::uint32_t> clocks;    // the first node of each chain of times, and the number of all nodes
  std::size_t timed = 0;                // edges from this number on are of real time
  std::size_t given = SIZE_MAX;         // edges from this number on were derived from others
  std::vector<Exclusion> excluded;      // by place in ReadFacts::candidates; empty: nothing is
  std::vector<std::uint32_t> settled;   // by open read: the candidate that was left, after which it may have
                                        // been excluded too; or kOpen
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

// Session order, reads, the two points of each transaction, and what the order of lists says: of the readers
// of a version only that they come before the version shown next, so that the graph stays linear. Last real
// time.
//
// Of the transactions of a session that one has read from, the last says enough: a scan has an edge for each
// session, not for each row. `every_read`: also what follows from the others and the sessions.
KnownGraph known_graph(const History& history, const ReadFacts& facts, const PointRules& rules,
                       bool every_read = false);

}  // namespace assay
