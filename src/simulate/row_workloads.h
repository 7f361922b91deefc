// Workloads on a table of rows, which they find by predicate or by range.
//
// The numbers of rows begin at kFirstRow, so planted transactions can use keys outside all ranges. Planted
// rows are negative, so no filter matches them.
#pragma once

#include "simulate/row_table.h"
#include "simulate/workload.h"

namespace assay {

inline constexpr std::size_t kFirstRow = 10;

class RowWorkload : public Workload {
 public:
  RowWorkload(const GeneratorOptions& options, std::uint64_t seed, WorkloadClient client)
      : options_(options), random_(seed), client_(client) {}

  std::optional<Asked> next_operation(const Plan& plan, std::span<const Asked> before) final {
    return plan.steps[before.size()].asked;
  }
  StoreKey new_key() final { return StoreKey(planted_++); }
  std::size_t initial_keys() const final { return kFirstRow + options_.keys; }
  std::vector<std::int64_t> initial_rows() const final {
    std::vector<std::int64_t> rows(kFirstRow, kNoRow);
    for (std::size_t i = 0; i < options_.keys; ++i) rows.push_back(initial_row(i));
    return rows;
  }
  std::shared_ptr<const TableLayout> layout() const final {
    return std::make_shared<RowTable>(options_.shape == Shape::Predicates, initial_rows());
  }

 protected:
  virtual std::int64_t initial_row(std::size_t i) const = 0;
  // The next number of this client; no other client gets it.
  std::uint64_t next_number() { return given_++ * client_.of + client_.number; }

  const GeneratorOptions& options_;
  Random random_;
  const WorkloadClient client_;

 private:
  std::uint64_t given_ = 0, planted_ = 0;
};

// BlindW-Pred: selects and updates of the rows in which one of two columns lies in a range.
std::unique_ptr<Workload> make_predicates(const GeneratorOptions& options, std::uint64_t seed,
                                          WorkloadClient client);
// V-Range: inserts, deletes, reads, writes and range queries.
std::unique_ptr<Workload> make_ranges(const GeneratorOptions& options, std::uint64_t seed,
                                      WorkloadClient client);

}  // namespace assay
