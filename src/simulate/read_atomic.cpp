// Read atomic: one visible set for the whole transaction, but no causality in it.
//
// The set is drawn at the first operation and fixed: everything up to a random moment, of what was
// committed between then and now a random half (whole transactions, decided by a hash, so the set
// takes no room), and all of the session's own past.
//
// Why it is ra. `co` is the order of the commit moments; it contains session order and write-read
// pairs as in read_committed.cpp. The axiom: t3 reads x from t1, t2 writes x, and t2 precedes t3 in
// its session or t3 reads something from t2. Either way t2 is in the visible set of t3, whose read
// returns the last visible version in co, so t1 = t2 or t2 co t1. The set is fixed, so repeated reads
// agree. Nothing makes it closed: it may hold a reader without the writers that it read from.
#include "base/hash.h"
#include "simulate/disciplines.h"
#include "simulate/versions.h"

namespace assay {
namespace {

class ReadAtomicStore final : public VersionedStore<SessionId> {
 public:
  explicit ReadAtomicStore(const StoreOptions& options)
      : VersionedStore(options), snapshot_(options.sessions) {}

  void begin(SessionId session) override {
    snapshot_[session.index()] = {some_moment_since(0), now_, random_()};
  }

  bool commit(SessionId session, std::span<const StoreWrite> writes, bool) override {
    install(writes, now_, session);
    return true;
  }

  void catch_up(SessionId) override {}

 private:
  struct Snapshot {
    Moment everything_until = 0, nothing_after = 0;
    std::uint64_t salt = 0;
  };

  std::size_t visible(SessionId session, StoreKey key) override {
    const Snapshot& at = snapshot_[session.index()];
    return last_version(key, [&](const Version<SessionId>& v) {
      return v.position <= at.everything_until ||
             (v.position <= at.nothing_after && (v.mark == session || (mix(at.salt, v.position) & 1) != 0));
    });
  }

  std::vector<Snapshot> snapshot_;
};

}  // namespace

std::unique_ptr<Store> make_read_atomic_store(const StoreOptions& options) {
  return std::make_unique<ReadAtomicStore>(options);
}

}  // namespace assay
