// The workload that is all parameters: how long a transaction is, how much it reads, which keys, which
// values.
//
// Lists are replaced by new ones when they are full, so that reading them stays cheap: a client counts
// its own appends and supposes that the others append as much. Cost of an operation: linear in those before
// it.
#pragma once

#include "simulate/workload.h"

namespace assay {

class ParametricWorkload final : public Workload {
 public:
  ParametricWorkload(const GeneratorOptions& options, std::uint64_t seed, WorkloadClient client);

  Plan next_transaction() override;
  std::optional<Asked> next_operation(const Plan& plan, std::span<const Asked> before) override;
  std::int64_t next_value(StoreKey key) override;
  StoreKey new_key() override;
  std::size_t initial_keys() const override { return options_.keys; }

 private:
  StoreKey draw_key();
  StoreKey key_to_write(const Plan& plan, std::span<const Asked> before);

  const GeneratorOptions& options_;
  const WorkloadClient client_;
  Random random_;
  KeyDistribution distribution_;
  Zipf repeated_values_;
  std::vector<StoreKey> key_at_;             // the key that stands at each place of the distribution
  std::vector<std::size_t> place_;           // the inverse, for lists: where a full one is replaced
  std::vector<bool> repeats_;                // keys whose values repeat
  std::vector<std::uint32_t> values_given_;  // per key
};

}  // namespace assay
