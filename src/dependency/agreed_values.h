// Reads that say only which values they can have returned: what the external reads of a key in one
// transaction agree on.
//
// Where reads repeat, one version must do for all of them, so its value is one that each can have returned. A
// read that names its value is one of these with a single value.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "history/history.h"

namespace assay {

// Of a register.
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
    std::vector<KeyValueId> possible;  // what the external reads of the key agree on
    OpId disagrees;                    // the first read with which no value is left
    // For whoever goes through the transaction after that.
    KeyValueId own;  // written last
    bool read = false;
  };

  explicit AgreedValues(const History& history) : h_(history) {}

  // The transaction that is asked about next.
  void begin(TxnId t, bool repeatable) {
    keys_.resize(h_.key_count());
    ++visits_;
    for (const OpId op : h_.operations(t)) add(op, repeatable);
  }
  OfKey& of(KeyId key) { return keys_[key.index()].values; }

 private:
  struct PerKey {
    std::uint64_t visit = 0;            // for which the rest is valid
    bool written = false, any = false;  // so far
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
  std::vector<PerKey> keys_;  // empty without such reads
  std::uint64_t visits_ = 0;
};

}  // namespace assay
