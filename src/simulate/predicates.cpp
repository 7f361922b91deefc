// BlindW-Pred: a table of rows (v1, v2). A transaction selects or updates the rows with v1, or v2, in a
// range.
//
// The range is drawn so that between one row and a tenth of the table match, with all counts equally likely
// (fewer match at both ends of the domain). For that, values must be spread evenly, and updates keep them so
// (rows.h). The shifts of updates are the images of 1, 2, 3, ... under a permutation of the domain, so all
// differ.
#include <algorithm>

#include "simulate/row_workloads.h"

namespace assay {
namespace {

constexpr std::uint64_t kDomain = kRowDomain;

// A pseudorandom permutation of the domain: each of its steps is invertible.
std::int64_t spread(std::uint64_t number) {
  std::uint64_t x = number % kDomain;
  for (const std::uint64_t odd : {0x2c1b3c6du, 0x297a2d39u}) {
    x ^= x >> 15;
    x = x * odd % kDomain;
  }
  return static_cast<std::int64_t>(x ^ x >> 15);
}

class Predicates final : public RowWorkload {
 public:
  using RowWorkload::RowWorkload;

  Plan next_transaction() override {
    Plan plan{.operations = options_.operations, .reads = options_.reads, .steps = {}};
    for (std::size_t i = 0; i < plan.operations; ++i) {
      const bool select = random_.chance(options_.reads);
      plan.steps.push_back({.asked = {.write = !select,
                                      .key = {},
                                      .value = select ? 0 : next_shift(),
                                      .action = select ? RowAction::Select : RowAction::Update,
                                      .filter = some_filter()}});
      if (!select) plan.freshness = Freshness::NewestIfConflictsAbort;
    }
    return plan;
  }

  std::int64_t next_value(StoreKey key) override { return row(key, next_shift()); }

  StoreKey first_row() const override { return StoreKey(kFirstRow); }
  StoreKey last_row() const override { return StoreKey(kFirstRow + options_.keys - 1); }

 private:
  static std::int64_t row(StoreKey key, std::int64_t shift) {
    return two_columns(spread_value(RowColumn::V1, key, shift), spread_value(RowColumn::V2, key, shift));
  }

  std::int64_t initial_row(std::size_t i) const override { return row(StoreKey(kFirstRow + i), spread(0)); }
  std::int64_t next_shift() { return spread(1 + next_number()); }

  RowFilter some_filter() {
    const auto rows =
        static_cast<std::int64_t>(1 + random_.below(std::max<std::size_t>(1, options_.keys / 10)));
    const auto domain = static_cast<std::int64_t>(kDomain);
    const std::int64_t width =
        std::max<std::int64_t>(1, domain / static_cast<std::int64_t>(options_.keys) * rows);
    // The range may begin before the domain, so that every value is equally likely to lie in it.
    const std::int64_t low =
        static_cast<std::int64_t>(random_.below(kDomain + static_cast<std::uint64_t>(width) - 1)) - width + 1;
    return {random_.chance(0.5) ? RowColumn::V1 : RowColumn::V2, std::max<std::int64_t>(low, 0),
            std::min(low + width, domain) - 1};
  }
};

}  // namespace

std::unique_ptr<Workload> make_predicates(const GeneratorOptions& options, std::uint64_t seed,
                                          WorkloadClient client) {
  return std::make_unique<Predicates>(options, seed, client);
}

}  // namespace assay
