// Finds which versions each read of a transaction can have returned, or what is wrong with it.
//
// A read of a key that the transaction wrote before must return its own last write. Other reads are external.
// Where reads repeat, all external reads of a key must agree with the first, and only the first is reported.
// The templates stay in this header: they are the inner loop of read_facts(), and each caller uses the
// results differently.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dependency/agreed_values.h"
#include "dependency/list_facts.h"
#include "dependency/value_writers.h"
#include "history/values_of_keys.h"

namespace assay {

// What a history holds besides reads and writes of single values.
struct HistoryTraits {
  bool lists = false;
  bool sets = false;  // some reads state only a set of possible values
  bool unknowns = false;
};

class TransactionReads {
 public:
  TransactionReads(const History& history, const Versions& versions, const ValueWriters& writers,
                   const HistoryTraits& has, bool repeatable)
      : h_(history),
        versions_(versions),
        writers_(writers),
        has_(has),
        repeatable_(repeatable),
        lists_(history, versions),
        agreed_(history),
        refuted_(history.transaction_count()) {
    if (has_.lists) list_keys_.resize(h_.key_count());
    if (!versions.conditional.empty()) values_of_keys_.emplace(h_);
  }

  // Begins a pass, which visits transactions in any order, each at most once.
  void begin_pass() { keys_.assign(h_.key_count(), {}); }

  // Calls seen(op, versions) with the candidates of each external read that has some, and wrong(op, anomaly,
  // other) for each wrong read. `other` is the transaction whose write it returned, or none.
  template <class Seen, class Wrong>
  void visit(TxnId t, Seen seen, Wrong wrong) {
    if (has_.sets && has_set(t)) visit_with_sets(t, seen, wrong);
    else visit_values(t, seen, wrong);
  }

  // Keys and values are scattered over memory, so those of the next transaction are prefetched while t is
  // visited.
  void fetch_next(TxnId t) const {
    if (t.index() + 1 >= h_.transaction_count()) return;
    for (const OpId op : h_.operations(TxnId(t.value + 1))) {
      __builtin_prefetch(&keys_[h_.key(op).index()]);
      writers_.fetch(h_, op);
    }
  }

  // The transaction cannot have committed, so from now on no read is from it.
  void refute(TxnId t) { refuted_[t.index()] = true; }
  bool is_refuted(TxnId t) const { return refuted_[t.index()]; }

  const Lists& lists() const { return lists_; }

 private:
  struct PerKey {
    std::uint32_t seen = UINT32_MAX;  // the other members are valid for this transaction
    bool written = false, read = false;
    KeyValueId last_written, first_read;
  };
  struct PerListKey {
    std::vector<KeyValueId> appended;  // own elements so far
    Lists::List first_list;            // the external part of the first read
  };

  PerKey& at(KeyId key, TxnId t) {
    PerKey& k = keys_[key.index()];
    if (k.seen != t.value) {
      k = {};
      k.seen = t.value;
      if (has_.lists) list_keys_[key.index()] = {};
    }
    return k;
  }

  template <class Seen, class Wrong>
  void visit_values(TxnId t, Seen seen, Wrong wrong) {
    for (const OpId op : h_.operations(t)) {
      PerKey& k = at(h_.key(op), t);
      if (h_.kind(op) == OpKind::ListRead) {
        list_read(t, op, k, list_keys_[h_.key(op).index()], seen, wrong);
        continue;
      }
      const KeyValueId value = h_.value(op);
      if (h_.kind(op) == OpKind::Append) {
        list_keys_[h_.key(op).index()].appended.push_back(value);
        continue;
      }
      if (is_item_write(h_.kind(op))) {
        k.written = true;
        k.last_written = value;
        continue;
      }
      if (k.written) {
        if (value != k.last_written)
          wrong(op, wrote_before(t, op) ? Anomaly::NotOwnLastWrite : Anomaly::NotOwnWrite, t);
        continue;
      }
      if (k.read && repeatable_) {
        if (value != k.first_read) wrong(op, Anomaly::NonRepeatableRead, TxnId::none());
        continue;
      }
      k.read = true;
      k.first_read = value;

      candidates_.clear();
      add_candidates(t, h_.key(op), value);
      if (candidates_.empty()) explain_wrong(t, op, wrong);
      else seen(op, std::span<const VersionId>(candidates_));
    }
  }

