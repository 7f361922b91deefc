// Causal consistency and parallel snapshot isolation: replicas that receive each other's transactions late,
// in causal order.
//
// Sessions are divided among a few replicas (one each while there are enough). A replica numbers the
// transactions that its sessions commit. For each of them it keeps a *past*: a vector with a number for each
// replica, namely how many of its transactions are visible to whoever sees this one. What a transaction sees
// is such a vector too.
//
// Invariant: every vector that occurs is closed. That is, if it contains the n-th transaction of a replica,
// it is at least that transaction's past; pasts of a replica only grow, so comparing with the n-th is enough.
// The join (the maximum of each component) of closed vectors is closed. A transaction begins with its
// session's past, joined with everything too old to be missed. A read takes any version since the last
// visible one, and joins its writer's past. If that would make visible a newer version of something read
// before, the read takes the last visible version instead.
//
// Why it is cc. Let `co` be the order of the commit moments. It contains session order and write-read pairs,
// because only committed transactions are visible. The final vector of a transaction contains its session's
// past and all writers that it read from, and it is closed. So if t2 reaches t3 through session order and
// reads, t3 sees t2. Every read returned the last version in the final vector. So if t3 reads x from t1 and
// t2 writes x, then t1 = t2 or t2 co t1.
//
// Why it is psi. A transaction aborts unless it can see the newest version of every key that it writes
// without a change to its reads. The writers of a key are ordered as in co, so session order, reads and write
// order together are acyclic. A transaction that overwrites a version sees its writer, so vectors are closed
// under write order as well. So if w' reaches r through any of these, w' is visible to r. If w' overwrote w
// on x, then r cannot read x from w.
//
// How a read knows what it would make visible: the transaction keeps, for each replica, the first transaction
// that wrote a newer version of something it has read. Its vector must not reach any of these.
//
// Cost: each transaction takes a number for each replica, so there are few. The first read in a step examines
// the newer versions of everything read before it.
#include <algorithm>

#include "simulate/disciplines.h"
#include "simulate/versions.h"

namespace assay {
namespace {

constexpr std::size_t kMostReplicas = 8;
// How often a read takes the last visible version. Replicas that rarely receive anything diverge soon, and
// only long forks distinguish psi from si.
constexpr double kHoldBack = 0.9;

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
        sees_(options.sessions * replicas_),
        session_past_(options.sessions * replicas_),
        reads_(options.sessions),
        unseen_(options.sessions * replicas_),
        looked_(options.sessions),
        wider_(replicas_) {}

  void begin(SessionId session, Freshness freshness) override {
    const Vector sees = of(sees_, session);
    std::ranges::fill(of(unseen_, session), UINT32_MAX);
    reads_[session.index()].clear();
    if (freshness != Freshness::Any && conflicts_ == WriteConflicts::Refused) {
      for (std::uint32_t replica = 0; replica < replicas_; ++replica) sees[replica] = count(replica);
      return;
    }
    std::ranges::copy(of(session_past_, session), sees.begin());
    for (std::uint32_t replica = 0; replica < replicas_; ++replica)
      if (count(replica) > window_) join(sees, past({replica, count(replica) - window_}));
  }

  bool commit(SessionId session, std::span<const StoreWrite> writes, bool session_is_told) override {
    const Vector sees = of(sees_, session);
    if (conflicts_ == WriteConflicts::Refused)
      for (const StoreWrite& w : writes)
        if (!look(session, versions(w.key).back().mark)) return false;
    if (!writes.empty()) {
      const Origin origin = add_to(static_cast<std::uint32_t>(session.index() % replicas_), sees);
      install(writes, now_, origin);
      join(sees, past(origin));
    }
    if (session_is_told) std::ranges::copy(sees, of(session_past_, session).begin());
    return true;
  }

  void catch_up(SessionId session) override {
    const Vector past = of(session_past_, session);
    for (std::uint32_t replica = 0; replica < replicas_; ++replica) past[replica] = count(replica);
  }

