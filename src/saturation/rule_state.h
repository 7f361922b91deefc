// What the rules of saturation share: the edges known so far, their clocks, and the writers of each key.
//
// A rule asks which writers of a key reach a point. Of each chain only the last one matters, since the others
// precede it. Of these, one that reaches the last of them all needs no edge either; and no edge is made that
// the clocks imply.
#pragma once

#include "dependency/points.h"
#include "dependency/version_index.h"
#include "graph/clocks.h"
#include "saturation/chains.h"

namespace assay {

struct RuleState {
  // A writer of the key in question, the last of its chain to reach the point in question.
  struct Writer {
    TxnId txn;
    VersionId version;
  };

  RuleState(const History& history, const ReadFacts& facts, const VersionIndex& versions,
            const PointRules& rules, KnownGraph& known, TxnChains chains);

  // Of the points of a chain before a position, how many are commits, or snapshots.
  std::uint32_t commits(std::uint32_t count) const { return count >> two; }
  std::uint32_t snapshots(std::uint32_t count) const { return (count + two) >> two; }
  // The point of a writer before which others commit whose versions its readers missed.
  std::uint32_t put_before(TxnId writer) const {
    return rules.exclusive ? points.snapshot(writer) : points.commit(writer);
  }
  bool commits_before(TxnId a, TxnId b) const { return clocks.reaches(points.commit(a), points.commit(b)); }

  // Adds an edge unless it is known. Most are, so the cause is asked for only where it is not.
  template <class FindCause>
  void imply(std::uint32_t from, std::uint32_t to, FindCause find_cause) {
    if (!clocks.reaches(from, to)) known.add(from, to, find_cause());
  }

  // Finds the writers that reach the reader, but those that are known to come before `writer`.
  void find_seen(KeyId key, TxnId writer, TxnId reader);
  // Finds the writers that come before `writer`, but those that are known to come before or to be `earlier`.
  void find_earlier(KeyId key, TxnId writer, TxnId earlier);
  // Of the writers that were found, the last; and whether one needs an edge beside that.
  TxnId last_found() const;
  bool is_needed(TxnId writer, TxnId last) const { return writer == last || !commits_before(writer, last); }

  // Rule `missed`: the reader is from `writer`, so the writers that were found, which it has in its view,
  // come before that. `find_op`: the read, which is asked for as seldom as the cause of an edge.
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
  // Rule `overwritten`: the version that the reader saw is older than the writer's.
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
  const std::uint32_t two;  // 1 where a transaction has two points: their shift
  const Points points;
  ChainWriters writers;
  const std::uint32_t txn_chains;  // the chains of times come after these
  Clocks clocks;
  std::vector<Writer> found;

 private:
  std::vector<std::uint32_t> nobody_;  // a clock that no point reaches
};

}  // namespace assay
