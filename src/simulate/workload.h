// What the clients ask for: how long a transaction is, whether it reads or writes, which keys and
// which values.
//
// The choice of an operation may depend on the operations before it in the transaction (a write of a key
// that was read, keys that differ), so operations are drawn one at a time. Cost: linear in the
// transaction.
#pragma once

#include <span>
#include <vector>

#include "simulate/distribution.h"
#include "simulate/store.h"

namespace assay {

struct Asked {
  bool write = false;
  StoreKey key;
};

class Workload {
 public:
  Workload(const GeneratorOptions& options, std::uint64_t seed);

  struct Plan {
    std::size_t operations = 0;
    double reads = 0;  // probability
  };
  Plan next_transaction();
  Asked next_operation(const Plan& plan, std::span<const Asked> before);
  // For a write of the key. Unique in the key, unless the key has duplicates.
  std::int64_t next_value(StoreKey key);
  // A key that nobody has used and nobody will be asked to use.
  StoreKey new_key();

 private:
  StoreKey draw_key();
  StoreKey key_to_write(const Plan& plan, std::span<const Asked> before);

  const GeneratorOptions& options_;
  Random random_;
  KeyDistribution distribution_;
  Zipf repeated_values_;
  std::vector<StoreKey> key_at_;             // the key that stands at each place of the distribution
  std::vector<std::size_t> place_;           // the inverse, for lists: where a full one is replaced
  std::vector<bool> repeats_;                // keys whose values repeat
  std::vector<std::uint32_t> values_given_;  // per key
};

}  // namespace assay