 private:
  using Vector = std::span<std::uint32_t>;
  struct Read {
    StoreKey key;
    std::size_t version;
  };

  static bool contains(Vector sees, Origin origin) { return origin.number <= sees[origin.replica]; }

  static void join(Vector into, Vector other) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], other[i]);
  }

  Vector of(std::vector<std::uint32_t>& vectors, SessionId session) {
    return {vectors.data() + session.index() * replicas_, replicas_};
  }
  Vector past(Origin origin) {
    return {pasts_[origin.replica].data() + origin.number * replicas_, replicas_};
  }
  std::uint32_t count(std::uint32_t replica) const {
    return static_cast<std::uint32_t>(pasts_[replica].size() / replicas_ - 1);
  }

  // Adds the replica's next transaction, which saw `sees`. Whoever sees it sees all earlier ones of the
  // replica.
  Origin add_to(std::uint32_t replica, Vector sees) {
    const Origin origin{replica, count(replica) + 1};
    pasts_[replica].resize(pasts_[replica].size() + replicas_);
    const Vector mine = past(origin);
    std::ranges::copy(past({replica, origin.number - 1}), mine.begin());
    join(mine, sees);
    mine[replica] = origin.number;
    return origin;
  }

  // Makes the transaction see `origin` and its past, unless that would change what it has read.
  bool look(SessionId session, Origin origin) {
    const Vector sees = of(sees_, session);
    if (contains(sees, origin)) return true;
    std::ranges::copy(sees, wider_.begin());
    join(wider_, past(origin));
    look_for_newer_versions(session);
    const Vector unseen = of(unseen_, session);
    for (std::size_t i = 0; i < replicas_; ++i)
      if (wider_[i] >= unseen[i]) return false;
    std::ranges::copy(wider_, sees.begin());
    return true;
  }

  // Nobody commits within a step, so one look per step finds all.
  void look_for_newer_versions(SessionId session) {
    if (looked_[session.index()] == now_) return;
    looked_[session.index()] = now_;
    for (const Read& r : reads_[session.index()]) note_newer_versions(session, r);
  }

  void note_newer_versions(SessionId session, const Read& read) {
    const Vector unseen = of(unseen_, session);
    const Versions& all = versions(read.key);
    for (std::size_t i = read.version + 1; i < all.size(); ++i)
      unseen[all[i].mark.replica] = std::min(unseen[all[i].mark.replica], all[i].mark.number);
  }

  std::size_t visible(SessionId session, StoreKey key) override {
    const Vector sees = of(sees_, session);
    const std::size_t oldest = last_version(key, [&](const auto& v) { return contains(sees, v.mark); });
    std::size_t seen = random_.chance(kHoldBack) ? oldest : some_version_since(key, oldest);
    if (!look(session, versions(key)[seen].mark)) seen = oldest;
    reads_[session.index()].push_back({key, seen});
    note_newer_versions(session, reads_[session.index()].back());
    return seen;
  }

  const WriteConflicts conflicts_;
  const std::size_t replicas_;
  const std::uint32_t window_;                     // the most transactions of a replica that may be missed
  std::vector<std::vector<std::uint32_t>> pasts_;  // by replica: the vectors of its transactions, from 0
  std::vector<std::uint32_t> sees_;                // by session: the vector of its transaction
  std::vector<std::uint32_t> session_past_;        // by session: a vector
  std::vector<std::vector<Read>> reads_;           // by session: the reads of its transaction
  std::vector<std::uint32_t> unseen_;  // by session: the vector that its transaction's must stay below ...
  std::vector<Moment> looked_;         // ... as of this moment
  std::vector<std::uint32_t> wider_;   // scratch
};

}  // namespace

std::unique_ptr<Store> make_causal_store(const StoreOptions& options, WriteConflicts conflicts) {
  return std::make_unique<CausalStore>(options, conflicts);
}

}  // namespace assay
