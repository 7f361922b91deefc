#include "oracle/commit_order.h"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace assay::oracle {
namespace {

// Builds the commit order from its beginning, one transaction at a time.
//
// A transaction may come next when its session predecessors and the writers it reads from have
// been placed. Every axiom says of a reader t3, of t1 it reads x from, and of any other writer t2 of x:
// if t2 is *exposed* to t3, then t2 co t1. Being exposed implies t2 co t3, so all three are placed
// when t3 is, and the axiom is checked there, once, against the order so far.
//
// The order of the writers of a key is the version order, so the content of each version is known
// as soon as its writer is placed: that is how list reads are matched.
class CommitOrderSearch {
 public:
  CommitOrderSearch(const Model& model, CommitOrderAxioms axioms, TxnSet counting)
      : model_(model),
        axioms_(axioms),
        counting_(counting),
        position_(model.transactions.size()),
        past_(model.transactions.size()),
        reads_from_(model.transactions.size()),
        content_(model.transactions.size(), std::vector<Content>(model.key_count)) {
    for (const Write& write : model.transactions[kInitial].writes)
      content_[kInitial][write.key] = after(write, {});
    order_.push_back(kInitial);
    placed_ = TxnSet::of(kInitial);
  }

  bool extend() {
    if (placed_.includes(counting_)) return true;
    if (!tried_.insert(fingerprint()).second) return false;
    for (const Txn t : counting_ - placed_)
      if (placed_.includes(session_predecessors(t)) && choose_writers(t)) return true;
    return false;
  }

 private:
  TxnSet session_predecessors(Txn t) const {
    return axioms_.session_order ? model_.transactions[t].session_predecessors : TxnSet::of(kInitial);
  }

  TxnSet placed_writers(Key key) const { return model_.writers[key] & placed_; }

  Txn last_writer(Key key) const {
    return *std::find_if(order_.rbegin(), order_.rend(),
                         [&](Txn t) { return model_.writers[key].contains(t); });
  }

  // Chooses the writer of t's next read, then of the ones behind it; places t after the last.
  bool choose_writers(Txn t) {
    const auto& reads = model_.transactions[t].reads;
    auto& chosen = reads_from_[t];
    if (chosen.size() == reads.size()) return obeys_axiom(t) && place(t);
    const Read& read = reads[chosen.size()];
    for (const Txn writer : placed_writers(read.key)) {
      if (!read.accepts(content_[writer][read.key])) continue;
      if (read.own_follow && writer != last_writer(read.key)) continue;
      if (reads_repeat() && !agrees(t, read.key, writer)) continue;
      chosen.push_back(writer);
      const bool found = choose_writers(t);
      chosen.pop_back();
      if (found) return true;
    }
    return false;
  }

  bool reads_repeat() const { return axioms_.axiom != Level::rc && axioms_.axiom != Level::pl_2; }

  // From ra up, all external reads of a key are of one version.
  bool agrees(Txn t, Key key, Txn writer) const {
    for (std::size_t i = 0; i < reads_from_[t].size(); ++i)
      if (model_.transactions[t].reads[i].key == key && reads_from_[t][i] != writer) return false;
    return true;
  }

  bool obeys_axiom(Txn t3) {
    past_[t3] = past(t3);
    const auto& reads = model_.transactions[t3].reads;
    for (std::size_t i = 0; i < reads.size(); ++i) {
      const Txn t1 = reads_from_[t3][i];
      for (const Txn t2 : (exposed(t3, i) & placed_writers(reads[i].key)) - TxnSet::of(t1))
        if (position_[t2] > position_[t1]) return false;
    }
    return true;
  }

  // The transactions t2 of levels.md's table, for t3 and its i-th read.
  TxnSet exposed(Txn t3, std::size_t i) const {
    if (axioms_.guarantee != Guarantee::None) return guaranteed(t3);
    const TxnSet seen = session_predecessors(t3) | writers_of_first_reads(t3, reads_from_[t3].size());
    switch (axioms_.axiom) {
      case Level::pl_2: return {};
      case Level::rc: return writers_of_first_reads(t3, first_read_of_operation(t3, i));
      case Level::ra: return seen;
      case Level::cc:
      case Level::psi: return past_[t3];
      case Level::pc: return up_to_the_last_of(seen);
      case Level::si: return up_to_the_last_of(seen | (model_.shares_a_key[t3] & placed_));
      case Level::ser: return placed_;
      default: ASSAY_REQUIRE(false && "a level with a commit-order axiom"); return {};
    }
  }

