// BlindW-Pred: a table of rows (v1, v2); a transaction selects, or updates, those that have v1, or v2, in
// some range.
//
// The range is drawn so that from one row up to a tenth of the table match, all numbers equally likely (fewer
// at both ends of the domain). For that, values are spread evenly and stay so: an update gives each row that
// it finds a new value in the *other* column. New values are where a permutation of the whole domain takes 0,
// 1, 2, ..., so no row occurs twice.
#include <algorithm>

#include "simulate/row_workloads.h"

namespace assay {
namespace {

constexpr std::uint64_t kDomain = std::uint64_t{1} << 30;

// A permutation of the domain that looks random: each step can be undone.
std::uint32_t spread(std::uint64_t number) {
  std::uint64_t x = number % kDomain;
  for (const std::uint64_t odd : {0x2c1b3c6du, 0x297a2d39u}) {
    x ^= x >> 15;
    x = x * odd % kDomain;
  }
  return static_cast<std::uint32_t>(x ^ x >> 15);
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
                                      .action = select ? RowAction::Select : RowAction::Update,
                                      .filter = some_filter()}});
      if (!select) plan.freshness = Freshness::NewestIfConflictsAbort;
    }
    return plan;
  }

  std::int64_t next_value(StoreKey) override { return row(next_number()); }

  std::int64_t updated(StoreKey, std::int64_t old, const RowFilter& filter) override {
    const auto column = [&](RowColumn c) { return static_cast<std::uint32_t>(column_of(old, c)); };
    const std::uint64_t number = next_number();
    return filter.column == RowColumn::V1 ? two_columns(column(RowColumn::V1), v2(number))
                                          : two_columns(v1(number), column(RowColumn::V2));
  }

  StoreKey first_row() const override { return StoreKey(kFirstRow); }
  StoreKey last_row() const override { return StoreKey(kFirstRow + options_.keys - 1); }

 private:
  static std::uint32_t v1(std::uint64_t number) { return spread(number); }
  static std::uint32_t v2(std::uint64_t number) { return spread(number + kDomain / 2); }
  static std::int64_t row(std::uint64_t number) { return two_columns(v1(number), v2(number)); }

  std::int64_t initial_row(std::size_t i) const override { return row(i); }
  std::uint64_t next_number() { return options_.keys + RowWorkload::next_number(); }

  RowFilter some_filter() {
    const auto rows =
        static_cast<std::int64_t>(1 + random_.below(std::max<std::size_t>(1, options_.keys / 10)));
    const auto domain = static_cast<std::int64_t>(kDomain);
    const std::int64_t width =
        std::max<std::int64_t>(1, domain / static_cast<std::int64_t>(options_.keys) * rows);
    // Every value is as likely to be in the range as any other, so ranges may begin before the domain.
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
