// The values that all external reads of a key in one transaction can have returned.
//
// Some reads state only a set of values, one of which they returned. Where reads repeat, all external reads
// of a key return the same version, so its value is in all their sets. A read that states its value has a set
// of one.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "history/history.h"

namespace assay {

// Whether the operation reads a register, and not a list.
inline bool returns_value(const History& h, OpId op) {
  return h.kind(op) == OpKind::Read || h.kind(op) == OpKind::ReadOneOf;
}
template <class Visit>
void each_returned(const History& h, OpId op, Visit visit) {
  if (h.kind(op) == OpKind::Read) return visit(h.value(op));
  for (const KeyValueId value : h.rows(op)) visit(value);
}
inline bool may_return(const History& h, OpId op, KeyValueId value) {
  if (h.kind(op) == OpKind::Read) return h.value(op) == value;
  return std::ranges::find(h.rows(op), value) != h.rows(op).end();
}

class AgreedValues {
 public:
  struct OfKey {
    std::vector<KeyValueId> possible;  // values that all external reads of the key can have returned
    OpId disagrees;                    // the first read after which no value is left
    // State for the caller's own pass over the transaction afterwards.
    KeyValueId own;  // the value that the transaction wrote last
    bool read = false;
  };

  explicit AgreedValues(const History& history) : h_(history) {}

  // Computes the agreed values of transaction t, which of() returns.
  void begin(TxnId t, bool repeatable) {
    keys_.resize(h_.key_count());
    ++visits_;
    for (const OpId op : h_.operations(t)) add(op, repeatable);
  }
  OfKey& of(KeyId key) { return keys_[key.index()].values; }

 private:
  struct PerKey {
    std::uint64_t visit = 0;            // the other members are valid if this equals visits_
    bool written = false, any = false;  // so far: written; read externally
    OfKey values;
  };

  void add(OpId op, bool repeatable) {
    PerKey& k = keys_[h_.key(op).index()];
    if (k.visit != visits_) {
      k.visit = visits_;
      k.written = k.any = k.values.read = false;
      k.values.possible.clear();
      k.values.disagrees = OpId::none();
      k.values.own = KeyValueId::none();
    }
    k.written |= is_item_write(h_.kind(op));
    if (!returns_value(h_, op) || k.written || !repeatable) return;
    std::vector<KeyValueId>& possible = k.values.possible;
    if (!std::exchange(k.any, true)) {
      each_returned(h_, op, [&](KeyValueId value) { possible.push_back(value); });
      return;
    }
    std::erase_if(possible, [&](KeyValueId value) { return !may_return(h_, op, value); });
    if (possible.empty() && k.values.disagrees.is_none()) k.values.disagrees = op;
  }

  const History& h_;
  std::vector<PerKey> keys_;  // by key; allocated by the first begin()
  std::uint64_t visits_ = 0;
};

}  // namespace assay
