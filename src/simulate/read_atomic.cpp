// Read atomic: of every transaction that is seen all is seen, but not what it saw.
//
// A transaction must see its session's past, everything older than the lag, and all transactions from
// which it has read. A read returns any version of its key that is not older than the last one it
// must see, provided that the version's writer did not also overwrite something that was read before;
// if it did, the read returns the last version that must be seen, which never does.
//
// Why it is ra. `co` is the order of the commit moments; it contains session order and write-read
// pairs as in read_committed.cpp. The axiom: t3 reads x from t1, t2 writes x, and t2 precedes t3 in
// its session or t3 reads something from t2. If t2 was one to be seen when t3 read x, the version read is not
// older than t2's: t1 = t2 or t2 co t1. If t3 read from t2 only later, then t2 had not overwritten t1: the
// same. Repeated reads agree: the version read is one that must be seen, and whoever wrote a newer version of
// the key overwrote something that was read before.
#include <algorithm>

#include "simulate/disciplines.h"
#include "simulate/versions.h"

namespace assay {
namespace {

class ReadAtomicStore final : public VersionedStore<SessionId> {
 public:
  explicit ReadAtomicStore(const StoreOptions& options)
      : VersionedStore(options), running_(options.sessions) {}

  void begin(SessionId session) override {
    running_[session.index()].sees_all_until = lag_before(now_);
    running_[session.index()].reads.clear();
  }

  bool commit(SessionId session, std::span<const StoreWrite> writes, bool) override {
    install(writes, now_, session);
    return true;
  }

  void catch_up(SessionId) override {}

 private:
  struct Read {
    StoreKey key;
    Moment writer;
  };
  struct Transaction {
    Moment sees_all_until = 0;
    std::vector<Read> reads;
  };

  std::size_t visible(SessionId session, StoreKey key) override {
    Transaction& t = running_[session.index()];
    const std::size_t oldest = last_version(key, [&](const Version<SessionId>& v) {
      return v.position <= t.sees_all_until || v.mark == session ||
             std::ranges::find(t.reads, v.position, &Read::writer) != t.reads.end();
    });
    std::size_t seen = some_version_since(key, oldest);
    if (overwrote_a_read(t, versions(key)[seen].position)) seen = oldest;
    t.reads.push_back({key, versions(key)[seen].position});
    return seen;
  }

  bool overwrote_a_read(const Transaction& t, Moment writer) {
    return std::ranges::any_of(t.reads, [&](const Read& r) {
      if (writer <= r.writer) return false;
      const std::size_t last = last_version(r.key, [&](const auto& v) { return v.position <= writer; });
      return versions(r.key)[last].position == writer;
    });
  }

  std::vector<Transaction> running_;
};

}  // namespace

std::unique_ptr<Store> make_read_atomic_store(const StoreOptions& options) {
  return std::make_unique<ReadAtomicStore>(options);
}

}  // namespace assay