  // What the guarantee's step leads from to t3.
  TxnSet guaranteed(Txn t3) const {
    const auto read_by = [&](Txn t) { return writers_of_first_reads(t, reads_from_[t].size()); };
    const TxnSet session = session_predecessors(t3);
    TxnSet set;
    switch (axioms_.guarantee) {
      case Guarantee::None: break;
      case Guarantee::ReadYourWrites: return session;
      case Guarantee::MonotonicReads:
        for (const Txn earlier : session) set |= read_by(earlier);
        break;
      case Guarantee::MonotonicWrites:
        for (const Txn writer : read_by(t3)) set |= session_predecessors(writer);
        break;
      case Guarantee::WritesFollowReads:
        for (const Txn writer : read_by(t3)) {
          set |= read_by(writer);
          for (const Txn earlier : session_predecessors(writer)) set |= read_by(earlier);
        }
        break;
    }
    return set;
  }

  // The reads of one operation are not before each other.
  std::size_t first_read_of_operation(Txn t, std::size_t i) const {
    const auto& reads = model_.transactions[t].reads;
    while (i > 0 && reads[i - 1].operation == reads[i].operation) --i;
    return i;
  }

  TxnSet writers_of_first_reads(Txn t, std::size_t count) const {
    TxnSet set;
    for (std::size_t i = 0; i < count; ++i) set |= TxnSet::of(reads_from_[t][i]);
    return set;
  }

  // What reaches t through sessions and reads, and for psi through the orders of the keys' writers.
  TxnSet past(Txn t) const {
    TxnSet direct = session_predecessors(t) | writers_of_first_reads(t, reads_from_[t].size());
    if (axioms_.axiom == Level::psi) direct |= model_.shares_a_key[t] & placed_;
    TxnSet all = direct;
    for (const Txn before : direct) all |= past_[before];
    return all;
  }

  TxnSet up_to_the_last_of(TxnSet set) const {
    TxnSet prefix, rest = set;
    for (const Txn t : order_) {
      if (rest.empty()) break;
      prefix |= TxnSet::of(t);
      rest = rest - TxnSet::of(t);
    }
    return prefix;
  }

  bool place(Txn t) {
    for (const Write& write : model_.transactions[t].writes)
      content_[t][write.key] = after(write, content_[last_writer(write.key)][write.key]);
    position_[t] = order_.size();
    order_.push_back(t);
    placed_ |= TxnSet::of(t);
    const bool found = extend();
    placed_ = placed_ - TxnSet::of(t);
    order_.pop_back();
    return found;
  }

  // What decides whether the rest can be placed: who has been, in which order the versions of each key stand,
  // and who is in whose past. Axioms that count positions want the whole order.
  std::string fingerprint() const {
    std::string text;
    if (axioms_.axiom == Level::pc || axioms_.axiom == Level::si || axioms_.axiom == Level::ser) {
      for (const Txn t : order_) text += static_cast<char>(t);
      return text;
    }
    for (const TxnSet writers : model_.writers) {
      for (const Txn t : order_)
        if (writers.contains(t)) text += static_cast<char>(t);
      text += static_cast<char>(TxnSet::kCapacity);
    }
    for (const Txn t : placed_) {
      text += static_cast<char>(t);
      if (axioms_.guarantee != Guarantee::None)
        for (const Txn writer : reads_from_[t]) text += static_cast<char>(writer);
      for (int shift = 0; shift < 32; shift += 8) text += static_cast<char>(past_[t].bits >> shift & 0xff);
    }
    return text;
  }

  const Model& model_;
  const CommitOrderAxioms axioms_;
  const TxnSet counting_;

  std::unordered_set<std::string> tried_;
  std::vector<Txn> order_;
  TxnSet placed_;
  std::vector<std::size_t> position_;          // in order_
  std::vector<TxnSet> past_;                   // of the placed ones
  std::vector<std::vector<Txn>> reads_from_;   // the writer chosen for each read
  std::vector<std::vector<Content>> content_;  // of the version that each transaction wrote of each key
};

}  // namespace

bool has_commit_order(const Model& model, CommitOrderAxioms axioms) {
  return some_outcome(model,
                      [&](TxnSet counting) { return CommitOrderSearch(model, axioms, counting).extend(); });
}

}  // namespace assay::oracle
