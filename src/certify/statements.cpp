#include "certify/statements.h"

#include <fmt/format.h>

#include <algorithm>

#include "certify/reads.h"
#include "certify/version_table.h"

namespace assay {
namespace {

Result<void> run_statements(VersionTable& table, const History& h, TxnId t) {
  Result<void> result;
  table.run(t, [&](OpId op) {
    if (!result) return;
    table.each_wrong(op, [&](KeyId key, bool said) {
      if (!result) return;
      if (table.at(key).value.is_none())
        result = error(fmt::format("statement {} meets key {} before anything was there", called(h, op),
                                   h.display(key)));
      else
        result = error(fmt::format("statement {} {} key {}, which {} then", called(h, op),
                                   said ? "found" : "did not find", h.display(key),
                                   said ? "did not match" : "matched"));
    });
  });
  return result;
}

}  // namespace

Result<void> certify_replayed_statements(const History& history, const ItemHistory& items,
                                         const Order& order) {
  VersionTable table(history, items.outcomes);
  const bool snapshots = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
  for (const Point& p : order) {
    if (!p.commit || !snapshots) ASSAY_TRY(run_statements(table, history, p.txn));
    if (p.commit) table.commit(p.txn);
  }
  return {};
}

Result<void> certify_weak_statements(const History& history, const ItemHistory& items,
                                     const WeakOrder& order) {
  return sees_the_past(order.level) ? certify_past_statements(history, items, order)
                                    : certify_view_statements(history, items, order);
}

Error needs_read_line(const History& history, Level level, Invisible read) {
  return error(
      fmt::format("{} holds only if more is known of what statement {} met at key {}: a read line is missing",
                  id(level), called(history, read.op), history.display(read.key)));
}

}  // namespace assay
