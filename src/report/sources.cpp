#include "report/sources.h"

namespace assay {

Sources::Sources(const History& history) : h_(history), writers_(history.key_value_count()) {
  for (const TxnId t : h_.transactions())
    for (const OpId op : h_.operations(t)) {
      if (!is_item_write(h_.kind(op))) continue;
      Writers& writers = writers_[h_.value(op).index()];
      if (writers.first.is_none()) writers.first = t;
      else if (writers.first != t) writers.several = true;
    }
}

std::optional<std::string> Sources::of(OpId op) const {
  const OpKind kind = h_.kind(op);
  if (kind == OpKind::ListRead && h_.rows(op).empty()) return "initial";
  if (kind != OpKind::ListRead && kind != OpKind::Read) return std::nullopt;
  const KeyValueId value = kind == OpKind::ListRead ? h_.rows(op).back() : h_.value(op);
  const Writers& writers = writers_[value.index()];
  const bool is_initial = value == h_.initial_value(h_.key(op));
  if (writers.first.is_none()) return is_initial ? std::optional<std::string>("initial") : std::nullopt;
  if (writers.several || is_initial) return std::nullopt;
  return h_.display(writers.first);
}

}  // namespace assay
