// A multi-version store that implements exactly one isolation level: histories of it satisfy the level, and
// can violate every stronger one.
//
// All disciplines work the same way. Committed transactions have positions in a commit order, and each key
// has its versions in that order. A transaction that reads a key sees the last of the versions that are
// visible to it. Disciplines differ only in what must be visible, and in which commits they refuse. The file
// of each one argues why its histories satisfy its level:
//
//     discipline           levels           what must be visible
//     read_committed.cpp   rc               at each read, the transactions read from before
//     read_atomic.cpp      ra               the session's past, and the transactions read from at any time
//     causal.cpp           cc, psi          the same, and what those transactions saw
//     prefix.cpp           pc, si           a prefix of the commit order that contains the same
//     timestamp.cpp        ser, strict-ser  all transactions before its own place in the serial order
//
// The store draws at random whatever the level leaves open, as late as possible, and prefers stale versions:
// a store that always showed the newest ones would be serializable most of the time.
//
// A scan, or a read or write by predicate, is one read of every key in its range, in one step. This prevents
// phantoms at the levels that forbid them.
//
// Cost: a read goes through the versions of its key from the newest back to the visible one. `lag` bounds the
// age of that one, so only the stored versions grow with the length of the history. The rest of the cost does
// not depend on what the transaction has read: reading a table of 10,000 rows takes a millisecond.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "history/ids.h"
#include "history/scalar.h"
#include "isolation/level.h"

namespace assay {

using StoreKey = Id<struct StoreKeyTag>;
// Time inside the store, in ticks. At most one transaction acts in a tick.
using Moment = std::uint64_t;

// The value of a key without a row: unborn or deleted.
inline constexpr std::int64_t kNoRow = INT64_MIN;

struct StoreWrite {
  StoreKey key;
  std::int64_t value;
};

// How new the snapshot of a transaction should be, if the level leaves a choice.
enum class Freshness : std::uint8_t {
  Any,
  NewestIfConflictsAbort,  // for transactions that write hot keys: with stale snapshots they rarely commit
};

struct StoreOptions {
  std::size_t sessions = 1;
  Moment lag = 0;      // every transaction sees what was committed longer ago than this
  bool lists = false;  // a write appends its value to the key's list; otherwise it replaces the value
  std::vector<std::int64_t> initial{};  // initial values of keys 0, 1, 2, ...
  std::int64_t otherwise = 0;           // the initial value of all other keys
  std::uint64_t seed = 0;
};

class Store {
 public:
  virtual ~Store() = default;

  void tick() { ++now_; }

  // Begins the session's next transaction, which takes its snapshot. A running one is dropped: that is how to
  // abort it.
  void begin(SessionId session) { begin(session, Freshness::Any); }
  virtual void begin(SessionId session, Freshness freshness) = 0;
  // The value that the running transaction sees of a key that it has not written.
  virtual std::int64_t read(SessionId session, StoreKey key) = 0;
  // The same for all keys from `first` to `last`, in order.
  virtual void read_rows(SessionId session, StoreKey first, StoreKey last,
                         std::vector<std::int64_t>& values) = 0;
  virtual void read_list(SessionId session, StoreKey key, std::vector<Scalar>& elements) = 0;
  // Ends the running transaction. `writes`: the last write of each key, or all appends in order. Returns
  // false, and writes nothing, if the level forbids the commit. `session_is_told`: the session learns of the
  // commit, so its next transactions must see it.
  virtual bool commit(SessionId session, std::span<const StoreWrite> writes, bool session_is_told) = 0;
  // From now on the session sees everything that is committed.
  virtual void catch_up(SessionId session) = 0;

 protected:
  explicit Store(const StoreOptions& options)
      : lists_(options.lists),
        lag_(options.lag),
        random_(options.seed),
        initial_(options.initial),
        otherwise_(options.otherwise) {}

  std::int64_t initial_value(std::size_t key) const {
    return key < initial_.size() ? initial_[key] : otherwise_;
  }

  Moment lag_before(Moment moment) const { return moment > lag_ ? moment - lag_ : 0; }
  // A random moment from `earliest` to now, within the lag.
  Moment some_moment_since(Moment earliest);

  const bool lists_;
  const Moment lag_;
  Moment now_ = 1;  // moment 0 is that of the initial state
  Random random_;

 private:
  const std::vector<std::int64_t> initial_;
  const std::int64_t otherwise_;
};

// The levels that a store can implement: rc, ra, cc, pc, psi, si, ser, strict-ser.
std::span<const Level> simulated_levels();
// The level itself if a store keeps it, or else the same with session order: what is generated there
// satisfies both. Nothing if there is neither.
std::optional<Level> simulated_for(Level level);
std::unique_ptr<Store> make_store(Level level, const StoreOptions& options);

}  // namespace assay
