// cc and psi: the view of a reader is what reaches it.
//
// Each transaction has a clock: how far into each session its past reaches. A transaction of unknown outcome
// precedes nothing in its session, so it counts as a session of its own. Transactions times sessions, in time
// and memory.
#include <algorithm>
#include <tuple>

#include "verdict/certify_order.h"

namespace assay {
namespace {

// Ends a check that would not fit into memory: 4 GiB of clocks.
constexpr std::size_t kMostClockEntries = std::size_t{1} << 30;

class Pasts {
 public:
  explicit Pasts(const WeakOrder& order)
      : h_(order.history),
        writers_are_ordered_(order.level == Level::Psi),
        at_(order.at),
        reads_(order.reads),
        source_(order.source),
        before_(h_.transaction_count()),
        session_(h_.transaction_count()),
        last_writer_(h_.key_count()) {
    chains_ = h_.session_count();
    for (const SessionId session : h_.sessions()) {
      TxnId last;
      for (const TxnId t : h_.transactions(session)) {
        before_[t.index()] = last;
        const bool known = h_.outcome(t) != Outcome::Unknown;
        session_[t.index()] = known || !at_.contain(t) ? session.index() : chains_++;
        if (h_.outcome(t) == Outcome::Committed) last = t;
      }
    }
  }

  Result<void> check(const Order& order) {
    if (chains_ > 0 && order.size() > kMostClockEntries / chains_)
      return error("the history has too many sessions to follow the past of each transaction");
    clocks_.assign((order.size() + 1) * chains_, 0);
    sort_versions();
    for (const Point& p : order) {
      follow(p.txn);
      for (const OpId op : h_.operations(p.txn))
        if (reads_.kind(op) == Reads::Kind::External) ASSAY_TRY(check(op));
      for (const KeyId key : reads_.keys_written(p.txn)) last_writer_[key.index()] = p.txn;
    }
    return {};
  }

 private:
  struct Version {
    KeyId key;
    std::size_t chain;
    std::uint32_t place;
    TxnId writer;
    auto rank() const { return std::tuple(key, chain, place); }
  };

  std::uint32_t* clock(TxnId t) { return clocks_.data() + at_.of(t) * chains_; }
  std::uint32_t place(TxnId t) const { return h_.position(t) + 1; }  // in its chain; 0 is before all

  void sort_versions() {
    for (const TxnId t : h_.transactions()) {
      if (!at_.contain(t)) continue;
      for (const KeyId key : reads_.keys_written(t))
        versions_.push_back({key, session_[t.index()], place(t), t});
    }
    std::ranges::sort(versions_, {}, &Version::rank);
    of_key_.assign(h_.key_count() + 1, 0);
    for (const Version& v : versions_) ++of_key_[v.key.index() + 1];
    for (std::size_t i = 1; i < of_key_.size(); ++i) of_key_[i] += of_key_[i - 1];
  }

  // Collects the past of t from its predecessors, which the order has put before it.
  void follow(TxnId t) {
    join(before_[t.index()], t);
    for (const OpId op : h_.operations(t))
      if (reads_.kind(op) == Reads::Kind::External) join(source_[op.index()], t);
    if (writers_are_ordered_)
      for (const KeyId key : reads_.keys_written(t)) join(last_writer_[key.index()], t);
  }

  void join(TxnId from, TxnId into) {
    if (from.is_none()) return;
    const std::uint32_t* source = clock(from);
    std::uint32_t* target = clock(into);
    const std::size_t chain = session_[from.index()];
    if (target[chain] >= place(from)) return;
    for (std::size_t i = 0; i < chains_; ++i) target[i] = std::max(target[i], source[i]);
    target[chain] = std::max(target[chain], place(from));
  }

  // Of each chain, the latest writer of the key in the reader's past is the newest in the order.
  Result<void> check(OpId op) {
    const KeyId key = h_.key(op);
    const std::uint32_t* past = clock(reads_.transaction(op));
    const auto end = versions_.begin() + static_cast<std::ptrdiff_t>(of_key_[key.index() + 1]);
    auto first = versions_.begin() + static_cast<std::ptrdiff_t>(of_key_[key.index()]);
    while (first != end) {
      const std::size_t chain = first->chain;
      const auto up_to = [&](std::uint32_t place) {
        return std::ranges::upper_bound(first, end, std::tuple(key, chain, place), {}, &Version::rank);
      };
      const auto later = up_to(past[chain]);
      if (later != first && at_.of(std::prev(later)->writer) > at_.of(source_[op.index()]))
        return newer_in_view(h_, op, std::prev(later)->writer);
      first = up_to(UINT32_MAX);
    }
    return {};
  }

  const History& h_;
  const bool writers_are_ordered_;
  const Positions& at_;
  const Reads& reads_;
  const std::vector<TxnId>& source_;
  std::vector<TxnId> before_;         // the last one of known outcome before it in its session
  std::vector<std::size_t> session_;  // its chain: the session, or one of its own
  std::vector<TxnId> last_writer_;    // by key, so far
  std::size_t chains_ = 0;
  std::vector<std::uint32_t> clocks_;  // by position in the order and chain
  std::vector<Version> versions_;      // by key, then chain, then place
  std::vector<std::size_t> of_key_;    // versions_ of a key begin here
};

}  // namespace

Result<void> certify_pasts(const WeakOrder& order) { return Pasts(order).check(order.order); }

}  // namespace assay
