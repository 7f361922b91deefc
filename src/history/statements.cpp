#include "history/statements.h"

namespace assay {

std::vector<KeyId> table_of(const History& h) {
  std::vector<KeyId> table;
  for (const KeyId key : h.keys())
    if (!h.is_list(key)) table.push_back(key);
  return table;
}

Result<Items> itemize_asked(const History& h, std::span<const Invisible> invisible) {
  ASSAY_TRY(check_predicates(h));
  const std::vector<KeyId> table = table_of(h);
  for (auto next = invisible.begin(); next != invisible.end();) {
    if (!is_statement(h.kind(next->op))) return error("a read line names an operation without rows");
    std::vector<KeyId> keys;
    Statement(h, next->op, table).each_invisible([&](KeyId key, bool) { keys.push_back(key); });
    for (const OpId op = next->op; next != invisible.end() && next->op == op; ++next)
      if (!std::ranges::binary_search(keys, next->key)) return error("a read line names a key of which the statement says the value, or nothing");
  }
  return itemize(h, invisible);
}

std::optional<std::vector<Invisible>> all_invisible_reads(const History& h, std::size_t most) {
  const std::vector<KeyId> table = table_of(h);
  std::vector<std::vector<KeyValueId>> values(h.key_count());
  for (std::size_t v = 0; v < h.key_value_count(); ++v) values[h.key(KeyValueId(v)).index()].push_back(KeyValueId(v));
  std::vector<Invisible> all;
  for (const TxnId t : h.transactions()) {
    if (h.outcome(t) == Outcome::Aborted) continue;
    for (const OpId op : h.operations(t)) {
      if (!is_statement(h.kind(op))) continue;
      const Statement statement(h, op, table);
      statement.each_invisible([&](KeyId key, bool matched) {
        const bool can_break = h.initial_value(key).is_none() || std::ranges::any_of(values[key.index()], [&](KeyValueId v) {
          return statement.matches(key, v) != matched;
        });
        if (can_break && all.size() <= most) all.push_back({op, key});
      });
      if (all.size() > most) return std::nullopt;
    }
  }
  return all;
}

}  // namespace assay
