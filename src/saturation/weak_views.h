// Finds the transactions in each reader's view at a weak level, and adds the edges that they imply to the
// commit order.
//
// If a transaction in the view writes a key that the reader read from another transaction, it commits before
// that one (rule `missed`). Views depend only on sessions and reads, so each is examined once.
#pragma once

#include <vector>

#include "base/budget.h"
#include "isolation/level.h"
#include "saturation/chains.h"
#include "saturation/commit_order.h"

namespace assay {

class WeakViews {
 public:
  WeakViews(const History& history, const ReadFacts& facts, Level level, CommitOrder& order, Budget& budget)
      : h_(history),
        facts_(facts),
        view_(row(level).view),
        sessions_(row(level).session_order()),
        order_(order),
        budget_(budget) {}

  // Adds the edges that follow from all views, unless the budget is spent first. Session order and reads must
  // form no cycle.
  void overrule();

 private:
  struct Seen {
    TxnId writer;
    std::uint32_t first;  // index of the earliest read from it
  };

  void overrule_by_reads();
  void overrule_by_reads(std::span<const ReadFact> reads);
  void overrule_by_writer(std::span<const ReadFact> reads, Seen seen);
  bool is_later(const ReadFact& read, const ReadFact& than) const;
  void overrule_by_session();
  void overrule_by_causes();
  void overrule_by_causes(const ChainCover& cover, const ChainWriters& writers, ChainRange chains);

  static constexpr std::uint32_t kNone = UINT32_MAX;

  const History& h_;
  const ReadFacts& facts_;
  const View view_;
  const bool sessions_;
  CommitOrder& order_;
  Budget& budget_;

  // The reads of the current transaction: linked lists by key, and their writers.
  std::vector<std::uint32_t> first_of_key_, next_of_key_;
  std::vector<Seen> seen_writers_;
};

}  // namespace assay
