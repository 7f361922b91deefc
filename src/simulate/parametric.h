// The workload described by parameters alone: the length of a transaction, its share of reads, the
// distribution of keys and of values.
//
// A full list is replaced by a new one, so that reading stays cheap. To know when a list is full, a client
// counts its own appends and assumes that the other clients append as many. Choosing an operation takes time
// linear in those before it.
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
  std::vector<StoreKey> key_at_;             // by index in the distribution: the key there
  std::vector<std::size_t> place_;           // the inverse, to replace a full list
  std::vector<bool> repeats_;                // by key: its values repeat
  std::vector<std::uint32_t> values_given_;  // by key
};

}  // namespace assay
