// Serializability by timestamp ordering: every transaction has one place in the serial order, its timestamp.
//
// A transaction draws a place when it begins, and reads the last version before that place. Every version
// remembers the last place from which it was read. A transaction that writes may commit at either of two
// places:
//   - the one it drew, if no version that its own writes would follow was read from beyond that place;
//   - the present moment, if nothing it read has been overwritten.
// It tries them in random order, and aborts if neither is possible. Transactions that only read keep the
// place that they drew.
//
// Why it is ser. Let `co` be the order of the places. Places are unique (moment, then number of the
// transaction) and grow within a session, and a reader comes after the writers it read from. Suppose t3 at
// place p read x from t1. No writer of x is between t1 and p: there was none when t3 read (or when it
// committed at the present), and since then the version remembers p and admits no writer in between. So if t2
// co t3 and t2 writes x, then t2 co= t1, which is the axiom.
//
// At strict-ser the drawn place is the moment of the first operation. Both places then lie between the
// transaction's begin and end, so the order respects real time. At ser the drawn place can be anywhere after
// the session's last place, so readers, and writers too, can be serialized in the past.
//
// An append shows the order of all appends before it, read or not. So an append is only possible after the
// newest version.
#include <algorithm>

#include "simulate/disciplines.h"
#include "simulate/versions.h"

namespace assay {
namespace {

struct LastRead {
  std::uint64_t from = 0;  // the last place from which the version was read
};

class TimestampStore final : public VersionedStore<LastRead> {
 public:
  TimestampStore(const StoreOptions& options, Places places)
      : VersionedStore(options), places_(places), running_(options.sessions), last_place_(options.sessions) {}

  void begin(SessionId session, Freshness freshness) override {
    Transaction& t = running_[session.index()];
    t.number = ++begun_;
    t.reads.clear();
    const Moment earliest = last_place_[session.index()] >> 32;
    const bool past = places_ == Places::InThePast && freshness == Freshness::Any;
    t.place = place(past ? some_moment_since(earliest) : now_, t.number);
  }

  bool commit(SessionId session, std::span<const StoreWrite> writes, bool session_is_told) override {
    Transaction& t = running_[session.index()];
    if (!writes.empty() && !find_place(t, writes)) return false;
    for (const StoreWrite& w : writes) {
      Versions& all = versions(w.key);
      all.insert(all.begin() + successor(all, t.place), {t.place, w.value, {}});
    }
    if (session_is_told) last_place_[session.index()] = t.place;
    return true;
  }

  void catch_up(SessionId session) override { last_place_[session.index()] = place(now_, begun_); }

 private:
  struct Read {
    StoreKey key;
    std::uint64_t position;  // of the version that was read
  };
  struct Transaction {
    std::uint64_t place = 0;
    std::uint32_t number = 0;
    std::vector<Read> reads;
  };

  static std::uint64_t place(Moment moment, std::uint32_t number) { return moment << 32 | number; }

  // The index of the first version after the place.
  static std::ptrdiff_t successor(const Versions& all, std::uint64_t place) {
    auto next = all.end();
    while (std::prev(next)->position > place) --next;
    return next - all.begin();
  }

  bool find_place(Transaction& t, std::span<const StoreWrite> writes) {
    if (random_.chance(0.5)) return fits_in_the_past(t, writes) || move_to_present(t);
    return move_to_present(t) || fits_in_the_past(t, writes);
  }

  bool fits_in_the_past(const Transaction& t, std::span<const StoreWrite> writes) {
    return std::ranges::all_of(writes, [&](const StoreWrite& w) {
      const Versions& all = versions(w.key);
      const auto next = static_cast<std::size_t>(successor(all, t.place));
      return all[next - 1].mark.from <= t.place && (!lists_ || next == all.size());
    });
  }

  bool move_to_present(Transaction& t) {
    for (const Read& r : t.reads)
      if (versions(r.key).back().position != r.position) return false;
    t.place = place(now_, t.number);
    for (const Read& r : t.reads) versions(r.key).back().mark.from = t.place;
    return true;
  }

  std::size_t visible(SessionId session, StoreKey key) override {
    Transaction& t = running_[session.index()];
    Versions& all = versions(key);
    const auto seen = static_cast<std::size_t>(successor(all, t.place)) - 1;
    all[seen].mark.from = std::max(all[seen].mark.from, t.place);
    t.reads.push_back({key, all[seen].position});
    return seen;
  }

  const Places places_;
  std::uint32_t begun_ = 0;
  std::vector<Transaction> running_;
  std::vector<std::uint64_t> last_place_;  // by session
};

}  // namespace

std::unique_ptr<Store> make_timestamp_store(const StoreOptions& options, Places places) {
  return std::make_unique<TimestampStore>(options, places);
}

}  // namespace assay
