// Views that consist of the writers of reads: checks that each invisible read without a read line is
// explained by one of two versions of its key.
//
// The first is the newest version before the reader in the order, if its writer may enter the reader's view.
// It may if it wrote no newer version of a key than one that the reader reads: by a later operation at rc,
// anywhere at ra. (mav is treated as rc, and plain-ra as ra without sessions. What explains a read at rc does
// so at pl-2.) Reads of such newest versions never contradict each other. The second is the newest version in
// the view. The view contains the writers of the reader's reads (at rc of earlier operations), at ra also the
// transactions before it in its session, and the writers of first versions that entered. The second version
// brings no further writer into view.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "certify/statements.h"
#include "certify/version_table.h"

namespace assay {
namespace {

class ViewStatements {
 public:
  ViewStatements(const History& history, const ItemHistory& items, const WeakOrder& order)
      : h_(history),
        items_(items),
        order_(order),
        atomic_(row(order.level).view == View::Neighbours),
        sessions_(atomic_ && row(order.level).session_order()),
        table_(history, items.outcomes),
        in_session_(history.session_count()) {}

  Result<void> run() {
    for (const Point& p : order_.order) {
      ASSAY_TRY(transaction(p.txn));
      table_.commit(p.txn);
      if (sessions_ && h_.outcome(p.txn) == Outcome::Committed)
        for (const KeyId key : order_.reads.keys_written(p.txn))
          in_session_[h_.session(p.txn).index()][key] = p.txn;
    }
    return {};
  }

 private:
  // A read of the current transaction whose writer is known.
  struct Known {
    OpId operation;
    TxnId writer;
  };
  struct Unexplained {
    Invisible read;
    bool said;
  };

  Result<void> transaction(TxnId t) {
    if (std::ranges::none_of(h_.operations(t), [&](OpId op) { return ranges_over_rows(h_.kind(op)); }))
      return {};
    reads_of_key_.clear();
    view_.clear();
    for (const OpId item : items_.history.operations(t)) {
      if (order_.reads.kind(item) != Reads::Kind::External) continue;
      const Known read{items_.origin[item.index()], order_.source[item.index()]};
      reads_of_key_[items_.history.key(item)].push_back(read);
      view_.push_back(read);
    }
    unexplained_.clear();
    may_enter_.clear();
    std::optional<Invisible> wrong;
    table_.run(t, [&](OpId op) {
      if (!atomic_) may_enter_.clear();
      table_.each_unsaid(op, [&](KeyId key, bool said, bool is_so) {
        const TxnId writer = table_.at(key).writer;
        const bool is_own = writer == t;
        if (is_so && (is_own || enters_view(writer, op))) return;
        if (items_.has_read_line({op, key})) return;
        if (is_own) wrong = wrong.value_or(Invisible{op, key});
        else unexplained_.push_back({{op, key}, said});
      });
    });
    if (wrong) return needs_read_line(h_, order_.level, *wrong);
    for (const Unexplained& one : unexplained_)
      if (!is_explained_by_view(one, t)) return needs_read_line(h_, order_.level, one.read);
    return {};
  }

  // Adds the writer of a first version to the view at this operation, if it may enter. Returns whether it
  // may.
  bool enters_view(TxnId writer, OpId operation) {
    if (writer.is_none()) return true;
    const auto [judged, is_new] = may_enter_.try_emplace(writer.value, false);
    if (is_new) {
      judged->second = !is_newer_than_a_read(writer, operation);
      if (judged->second) view_.push_back({operation, writer});
    }
    return judged->second;
  }

  bool is_newer_than_a_read(TxnId writer, OpId operation) const {
    return std::ranges::any_of(order_.reads.keys_written(writer), [&](KeyId key) {
      const auto reads = reads_of_key_.find(key);
      return reads != reads_of_key_.end() && std::ranges::any_of(reads->second, [&](const Known& read) {
               return (atomic_ || read.operation > operation) &&
                      order_.at.of(read.writer) < order_.at.of(writer);
             });
    });
  }

  bool is_explained_by_view(const Unexplained& one, TxnId t) const {
    const auto [op, key] = one.read;
    TxnId newest;
    const auto consider = [&](TxnId writer) {
      if (order_.at.of(writer) > order_.at.of(newest) && order_.reads.writes(writer, key)) newest = writer;
    };
    for (const Known& seen : view_)
      if (atomic_ || seen.operation < op) consider(seen.writer);
    const auto& session = in_session_[h_.session(t).index()];
    if (const auto last = session.find(key); last != session.end()) consider(last->second);
    const KeyValueId version = newest.is_none() ? h_.initial_value(key) : last_version(newest, key);
    if (version.is_none()) return false;
    const Scalar row = h_.value(version);
    const bool matches =
        h_.kind(op) == OpKind::Scan ? !row.is_null() : PredicateTree(h_, h_.predicate(op)).matches(key, row);
    return matches == one.said;
  }

  KeyValueId last_version(TxnId writer, KeyId key) const {
    KeyValueId last;
    for (const OpId op : h_.operations(writer))
      each_written(h_, op, items_.outcomes, [&](KeyId written, KeyValueId value) {
        if (written == key) last = value;
      });
    return last;
  }

  const History& h_;
  const ItemHistory& items_;
  const WeakOrder& order_;
  const bool atomic_, sessions_;
  VersionTable table_;  // the table before the current transaction in the order
  std::vector<std::unordered_map<KeyId, TxnId>> in_session_;  // at ra: the last writer of each key
  // For the current transaction:
  std::unordered_map<KeyId, std::vector<Known>> reads_of_key_;
  std::vector<Known> view_;
  std::unordered_map<std::uint32_t, bool> may_enter_;  // by writer; at rc for the current operation
  std::vector<Unexplained> unexplained_;
};

}  // namespace

Result<void> certify_view_statements(const History& history, const ItemHistory& items,
                                     const WeakOrder& order) {
  return ViewStatements(history, items, order).run();
}

}  // namespace assay
