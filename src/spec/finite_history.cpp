#include "spec/finite_history.h"

#include <numeric>

namespace assay::spec {

std::vector<std::vector<std::uint32_t>> possible_writers(const HistoryFacts& facts) {
  std::vector<std::vector<std::uint32_t>> result;
  for (const auto& read : facts.reads) {
    std::vector<std::uint32_t>& writers = result.emplace_back();
    for (const Row& write : facts.writes)
      if (write[0] != read.txn && write[1] == read.object && write[2] == read.value)
        writers.push_back(write[0]);
  }
  return result;
}

FiniteHistory finite_history(const HistoryFacts& facts, const std::vector<std::uint32_t>& writers) {
  FiniteHistory history;
  const std::size_t sizes[] = {facts.transactions, facts.objects, facts.values, facts.reads.size()};
  for (std::size_t sort = 0; sort < 4; ++sort) {
    history.universe[sort].resize(sizes[sort]);
    std::iota(history.universe[sort].begin(), history.universe[sort].end(), 0u);
  }
  history[Base::Writes] = facts.writes;
  for (const Row& write : facts.writes) history[Base::Writers].insert({write[1], write[0]});
  history[Base::So] = facts.session_order;
  history.labels = facts.labels;
  history[Base::Rt] = facts.real_time;
  history[Base::Ended] = facts.ended;
  for (std::uint32_t t = 1; t < facts.transactions; ++t)
    for (const Base base : {Base::So, Base::Rt, Base::Ended}) history[base].insert({0, t});
  for (std::uint32_t op = 0; op < facts.reads.size(); ++op) {
    const auto& read = facts.reads[op];
    history[Base::Reads].insert({read.txn, read.object, read.value});
    history[Base::Readers].insert({read.object, read.txn});
    history[Base::Wr].insert({read.object, writers[op], read.txn});
    history[Base::Rf].insert({writers[op], op});
    history[Base::OpTxn].insert({op, read.txn});
    history[Base::OpObj].insert({op, read.object});
    for (std::uint32_t earlier = 0; earlier < op; ++earlier)
      if (facts.reads[earlier].txn == read.txn) history[Base::Po].insert({earlier, op});
  }
  return history;
}

}  // namespace assay::spec