  // Does the same for a transaction with reads that state only a set of values. Where reads repeat, one
  // version must satisfy all external reads of a key.
  template <class Seen, class Wrong>
  void visit_with_sets(TxnId t, Seen seen, Wrong wrong) {
    agreed_.begin(t, repeatable_);
    for (const OpId op : h_.operations(t)) {
      const KeyId key = h_.key(op);
      AgreedValues::OfKey& k = agreed_.of(key);
      if (h_.is_conditional_write(op)) {  // nothing else writes the key, nor reads it afterwards
        if (!std::exchange(k.read, true)) any_version(t, op, seen, wrong);
        continue;
      }
      if (!returns_value(h_, op)) {
        if (h_.kind(op) == OpKind::ListRead)
          list_read(t, op, at(key, t), list_keys_[key.index()], seen, wrong);
        else if (h_.kind(op) == OpKind::Append)
          at(key, t), list_keys_[key.index()].appended.push_back(h_.value(op));
        else k.own = h_.value(op);
        continue;
      }
      if (!k.own.is_none()) {
        if (!may_return(h_, op, k.own))
          wrong(op,
                h_.kind(op) == OpKind::Read && wrote_before(t, op) ? Anomaly::NotOwnLastWrite
                                                                   : Anomaly::NotOwnWrite,
                t);
        continue;
      }
      if (repeatable_ && std::exchange(k.read, true)) continue;
      candidates_.clear();
      if (repeatable_)
        for (const KeyValueId value : k.possible) add_candidates(t, key, value);
      else each_returned(h_, op, [&](KeyValueId value) { add_candidates(t, key, value); });
      if (!candidates_.empty()) {
        seen(op, std::span<const VersionId>(candidates_));
        continue;
      }
      each_returned(h_, op, [&](KeyValueId value) { add_candidates(t, key, value); });
      if (candidates_.empty()) explain_wrong(t, op, wrong);
      else wrong(k.disagrees.is_none() ? op : k.disagrees, Anomaly::NonRepeatableRead, TxnId::none());
    }
  }

  template <class Seen, class Wrong>
  void any_version(TxnId t, OpId op, Seen seen, Wrong wrong) {
    candidates_.clear();
    for (const KeyValueId value : values_of_keys_->of(h_.key(op))) add_candidates(t, h_.key(op), value);
    if (candidates_.empty()) wrong(op, Anomaly::ThinAir, TxnId::none());
    else seen(op, std::span<const VersionId>(candidates_));
  }

  // The reader's own elements are at the end of the list. What comes before them is the external part.
  template <class Seen, class Wrong>
  void list_read(TxnId t, OpId op, PerKey& k, PerListKey& own, Seen seen, Wrong wrong) {
    const Lists::List list = h_.rows(op);
    if (const auto bad = lists_.wrong_end(t, list, own.appended)) return wrong(op, bad->anomaly, bad->other);
    const Lists::List external = list.first(list.size() - own.appended.size());
    if (k.read && repeatable_) {
      if (!std::ranges::equal(external, own.first_list)) wrong(op, Anomaly::NonRepeatableRead, TxnId::none());
      return;
    }
    k.read = true;
    own.first_list = external;
    if (const auto bad = lists_.wrong_blocks(t, list, own.appended, refuted_))
      return wrong(op, bad->anomaly, bad->other);
    const VersionId version =
        external.empty() ? versions_.initial_version(h_.key(op)) : lists_.version(external.back());
    seen(op, std::span(&version, 1));
  }

  // Adds to candidates_ the versions that an external read of this value by t can have returned.
  void add_candidates(TxnId t, KeyId key, KeyValueId value) {
    writers_.each_version(versions_, key, value, [&](VersionId version, TxnId writer) {
      if (writer.is_none() || (writer != t && !refuted_[writer.index()])) candidates_.push_back(version);
    });
  }

  // Reports why a read by t has no candidates.
  template <class Wrong>
  void explain_wrong(TxnId t, OpId op, Wrong wrong) const {
    if (h_.kind(op) == OpKind::ReadOneOf) return wrong(op, Anomaly::PredicateReadMiss, TxnId::none());
    const ValueWriters::Writers& w = writers_.of(h_.value(op));
    if (writes_value(t, op)) wrong(op, Anomaly::FutureRead, t);
    else if (!w.aborted.is_none()) wrong(op, Anomaly::G1a, w.aborted);
    else if (!w.final_writer.is_none()) wrong(op, Anomaly::G1a, w.final_writer);
    else if (!w.intermediate.is_none()) wrong(op, Anomaly::G1b, w.intermediate);
    else wrong(op, Anomaly::ThinAir, TxnId::none());
  }

  bool writes_value(TxnId t, OpId read) const {
    return std::ranges::any_of(h_.operations(t), [&](OpId op) {
      return h_.kind(op) == OpKind::Write && h_.value(op) == h_.value(read);
    });
  }
  bool wrote_before(TxnId t, OpId read) const {
    for (const OpId op : h_.operations(t)) {
      if (op == read) return false;
      if (h_.kind(op) == OpKind::Write && h_.value(op) == h_.value(read)) return true;
    }
    return false;
  }
  bool has_set(TxnId t) const {
    return std::ranges::any_of(h_.operations(t), [&](OpId op) {
      return h_.kind(op) == OpKind::ReadOneOf || h_.is_conditional_write(op);
    });
  }

  const History& h_;
  const Versions& versions_;
  const ValueWriters& writers_;
  const HistoryTraits has_;
  const bool repeatable_;
  Lists lists_;
  AgreedValues agreed_;
  std::optional<ValuesOfKeys> values_of_keys_;  // if there are conditional writes
  std::vector<bool> refuted_;                   // by transaction
  std::vector<PerKey> keys_;
  std::vector<PerListKey> list_keys_;  // by key; empty without lists
  std::vector<VersionId> candidates_;  // of the current read
};

}  // namespace assay
