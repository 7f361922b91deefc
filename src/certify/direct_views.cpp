// Checks views that consist of the writers of reads: at mav and rc the writers of earlier reads, at ra those
// of all reads and the reader's session. At pl-2 the view is empty. Linear in the history, times the square
// root of its largest transactions.
#include "certify/order.h"

namespace assay {
namespace {

class DirectViews {
 public:
  explicit DirectViews(const WeakOrder& order)
      : h_(order.history),
        atomic_(row(order.level).view == View::Neighbours),
        sessions_(atomic_ && row(order.level).session_order()),
        at_(order.at),
        reads_(order.reads),
        source_(order.source),
        seen_(h_.key_count()),
        exposed_to_(h_.transaction_count()),
        in_session_(h_.key_count()) {}

  Result<void> check() {
    for (const SessionId session : h_.sessions())
      for (const TxnId t : h_.transactions(session)) {
        if (!at_.contain(t)) continue;
        ASSAY_TRY(check(t));
        if (sessions_ && h_.outcome(t) == Outcome::Committed)
          for (const KeyId key : reads_.keys_written(t)) in_session_[key.index()] = t;
      }
    return {};
  }

 private:
  Result<void> check(TxnId t) {
    external_.clear();
    for (const OpId op : h_.operations(t))
      if (reads_.kind(op) == Reads::Kind::External) external_.push_back(op);
    if (atomic_)
      for (const OpId op : external_) expose(source_[op.index()], t);
    std::size_t exposed = 0;  // the reads of earlier statements, whose writers are in view
    for (std::size_t i = 0; i < external_.size(); ++i) {
      const OpId op = external_[i];
      for (; h_.statement(external_[exposed]) < h_.statement(op); ++exposed)
        expose(source_[external_[exposed].index()], t);
      const std::size_t key = h_.key(op).index();
      TxnId newest = seen_[key].reader == t ? seen_[key].newest : TxnId::none();
      if (const TxnId own = in_session_[key];
          !own.is_none() && h_.session(own) == h_.session(t) && at_.of(own) > at_.of(newest))
        newest = own;
      if (at_.of(newest) > at_.of(source_[op.index()])) return newer_in_view(h_, op, newest);
    }
    return {};
  }

  // Adds the writer to the view, and notes its version of each key that the reader reads. Iterating over the
  // smaller set of keys avoids transactions times keys.
  void expose(TxnId writer, TxnId reader) {
    if (writer.is_none() || exposed_to_[writer.index()] == reader) return;
    exposed_to_[writer.index()] = reader;
    const auto note = [&](KeyId key) {
      Seen& seen = seen_[key.index()];
      if (seen.reader != reader) seen = {reader, writer};
      else if (at_.of(writer) > at_.of(seen.newest)) seen.newest = writer;
    };
    const auto written = reads_.keys_written(writer);
    if (written.size() <= external_.size()) {
      for (const KeyId key : written) note(key);
    } else {
      for (const OpId op : external_)
        if (reads_.writes(writer, h_.key(op))) note(h_.key(op));
    }
  }

  struct Seen {
    TxnId reader, newest;
  };
  const History& h_;
  const bool atomic_, sessions_;
  const Positions& at_;
  const Reads& reads_;
  const std::vector<TxnId>& source_;
  std::vector<Seen> seen_;         // by key: the newest writer in the view of this reader
  std::vector<TxnId> exposed_to_;  // by writer: its last reader
  std::vector<TxnId> in_session_;  // by key: its last writer in a session
  std::vector<OpId> external_;     // external reads of the current transaction
};

}  // namespace

Result<void> certify_direct_views(const WeakOrder& order) {
  return row(order.level).view == View::None ? Result<void>() : DirectViews(order).check();
}

}  // namespace assay
