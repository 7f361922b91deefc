// The levels without one store to replay: rc, ra, cc, psi. First the order says from which version each read is;
// then no reader may have a newer version of the key in its view.
//
// cc and psi keep for each transaction a clock: how far into each session its past reaches. A transaction of
// unknown outcome precedes nothing in its session, so it counts as a session of its own.
#include <fmt/format.h>

#include <tuple>

#include "verdict/certify_order.h"

namespace assay {
namespace {

// Ends a check that would not fit into memory: 4 GiB of clocks.
constexpr std::size_t kMostClockEntries = std::size_t{1} << 30;

Error newer_in_view(const History& h, OpId op, TxnId newer) {
  return error(fmt::format("read {} misses the version of {}, which is newer in the order and in its view",
                           called(h, op), called(newer)));
}

// The writer of each external read; none() is the initial transaction.
class Sources {
 public:
  Sources(const History& history, const Positions& at, const Reads& reads)
      : h_(history), at_(at), reads_(reads), of_(h_.operation_count()), list_(h_.key_count()),
        versions_(h_.key_count()) {}

  Result<void> find(const Order& order) {
    for (const Point& p : order) {
      for (const OpId op : h_.operations(p.txn)) {
        if (reads_.kind(op) != Reads::Kind::External) continue;
        auto source = h_.kind(op) == OpKind::ListRead ? of_list(op) : of_register(op);
        if (!source) return std::move(source).error();
        of_[op.index()] = *source;
      }
      for (const OpId op : h_.operations(p.txn)) {
        if (h_.kind(op) != OpKind::Append) continue;
        auto& list = list_[h_.key(op).index()];
        list.push_back(h_.value(op));
        if (reads_.is_final(op)) versions_[h_.key(op).index()].push_back({list.size(), p.txn});
      }
    }
    return {};
  }

  TxnId operator[](OpId op) const { return of_[op.index()]; }

 private:
  Result<TxnId> of_register(OpId op) const {
    const Reads::Writer writer = reads_.writer(op);
    if (writer.kind == Reads::Writer::Kind::None)
      return error(fmt::format("read {} returns what nobody in the order wrote last", called(h_, op)));
    if (writer.kind == Reads::Writer::Kind::Several)
      return error(fmt::format("read {} has several possible writers", called(h_, op)),
                   "values that were written more than once are not supported at this level");
    if (at_.of(writer.txn) > at_.of(reads_.transaction(op)))
      return error(fmt::format("read {} is before {}, whose write it returns", called(h_, op), called(writer.txn)));
    return writer.txn;
  }

  // Lists grow, so their length says which version it is.
  Result<TxnId> of_list(OpId op) const {
    const auto shown = reads_.external_part(op);
    const auto& list = list_[h_.key(op).index()];
    if (reads_.shows_own_elements(op) && shown.size() != list.size())
      return error(fmt::format("read {} shows its own elements behind other ones than the order", called(h_, op)));
    if (shown.empty()) return TxnId::none();
    const auto& versions = versions_[h_.key(op).index()];
    const auto version = std::ranges::lower_bound(versions, shown.size(), {}, &Version::size);
    if (version == versions.end() || version->size != shown.size() ||
        !std::equal(shown.begin(), shown.end(), list.begin()))
      return error(fmt::format("read {} shows no version that the list has had in this order", called(h_, op)));
    return version->writer;
  }

  struct Version {
    std::size_t size;
    TxnId writer;
  };
  const History& h_;
  const Positions& at_;
  const Reads& reads_;
  std::vector<TxnId> of_;
  std::vector<std::vector<KeyValueId>> list_;
  std::vector<std::vector<Version>> versions_;
};

// rc and ra: the view is what the transaction reads from, for ra also its session.
class DirectViews {
 public:
  DirectViews(const History& history, Level level, const Positions& at, const Reads& reads, const Sources& sources)
      : h_(history), atomic_(level == Level::Ra), at_(at), reads_(reads), sources_(sources),
        seen_(h_.key_count()), exposed_to_(h_.transaction_count()), in_session_(h_.key_count()) {}

  Result<void> check() {
    for (const SessionId session : h_.sessions())
      for (const TxnId t : h_.transactions(session)) {
        if (!at_.contain(t)) continue;
        ASSAY_TRY(check(t));
        if (atomic_ && h_.outcome(t) == Outcome::Committed)
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
      for (const OpId op : external_) expose(sources_[op], t);
    for (const OpId op : external_) {
      const std::size_t key = h_.key(op).index();
      TxnId newest = seen_[key].reader == t ? seen_[key].newest : TxnId::none();
      if (const TxnId own = in_session_[key]; !own.is_none() && h_.session(own) == h_.session(t) &&
                                              at_.of(own) > at_.of(newest))
        newest = own;
      if (at_.of(newest) > at_.of(sources_[op])) return newer_in_view(h_, op, newest);
      expose(sources_[op], t);
    }
    return {};
  }

  // From here on the reader knows the writer's version of each key that both touch. Going through whichever has
  // fewer keys keeps this from being transactions times keys.
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
  const bool atomic_;
  const Positions& at_;
  const Reads& reads_;
  const Sources& sources_;
  std::vector<Seen> seen_;          // by key, valid for one reader
  std::vector<TxnId> exposed_to_;   // by writer: its last reader
  std::vector<TxnId> in_session_;   // by key: its last writer in a session
  std::vector<OpId> external_;      // reads of the transaction being checked
};

// cc and psi: the view is what reaches the transaction.
class Pasts {
 public:
  Pasts(const History& history, Level level, const Positions& at, const Reads& reads, const Sources& sources)
      : h_(history), writers_are_ordered_(level == Level::Psi), at_(at), reads_(reads), sources_(sources),
        before_(h_.transaction_count()), session_(h_.transaction_count()), last_writer_(h_.key_count()) {
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
      for (const KeyId key : reads_.keys_written(t)) versions_.push_back({key, session_[t.index()], place(t), t});
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
      if (reads_.kind(op) == Reads::Kind::External) join(sources_[op], t);
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
      if (later != first && at_.of(std::prev(later)->writer) > at_.of(sources_[op]))
        return newer_in_view(h_, op, std::prev(later)->writer);
      first = up_to(UINT32_MAX);
    }
    return {};
  }

  const History& h_;
  const bool writers_are_ordered_;
  const Positions& at_;
  const Reads& reads_;
  const Sources& sources_;
  std::vector<TxnId> before_;         // the last one of known outcome before it in its session
  std::vector<std::size_t> session_;  // its chain: the session, or one of its own
  std::vector<TxnId> last_writer_;    // by key, so far
  std::size_t chains_ = 0;
  std::vector<std::uint32_t> clocks_;  // by position in the order and chain
  std::vector<Version> versions_;      // by key, then chain, then place
  std::vector<std::size_t> of_key_;    // versions_ of a key begin here
};

}  // namespace

Result<void> certify_weak_order(const History& history, Level level, const Order& order, const Positions& at,
                                const Reads& reads) {
  Sources sources(history, at, reads);
  ASSAY_TRY(sources.find(order));
  if (level == Level::Rc || level == Level::Ra) return DirectViews(history, level, at, reads, sources).check();
  return Pasts(history, level, at, reads, sources).check(order);
}

}  // namespace assay
