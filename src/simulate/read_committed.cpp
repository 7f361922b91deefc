// Read committed, of Biswas and Enea: every read has a visible set of its own.
//
// The set of a read is drawn anew: every transaction from which this one has already read, everything
// up to a random moment, and of what was committed since then a random half. It owes nothing to the
// session.
//
// Why it is rc. The commit order `co` is the order of the commit moments. It contains session order,
// and every write-read pair, because only committed transactions are visible and they committed
// before the reader does. The axiom: t3 reads from t2, later reads x from t1, and t2 writes x. By
// then t2 is in the visible set, and the read returns the last visible version in co, so t1 = t2 or
// t2 co t1. This holds between two reads of one key as well. Only final writes are installed, and only
// by commits, so there are no aborted or intermediate reads.
#include <algorithm>

#include "base/hash.h"
#include "simulate/disciplines.h"
#include "simulate/versions.h"

namespace assay {
namespace {

class ReadCommittedStore final : public VersionedStore<NoMark> {
 public:
  explicit ReadCommittedStore(const StoreOptions& options)
      : VersionedStore(options), read_from_(options.sessions) {}

  void begin(SessionId session) override { read_from_[session.index()].clear(); }

  bool commit(SessionId, std::span<const StoreWrite> writes, bool) override {
    install(writes, now_, {});
    return true;
  }

  void catch_up(SessionId) override {}

 private:
  std::size_t visible(SessionId session, StoreKey key) override {
    auto& read_from = read_from_[session.index()];
    const Moment everything_until = some_moment_since(0);
    const std::uint64_t salt = random_();
    const std::size_t seen = last_version(key, [&](const Version<NoMark>& v) {
      return v.position <= everything_until || (mix(salt, v.position) & 1) != 0 ||
             std::ranges::find(read_from, v.position) != read_from.end();
    });
    if (seen != 0) read_from.push_back(versions(key)[seen].position);
    return seen;
  }

  std::vector<std::vector<Moment>> read_from_;  // per session: the writers that its transaction has met
};

}  // namespace

std::unique_ptr<Store> make_read_committed_store(const StoreOptions& options) {
  return std::make_unique<ReadCommittedStore>(options);
}

}  // namespace assay
