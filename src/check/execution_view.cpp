#include "check/execution_view.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kMostClockBytes = std::size_t{8} << 30;

}  // namespace

Result<ExecutionView> ExecutionView::of(const History& history, Level level, const Execution& execution) {
  auto facts = read_facts(history, reads_repeat(level));
  if (!facts) return std::move(facts).error();
  ExecutionView view(std::move(facts).value(), execution.order);
  view.at_.resize(history.transaction_count());
  for (std::uint32_t i = 0; i < execution.order.size(); ++i) view.at_[execution.order[i].txn.index()] = i + 1;
  view.find_reads(history, execution.from);
  return view;
}

// The execution names the writer of a read if several of its transactions can have written the version.
// Otherwise the only candidate in the order is the writer.
void ExecutionView::find_reads(const History& history, const std::vector<Source>& from) {
  std::unordered_map<std::uint32_t, TxnId> said;
  for (const Source& source : from) said.emplace(source.read.value, source.writer);
  const auto writer = [&](const OpenRead& read) {
    if (const auto found = said.find(read.op.value); found != said.end()) return found->second;
    for (const VersionId version : facts_.candidates_of(read))
      if (const TxnId t = facts_.writer(version); t.is_none() || contains(t)) return t;
    return TxnId::none();
  };
  reads_begin_.push_back(0);
  for (const TxnId t : history.transactions()) {
    if (contains(t)) {
      for (const ReadFact& read : facts_.of(t)) reads_.push_back({read.op, read.key, read.writer});
      for (const OpenRead& read : facts_.open_of(t)) reads_.push_back({read.op, read.key, writer(read)});
    }
    reads_begin_.push_back(static_cast<std::uint32_t>(reads_.size()));
  }
}

Result<Clocks> past_clocks(const History& history, Level level, const ExecutionView& view, Budget& budget) {
  ChainCover cover(history.transaction_count());
  std::vector<Edge> edges;
  const auto add = [&](TxnId from, TxnId to) {
    if (!from.is_none() && from != to) edges.push_back({from.value, to.value});
  };
  for (const SessionId session : history.sessions()) {
    const std::uint32_t chain = cover.add_chain();
    TxnId last;
    for (const TxnId t : history.transactions(session)) {
      if (!view.contains(t)) continue;
      add(last, t);
      const bool is_committed = history.outcome(t) == Outcome::Committed;
      cover.append(is_committed ? chain : cover.add_chain(), t.value);
      if (is_committed) last = t;
    }
  }
  std::vector<TxnId> last_writer(history.key_count());
  for (const Point& p : view.order()) {
    for (const ExecutionView::Read& read : view.reads(p.txn)) add(read.writer, p.txn);
    if (!orders_writers_only(level)) continue;
    for (const KeyId key : view.keys_written(p.txn))
      add(std::exchange(last_writer[key.index()], p.txn), p.txn);
  }
  cover = cut(std::move(cover), Clocks::kLongestChain);
  const std::size_t bytes = Clocks::bytes(history.transaction_count(), cover.chain_count());
  if (budget.is_spent(bytes)) return error(budget.why());
  if (bytes > kMostClockBytes)
    return error("undecided: the history has too many sessions to follow the past of each transaction");
  Clocks clocks(std::move(cover));
  if (!clocks.take(edges, budget)) {
    ASSAY_ASSERT(budget.is_spent());  // no cycle: the execution orders the ends of every edge
    return error(budget.why());
  }
  return clocks;
}

}  // namespace assay
