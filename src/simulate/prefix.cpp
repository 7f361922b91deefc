// Prefix consistency and snapshot isolation: a transaction sees a prefix of the commit order.
//
// A snapshot is a moment: it contains everything committed until then. The store draws it between the
// session's last commit and the transaction's first operation. At si a transaction aborts when a key that it
// writes has a version newer than its snapshot (first committer wins). Before that check, the snapshot moves
// forward as far as the reads and the moment of the first operation allow, so that no transaction aborts
// unnecessarily. At pc no transaction aborts.
//
// Why it is pc, or si. Let `co` be the order of the commit moments. It contains session order, and write-read
// pairs because a snapshot precedes its own commit. The axiom: t3 reads x from t1, t2 writes x, t2 co= t4,
// and t4 precedes t3 in its session or t3 reads from t4. Then t4 is in t3's snapshot, and with it everything
// before t4 in co, so t2 is too. The read returned the last version in the snapshot, so t1 = t2 or t2 co t1.
// At si, t4 may instead be before t3 in co and write a key that t3 writes. Then t3 would have aborted unless
// t4 was in its snapshot, and the same follows. (Commits happen between `committing` and `end`, and snapshots
// no later than `began`, so session-si holds too.)
#include <algorithm>

#include "simulate/disciplines.h"
#include "simulate/versions.h"

namespace assay {
namespace {

class PrefixStore final : public VersionedStore<NoMark> {
 public:
  PrefixStore(const StoreOptions& options, WriteConflicts conflicts)
      : VersionedStore(options),
        conflicts_(conflicts),
        running_(options.sessions),
        session_sees_(options.sessions) {}

  void begin(SessionId session, Freshness freshness) override {
    Transaction& t = running_[session.index()];
    const bool newest = freshness != Freshness::Any && conflicts_ == WriteConflicts::Refused;
    t.snapshot = newest ? now_ : some_moment_since(session_sees_[session.index()]);
    t.latest_snapshot = now_;
    t.reads.clear();
  }

  bool commit(SessionId session, std::span<const StoreWrite> writes, bool session_is_told) override {
    if (conflicts_ == WriteConflicts::Refused && !writes.empty()) {
      const Moment snapshot = snapshot_moved_forward(running_[session.index()]);
      for (const StoreWrite& w : writes)
        if (versions(w.key).back().position > snapshot) return false;
    }
    install(writes, now_, {});
    if (session_is_told) session_sees_[session.index()] = now_;
    return true;
  }

  void catch_up(SessionId session) override { session_sees_[session.index()] = now_; }

 private:
  struct Transaction {
    Moment snapshot = 0, latest_snapshot = 0;
    std::vector<StoreKey> reads;
  };

  Moment snapshot_moved_forward(const Transaction& t) {
    Moment latest = t.latest_snapshot;
    for (const StoreKey key : t.reads) {
      const std::size_t next = seen_at(t.snapshot, key) + 1;
      if (next < versions(key).size()) latest = std::min(latest, versions(key)[next].position - 1);
    }
    return latest;
  }

  std::size_t seen_at(Moment snapshot, StoreKey key) {
    return last_version(key, [&](const Version<NoMark>& v) { return v.position <= snapshot; });
  }

  std::size_t visible(SessionId session, StoreKey key) override {
    Transaction& t = running_[session.index()];
    t.reads.push_back(key);
    return seen_at(t.snapshot, key);
  }

  const WriteConflicts conflicts_;
  std::vector<Transaction> running_;
  std::vector<Moment> session_sees_;
};

}  // namespace

std::unique_ptr<Store> make_prefix_store(const StoreOptions& options, WriteConflicts conflicts) {
  return std::make_unique<PrefixStore>(options, conflicts);
}

}  // namespace assay
