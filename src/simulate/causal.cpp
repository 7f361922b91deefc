// Causal consistency and parallel snapshot isolation: replicas that hear of each other late, in
// causal order.
//
// Sessions are divided among a few replicas (one each while there are enough). A replica numbers the
// transactions that its sessions commit, and keeps for each of them a *past*: a vector that says how
// many transactions of every replica whoever sees this one sees too. Snapshots are such vectors.
//
// Invariant: a vector that occurs is closed. If it contains the n-th transaction of a replica, it is
// at least the past of that one; pasts of a replica only grow, so looking at the n-th is enough. The
// join of closed vectors is closed, and that is how a snapshot is made: the session's past joined with
// the pasts of randomly chosen, not too old transactions of some of the replicas.
//
// Why it is cc. `co` is the order of the commit moments; it contains session order and write-read
// pairs, because only what is committed is visible. A snapshot contains the session's past and is
// closed, so if t2 reaches t3 through session order and reads, t2 is visible to t3; a read returns
// the last visible version in co; so t3 reading x from t1 while t2 writes x means t1 = t2 or t2 co t1.
//
// Why it is psi. A transaction aborts unless it sees the newest version of every key it writes. The
// order of the writers of a key is co, so session order, reads and write order are together acyclic.
// Whoever overwrites a version sees its writer: snapshots are closed under write order as well. So if
// w' reaches r through any of them, w' is visible to r; if w' overwrote w on x, r cannot read x from w.
//
// Cost: replicas^2 numbers a transaction at worst, hence few replicas.
#include <algorithm>

#include "simulate/disciplines.h"
#include "simulate/versions.h"

namespace assay {
namespace {

constexpr std::size_t kMostReplicas = 8;

struct Origin {
  std::uint32_t replica = 0;
  std::uint32_t number = 0;  // among the replica's transactions, from 1; 0: the initial state
};

class CausalStore final : public VersionedStore<Origin> {
 public:
  CausalStore(const StoreOptions& options, WriteConflicts conflicts)
      : VersionedStore(options),
        conflicts_(conflicts),
        replicas_(std::min(options.sessions, kMostReplicas)),
        window_(2 * ((options.sessions + replicas_ - 1) / replicas_)),
        pasts_(replicas_, std::vector<std::uint32_t>(replicas_)),
        snapshot_(options.sessions * replicas_),
        session_past_(options.sessions * replicas_) {}

  void begin(SessionId session) override {
    const Vector snapshot = of(snapshot_, session);
    std::ranges::copy(of(session_past_, session), snapshot.begin());
    for (std::uint32_t replica = 0; replica < replicas_; ++replica) hear_from(replica, snapshot);
  }

  bool commit(SessionId session, std::span<const StoreWrite> writes, bool session_is_told) override {
    const Vector snapshot = of(snapshot_, session);
    if (conflicts_ == WriteConflicts::Refused)
      for (const StoreWrite& w : writes)
        if (!sees(snapshot, versions(w.key).back().mark)) return false;
    if (!writes.empty()) {
      const auto replica = static_cast<std::uint32_t>(session.index() % replicas_);
      const std::uint32_t number = add_to(replica, snapshot);
      install(writes, now_, {replica, number});
      if (session_is_told) join(snapshot, past(replica, number));
    }
    if (session_is_told) std::ranges::copy(snapshot, of(session_past_, session).begin());
    return true;
  }

  void catch_up(SessionId session) override {
    const Vector past = of(session_past_, session);
    for (std::uint32_t replica = 0; replica < replicas_; ++replica) past[replica] = count(replica);
  }

 private:
  using Vector = std::span<std::uint32_t>;

  static bool sees(Vector snapshot, Origin origin) { return origin.number <= snapshot[origin.replica]; }

  static void join(Vector into, Vector other) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
  }

  Vector of(std::vector<std::uint32_t>& vectors, SessionId session) {
    return {vectors.data() + session.index() * replicas_, replicas_};
  }
  Vector past(std::uint32_t replica, std::uint32_t number) {
    return {pasts_[replica].data() + number * replicas_, replicas_};
  }
  std::uint32_t count(std::uint32_t replica) const {
    return static_cast<std::uint32_t>(pasts_[replica].size() / replicas_ - 1);
  }

  // Half of the time nothing new arrives, as far as the window allows that.
  void hear_from(std::uint32_t replica, Vector snapshot) {
    const std::uint32_t all = count(replica);
    std::uint32_t upto = all > window_ ? all - window_ : 0;
    if (random_.chance(0.5)) upto += random_.below(all - upto + 1);
    if (upto > snapshot[replica]) join(snapshot, past(replica, upto));
  }

  // The replica's next transaction: it saw `snapshot`, and whoever sees it sees all before it too.
  std::uint32_t add_to(std::uint32_t replica, Vector snapshot) {
    auto& pasts = pasts_[replica];
    const std::uint32_t number = count(replica) + 1;
    pasts.resize(pasts.size() + replicas_);
    const Vector mine = past(replica, number);
    std::ranges::copy(past(replica, number - 1), mine.begin());
    join(mine, snapshot);
    mine[replica] = number;
    return number;
  }

  std::size_t visible(SessionId session, StoreKey key) override {
    const Vector snapshot = of(snapshot_, session);
    return last_version(key, [&](const Version<Origin>& v) { return sees(snapshot, v.mark); });
  }

  const WriteConflicts conflicts_;
  const std::size_t replicas_;
  const std::uint32_t window_;  // how many transactions of a replica a snapshot may miss
  std::vector<std::vector<std::uint32_t>> pasts_;  // per replica, one vector after another; the first is empty
  std::vector<std::uint32_t> snapshot_;      // a vector per session
  std::vector<std::uint32_t> session_past_;  // a vector per session
};

}  // namespace

std::unique_ptr<Store> make_causal_store(const StoreOptions& options, WriteConflicts conflicts) {
  return std::make_unique<CausalStore>(options, conflicts);
}

}  // namespace assay
