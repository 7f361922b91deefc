// Read atomic: if a transaction sees one write of another, it sees all of them, but not what the other saw.
//
// A transaction must see its session's past, everything older than the lag, and all transactions that it has
// read from. A read may return any version of its key that is no older than the last version it must see. The
// exception: if that version's writer also overwrote something read before, the read returns the last version
// that it must see, whose writer never did.
//
// Why it is ra. Let `co` be the order of the commit moments. It contains session order and write-read pairs,
// as in read_committed.cpp. The axiom: t3 reads x from t1, t2 writes x, and t2 precedes t3 in its session or
// t3 reads something from t2. If t3 had to see t2 when it read x, the version it read is no older than t2's,
// so t1 = t2 or t2 co t1. If t3 read from t2 only later, then t2 had not overwritten t1's version, and the
// same follows. Repeated reads of a key agree: the version read before must be seen, and the writer of any
// newer one overwrote something read before.
#include "simulate/disciplines.h"
#include "simulate/moments.h"
#include "simulate/versions.h"

namespace assay {
namespace {

class ReadAtomicStore final : public VersionedStore<SessionId> {
 public:
  explicit ReadAtomicStore(const StoreOptions& options)
      : VersionedStore(options), running_(options.sessions) {}

  void begin(SessionId session, Freshness) override {
    Transaction& t = running_[session.index()];
    t.sees_all_until = lag_before(now_);
    t.reads.clear();
    t.read_from.clear(t.sees_all_until);
    t.overwrote_a_read.clear(t.sees_all_until);
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
    MomentSet read_from;         // the writers it has read from, whom it must see
    MomentSet overwrote_a_read;  // the writers that overwrote a version it has read, up to `looked`
    Moment looked = 0;
  };

  std::size_t visible(SessionId session, StoreKey key) override {
    Transaction& t = running_[session.index()];
    const std::size_t oldest = last_version(key, [&](const Version<SessionId>& v) {
      return v.position <= t.sees_all_until || v.mark == session || t.read_from.contains(v.position);
    });
    std::size_t seen = some_version_since(key, oldest);
    look_for_writers_since(t);
    if (t.overwrote_a_read.contains(versions(key)[seen].position)) seen = oldest;
    t.reads.push_back({key, versions(key)[seen].position});
    t.read_from.insert(t.reads.back().writer);
    note_who_overwrote(t, t.reads.back());
    return seen;
  }

  // Nobody commits within a step, so one look per step finds all.
  void look_for_writers_since(Transaction& t) {
    if (t.looked == now_) return;
    t.looked = now_;
    for (const Read& r : t.reads) note_who_overwrote(t, r);
  }

  void note_who_overwrote(Transaction& t, const Read& read) {
    const Versions& all = versions(read.key);
    for (std::size_t i = all.size(); i-- > 0 && all[i].position > read.writer;)
      t.overwrote_a_read.insert(all[i].position);
  }

  std::vector<Transaction> running_;
};

}  // namespace

std::unique_ptr<Store> make_read_atomic_store(const StoreOptions& options) {
  return std::make_unique<ReadAtomicStore>(options);
}

}  // namespace assay
