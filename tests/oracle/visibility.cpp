#include "oracle/visibility.h"

#include <algorithm>

namespace assay::oracle {
namespace {

// Builds the arbitration order from its beginning; each transaction that is placed chooses what it
// sees among all subsets of the ones before it. At rc and mav it chooses again for each read, and what it
// has seen it keeps in its later operations; at pl_2 it does not even keep that. Without session order,
// nobody need see, or come after, his session.
class VisibilitySearch {
 public:
  VisibilitySearch(const Model& model, Level level, TxnSet counting)
      : model_(model),
        level_(level),
        counting_(counting),
        sees_(model.transactions.size()),
        content_(model.transactions.size(), std::vector<Content>(model.key_count)) {
    for (const Write& write : model.transactions[kInitial].writes)
      content_[kInitial][write.key] = after(write, {});
    order_.push_back(kInitial);
    placed_ = TxnSet::of(kInitial);
  }

  bool extend() {
    if (placed_.includes(counting_)) return true;
    for (const Txn t : counting_ - placed_) {
      if (!placed_.includes(session_predecessors(t))) continue;
      if (!own_elements_follow(t)) continue;
      const bool found =
          level_ == Level::pl_2 ? explains_each_read(t) && place(t, {})
          : level_ == Level::rc || level_ == Level::mav
              ? explains_reads(t, 0, TxnSet::of(kInitial), TxnSet::of(kInitial)) && place(t, {})
              : read_from_one_set(t);
      if (found) return true;
    }
    return false;
  }

 private:
  bool read_from_one_set(Txn t) {
    const auto& reads = model_.transactions[t].reads;
    bool found = false;
    some_superset(TxnSet::of(kInitial), [&](TxnSet seen) {
      if (!may_see(t, seen)) return false;
      if (!std::ranges::all_of(reads, [&](const Read& read) { return returns_latest(read, seen); }))
        return false;
      found = place(t, seen);
      return found || !is_transitive();  // what t sees matters to others only when they see it too
    });
    return found;
  }

  bool explains_each_read(Txn t) const {
    return std::ranges::all_of(model_.transactions[t].reads, [&](const Read& read) {
      return some_superset(TxnSet::of(kInitial), [&](TxnSet seen) { return returns_latest(read, seen); });
    });
  }

  // Whether growing sets explain the reads from the i-th on. The reads of one operation do not see what each
  // other saw: `before` is what was seen before their operation.
  bool explains_reads(Txn t, std::size_t i, TxnSet before, TxnSet seen) const {
    const auto& reads = model_.transactions[t].reads;
    if (i == reads.size()) return true;
    if (i > 0 && reads[i].operation != reads[i - 1].operation) before = seen;
    return some_superset(before, [&](TxnSet more) {
      return returns_latest(reads[i], more) && explains_reads(t, i + 1, before, seen | more);
    });
  }

  TxnSet session_predecessors(Txn t) const {
    const bool with_sessions = level_ != Level::pl_2 && level_ != Level::mav && level_ != Level::plain_ra;
    return with_sessions ? model_.transactions[t].session_predecessors : TxnSet::of(kInitial);
  }

  bool is_transitive() const { return level_ == Level::cc || level_ == Level::psi; }

  template <class Try>
  bool some_superset(TxnSet least, Try attempt) const {
    const std::uint32_t free = (placed_ - least).bits;
    for (std::uint32_t extra = free;; extra = (extra - 1) & free) {
      if (attempt(least | TxnSet{extra})) return true;
      if (extra == 0) return false;
    }
  }

  bool may_see(Txn t, TxnSet seen) const {
    const bool no_conflict = level_ == Level::psi || level_ == Level::si;
    const bool prefix = level_ == Level::pc || level_ == Level::si;
    if (!seen.includes(session_predecessors(t))) return false;
    if (no_conflict && !seen.includes(model_.shares_a_key[t] & placed_)) return false;
    if (level_ == Level::ser && seen != placed_) return false;
    if (prefix && !is_prefix(seen)) return false;
    return !is_transitive() ||
           std::ranges::all_of(seen, [&](Txn other) { return seen.includes(sees_[other]); });
  }

  bool is_prefix(TxnSet seen) const {
    const auto end = std::ranges::find_if(order_, [&](Txn t) { return !seen.contains(t); });
    return std::none_of(end, order_.end(), [&](Txn t) { return seen.contains(t); });
  }

  Txn latest_writer(Key key, TxnSet among) const {
    return *std::find_if(order_.rbegin(), order_.rend(),
                         [&](Txn t) { return among.contains(t) && model_.writers[key].contains(t); });
  }

  bool returns_latest(const Read& read, TxnSet seen) const {
    return read.accepts(content_[latest_writer(read.key, seen)][read.key]);
  }

  bool own_elements_follow(Txn t) const {
    return std::ranges::all_of(model_.transactions[t].reads, [&](const Read& read) {
      return !read.own_follow || returns_latest(read, placed_);
    });
  }

  bool place(Txn t, TxnSet seen) {
    for (const Write& write : model_.transactions[t].writes)
      content_[t][write.key] = after(write, content_[latest_writer(write.key, placed_)][write.key]);
    sees_[t] = seen;
    order_.push_back(t);
    placed_ |= TxnSet::of(t);
    const bool found = extend();
    placed_ = placed_ - TxnSet::of(t);
    order_.pop_back();
    return found;
  }

  const Model& model_;
  const Level level_;
  const TxnSet counting_;

  std::vector<Txn> order_;  // arbitration
  TxnSet placed_;
  std::vector<TxnSet> sees_;
  std::vector<std::vector<Content>> content_;  // of the version that each transaction wrote of each key
};

}  // namespace

bool has_visibility(const Model& model, Level level) {
  return some_outcome(model,
                      [&](TxnSet counting) { return VisibilitySearch(model, level, counting).extend(); });
}

}  // namespace assay::oracle
