#include "verdict/certify_statements.h"

#include <fmt/format.h>

#include <algorithm>

#include "history/statement_replay.h"
#include "verdict/certify_reads.h"

namespace assay {
namespace {

Result<void> look(StatementReplay& replay, const History& h, TxnId t) {
  std::optional<Error> wrong;
  replay.run(t, [&](OpId op) {
    if (wrong) return;
    replay.each_broken(op, [&](KeyId key, bool matched) {
      if (wrong) return;
      if (replay.table().row(key).value.is_none())
        wrong = error(fmt::format("statement {} meets key {} before anything was there", called(h, op),
                                  h.display(key)));
      else
        wrong = error(fmt::format("statement {} {} key {}, which {} then", called(h, op),
                                  matched ? "found" : "did not find", h.display(key),
                                  matched ? "did not match" : "matched"));
    });
  });
  return wrong ? Result<void>(*wrong) : Result<void>();
}

}  // namespace

Result<void> certify_statements(const History& history, std::span<const Truth> truths, const Order& order) {
  StatementReplay replay(history, truths);
  const bool snapshots = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
  for (const Point& p : order) {
    if (!p.commit || !snapshots) ASSAY_TRY(look(replay, history, p.txn));
    if (p.commit) replay.commit(p.txn);
  }
  return {};
}

}  // namespace assay
