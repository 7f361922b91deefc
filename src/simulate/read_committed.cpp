// Read committed, as Biswas and Enea (2019) define it: a read does not go back behind what the transaction
// read before.
//
// A read may return any version of its key that is no older than the last one written by a transaction that
// this transaction has read from. The session's past does not matter.
//
// Why it is rc. Let the commit order `co` be the order of the commit moments. It contains session order, and
// every write-read pair, because only committed versions can be read, and the reader commits later. The
// axiom: t3 reads from t2, later reads x from t1, and t2 writes x. By then t1's version may not be older than
// t2's, so t1 = t2 or t2 co t1. This holds between two reads of one key as well. Only commits install
// versions, and only final writes, so there are no aborted or intermediate reads.
#include "simulate/disciplines.h"
#include "simulate/moments.h"
#include "simulate/versions.h"

namespace assay {
namespace {

class ReadCommittedStore final : public VersionedStore<NoMark> {
 public:
  explicit ReadCommittedStore(const StoreOptions& options)
      : VersionedStore(options), read_from_(options.sessions) {}

  void begin(SessionId session, Freshness) override { read_from_[session.index()].clear(lag_before(now_)); }

  bool commit(SessionId, std::span<const StoreWrite> writes, bool) override {
    install(writes, now_, {});
    return true;
  }

  void catch_up(SessionId) override {}

 private:
  std::size_t visible(SessionId session, StoreKey key) override {
    auto& read_from = read_from_[session.index()];
    const std::size_t oldest = last_version(key, [&](const Version<NoMark>& v) {
      return v.position <= lag_before(now_) || read_from.contains(v.position);
    });
    const std::size_t seen = some_version_since(key, oldest);
    read_from.insert(versions(key)[seen].position);
    return seen;
  }

  std::vector<MomentSet> read_from_;  // by session: the writers that its transaction has read from
};

}  // namespace

std::unique_ptr<Store> make_read_committed_store(const StoreOptions& options) {
  return std::make_unique<ReadCommittedStore>(options);
}

}  // namespace assay
