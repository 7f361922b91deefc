#include "check/invisible.h"

#include <algorithm>
#include <map>

#include "history/statement_replay.h"

namespace assay {

std::vector<Invisible> broken_invisible_reads(const History& h, std::span<const Truth> truths, const Order& order, std::size_t per_writer) {
  StatementReplay replay(h, truths);
  std::vector<Invisible> broken;
  const auto read = [&](TxnId t) {
    std::map<TxnId, std::size_t> spoilt_by;
    replay.run(t, [&](OpId op) {
      replay.each_broken(op, [&](KeyId key, bool) {
        if (spoilt_by[replay.table().row(key).writer]++ < per_writer) broken.push_back({op, key});
      });
    });
  };
  const bool snapshots = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
  for (const Point& p : order) {
    if (!p.commit || !snapshots) read(p.txn);
    if (p.commit) replay.commit(p.txn);
  }
  std::ranges::sort(broken);
  return broken;
}

}  // namespace assay
