// A multi-version store that keeps exactly one isolation level and nothing more.
//
// Every discipline is the same machine: committed transactions stand in a commit order (their
// positions), each key has its versions in that order, and a transaction that reads a key sees the
// *last* of the versions that are visible to it. Disciplines differ only in what must be visible and in
// which commits are refused; the file of each one argues why its histories are of its level:
//
//     read_committed.cpp   rc               what was read from before, at each read
//     read_atomic.cpp      ra               the session's past, and what is read from at any time
//     causal.cpp           cc, psi          that, and what those saw
//     prefix.cpp           pc, si           a prefix of the commit order that contains it
//     timestamp.cpp        ser, strict-ser  all that is before the reader's own place in the order
//
// Whatever the level leaves open is drawn at random as late as possible, and drawn stale: a store that
// always showed the newest would be serializable most of the time.
//
// A scan, or a read or write by predicate, is one read of every key that it looks at, in one step; that is
// what keeps phantoms out where the level does.
//
// Cost: a read looks at the versions of its key from the newest back to the visible one. `lag` bounds
// how old that can be, so nothing here grows with the length of the history but the versions. What else a
// read costs does not depend on what the transaction read before: a table of 10,000 rows takes a millisecond.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "history/ids.h"
#include "history/scalar.h"
#include "isolation/level.h"

namespace assay {

using StoreKey = Id<struct StoreKeyTag>;
// Time inside the store: the number of ticks so far. At most one transaction acts in each.
using Moment = std::uint64_t;

// The value of a key that has no row: unborn, or deleted.
inline constexpr std::int64_t kNoRow = INT64_MIN;

struct StoreWrite {
  StoreKey key;
  std::int64_t value;
};

// What the snapshot of a transaction should be, as far as the level leaves that open.
enum class Freshness : std::uint8_t {
  Any,
  NewestIfConflictsAbort,  // for those that write what others write: stale ones would hardly ever commit
};

struct StoreOptions {
  std::size_t sessions = 1;
  Moment lag = 0;      // nobody misses what was committed longer ago than this
  bool lists = false;  // values are elements appended to their key's list; else they replace it
  std::vector<std::int64_t> initial{};  // values of keys 0, 1, 2, ...
  std::int64_t otherwise = 0;           // of all other keys
  std::uint64_t seed = 0;
};

class Store {
 public:
  virtual ~Store() = default;

  void tick() { ++now_; }

  // The session's next transaction takes its snapshot. One that is running is forgotten: that is
  // what aborting is.
  void begin(SessionId session) { begin(session, Freshness::Any); }
  virtual void begin(SessionId session, Freshness freshness) = 0;
  // What the running transaction sees of a key that it has not written itself.
  virtual std::int64_t read(SessionId session, StoreKey key) = 0;
  // The same of all keys from `first` to `last`, one after the other.
  virtual void read_rows(SessionId session, StoreKey first, StoreKey last,
                         std::vector<std::int64_t>& values) = 0;
  virtual void read_list(SessionId session, StoreKey key, std::vector<Scalar>& elements) = 0;
  // Ends the running transaction. `writes` are the last write of each key, or all appends in order.
  // False: the level forbids it and nothing was written. When nobody told the session that it
  // committed, the session's next transactions need not see it.
  virtual bool commit(SessionId session, std::span<const StoreWrite> writes, bool session_is_told) = 0;
  // From now on the session sees everything committed so far.
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
  // A moment between `earliest` and now, and not older than the lag.
  Moment some_moment_since(Moment earliest);

  const bool lists_;
  const Moment lag_;
  Moment now_ = 1;  // 0 is the initial state's
  Random random_;

 private:
  const std::vector<std::int64_t> initial_;
  const std::int64_t otherwise_;
};

// The levels that a store can keep: rc, ra, cc, pc, psi, si, ser, strict-ser.
std::span<const Level> simulated_levels();
std::unique_ptr<Store> make_store(Level level, const StoreOptions& options);

}  // namespace assay
