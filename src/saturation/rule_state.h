// The state that the rules of saturation share: the known edges, their clocks, and the writers of each key.
//
// A rule asks which writers of a key reach a point. Of each chain only the last such writer matters, since
// the others precede it. Of these last writers, one that reaches the last of them all needs no edge either.
// No edge is added that the clocks already imply.
#pragma once

#include "dependency/points.h"
#include "dependency/version_index.h"
#include "graph/clocks.h"
#include "saturation/chains.h"

namespace assay {

struct RuleState {
  // A writer of the queried key: the last of its chain to reach the queried point.
  struct Writer {
    TxnId txn;
    VersionId version;
  };

  // Each chain of transactions must be short enough to be a chain of points (longest_chain).
  RuleState(const History& history, const ReadFacts& facts, const VersionIndex& versions,
            const PointRules& rules, KnownGraph& known, ChainCover chains);

  static std::uint32_t longest_chain(const PointRules& rules) {
    return rules.two_points ? Clocks::kLongestChain / 2 : Clocks::kLongestChain;
  }

  // How many of the first `count` points of a chain are commits, or snapshots.
  std::uint32_t commits(std::uint32_t count) const { return count >> two; }
  std::uint32_t snapshots(std::uint32_t count) const { return (count + two) >> two; }
  // The point of `writer` before which a transaction commits whose version a reader of `writer` missed.
  std::uint32_t put_before(TxnId writer) const {
    return rules.exclusive ? points.snapshot(writer) : points.commit(writer);
  }
  bool commits_before(TxnId a, TxnId b) const { return clocks.reaches(points.commit(a), points.commit(b)); }

  // Adds an edge unless the clocks imply it. Most are implied, so the cause is computed only for a new edge.
  template <class FindCause>
  void imply(std::uint32_t from, std::uint32_t to, FindCause find_cause) {
    if (!clocks.reaches(from, to)) known.add(from, to, find_cause());
  }

  // Finds the writers that reach the reader, except those known to precede `writer`.
  void find_seen(KeyId key, TxnId writer, TxnId reader);
  // Finds the writers that precede `writer`, except `earlier` and those known to precede it.
  void find_earlier(KeyId key, TxnId writer, TxnId earlier);
  // The last of the found writers, and whether a writer needs an edge beside that one.
  TxnId last_found() const;
  bool is_needed(TxnId writer, TxnId last) const { return writer == last || !commits_before(writer, last); }

  // Rule `missed`: the read is from `writer`, so the found writers, which also reach the reader, precede
  // `writer`. `find_op` returns the read; it is called only for a new edge.
  template <class FindOp>
  void put_found_before(TxnId writer, FindOp find_op) {
    if (found.empty()) return;
    const TxnId last = last_found();
    for (const Writer& missed : found)
      if (is_needed(missed.txn, last))
        imply(points.commit(missed.txn), put_before(writer), [&] {
          return EdgeCause{Rule::Missed, find_op()};
        });
  }
  // Rule `overwritten`: the version that the reader read is older than that of `writer`.
  template <class FindOp>
  void put_reader_before(TxnId reader, TxnId writer, FindOp find_op) {
    if (reader != writer)
      imply(points.snapshot(reader), points.commit(writer), [&] {
        return EdgeCause{Rule::Overwritten, find_op()};
      });
  }

  const History& history;
  const ReadFacts& facts;
  const VersionIndex& versions;
  const PointRules& rules;
  KnownGraph& known;
  const std::uint32_t two;  // 1 if a transaction has two points, otherwise 0: used as a shift
  const Points points;
  ChainWriters writers;
  const std::uint32_t txn_chains;  // chains of transactions, which chains of times follow
  Clocks clocks;
  std::vector<Writer> found;

 private:
  std::vector<Clocks::Reach> nobody_;  // a row of zeros: no point precedes the initial transaction
};

}  // namespace assay
