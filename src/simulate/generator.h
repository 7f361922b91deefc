// Generates histories of a given isolation level and shape, if wanted with one planted violation.
//
// generate() runs sessions concurrently against a simulated store (store.h) under a seeded scheduler, and
// records what the clients would record. The history satisfies `isolation` by construction. The same options
// give the same history, byte for byte. 100,000 transactions of 20 operations take about a second.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "history/history.h"
#include "isolation/anomaly.h"
#include "isolation/level.h"

namespace assay {

enum class KeyChoice : std::uint8_t {
  Uniform,
  Zipf,     // exponent GeneratorOptions::zipf; key 0 is the most popular
  Hotspot,  // 80 % of the operations on the first 20 % of the keys
};

enum class Mix : std::uint8_t {
  Mixed,  // every operation is a read with probability `reads`
  Split,  // a transaction only reads, with probability `reads`, or only writes; Shape::Ranges: all its
          // operations are of the same kind in RangeMix
};

// Parametric: the parameters below describe the transactions. The others imitate an application with `keys`
// users; the last two of these work on a table of `keys` rows.
enum class Shape : std::uint8_t { Parametric, Twitter, Rubis, Smallbank, Tpcc, Predicates, Ranges };

inline constexpr bool has_rows(Shape shape) { return shape >= Shape::Predicates; }

// For Shape::Ranges: fractions of the transactions. The rest are range queries.
struct RangeMix {
  double inserts = 0.2, deletes = 0.2, reads = 0.2, writes = 0.2;
};

enum class DataKind : std::uint8_t { Registers, Lists };

enum class RecordedInstants : std::uint8_t { None = 0, BeginAndEnd = 2, All = 4 };

struct GeneratorOptions {
  Level isolation = Level::Ser;
  Shape shape = Shape::Parametric;
  std::size_t sessions = 8;
  std::size_t transactions = 1000;    // all that end, whatever their outcome, with planted ones
  std::size_t fewest_operations = 0;  // in a transaction; 0: always `operations`
  std::size_t operations = 8;         // the most in a transaction
  std::size_t keys = 100;
  std::size_t warehouses = 1;  // of tpcc
  RangeMix range_mix{};
  double reads = 0.5;
  Mix mix = Mix::Mixed;
  double read_modify_write = 0.25;  // fraction of writes, in mixed transactions, to a key read before
  bool distinct_keys = false;       // a transaction uses no key twice

  KeyChoice key_choice = KeyChoice::Uniform;
  double zipf = 0.99;
  double duplicates = 0;         // the fraction of keys whose values repeat; other values are unique
  double duplicates_zipf = 0.5;  // repeated values are 1 to 100, Zipf-distributed with this exponent

  DataKind data = DataKind::Registers;
  std::size_t list_length = 32;  // a full list is replaced by a new one, under a new key

  double aborted = 0;  // the fraction that the client rolls back, apart from those that the store refuses
  double unknown = 0;  // the fraction whose outcome the client never learns; half of them try to commit

  RecordedInstants instants = RecordedInstants::BeginAndEnd;
  std::int64_t skew = 0;  // the most nanoseconds by which the clocks of two sessions differ

  // The anomaly to plant. If `isolation` allows it anyway, the rest satisfies ser, so it is the only one.
  std::optional<Anomaly> inject{};
  std::uint64_t seed = 0;
};

struct Generated {
  History history;
  std::vector<TxnId> injected;  // the planted transactions
  std::uint64_t committed = 0, aborted = 0, unknown = 0;
};

// Returns an error if the options describe an impossible workload, for the simulation or for a database.
Result<void> check_workload(const GeneratorOptions& options);
Result<Generated> generate(const GeneratorOptions& options);

}  // namespace assay
