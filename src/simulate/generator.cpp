#include "simulate/generator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "simulate/scheduler.h"

namespace assay {
namespace {

// Ticks, and numbers recorded in ticks, have 32 bits.
constexpr double kMostSteps = 4.0e9;

Result<void> check_fraction(std::string_view name, double fraction) {
  if (fraction >= 0 && fraction <= 1) return {};
  return error(fmt::format("{} is {}", name, fraction), "give a fraction from 0 to 1");
}

Result<void> check_positive(std::string_view name, std::size_t count) {
  if (count > 0) return {};
  return error(fmt::format("the number of {} is 0", name), "give at least 1");
}

Result<void> check_exponent(std::string_view name, double exponent) {
  if (std::isfinite(exponent) && exponent >= 0) return {};
  return error(fmt::format("the exponent of {} is {}", name, exponent),
               "give 0 (uniform) or more, like 0.99");
}

Result<void> check_sizes(const GeneratorOptions& o) {
  ASSAY_TRY(check_positive("sessions", o.sessions));
  ASSAY_TRY(check_positive("transactions", o.transactions));
  ASSAY_TRY(check_positive("operations", o.operations));
  ASSAY_TRY(check_positive("keys", o.keys));
  ASSAY_TRY(check_positive("warehouses", o.warehouses));
  const double steps = static_cast<double>(o.transactions) * (static_cast<double>(o.operations) + 2);
  if (steps > kMostSteps || static_cast<double>(o.sessions) > kMostSteps ||
      static_cast<double>(o.keys) > kMostSteps)
    return error("the history would have more than 2^32 operations", "generate several smaller ones");
  if (o.fewest_operations > o.operations)
    return error(fmt::format("the fewest operations of a transaction are {}, the most {}",
                             o.fewest_operations, o.operations),
                 "exchange them");
  if (o.distinct_keys && o.operations > o.keys)
    return error(fmt::format("{} operations on distinct keys, but there are {} keys", o.operations, o.keys),
                 "give more keys");
  return {};
}

Result<void> check_content(const GeneratorOptions& o) {
  ASSAY_TRY(check_fraction("reads", o.reads));
  ASSAY_TRY(check_fraction("read-modify-write", o.read_modify_write));
  ASSAY_TRY(check_fraction("duplicates", o.duplicates));
  ASSAY_TRY(check_fraction("aborted", o.aborted));
  ASSAY_TRY(check_fraction("unknown", o.unknown));
  ASSAY_TRY(check_fraction("aborted and unknown together", o.aborted + o.unknown));
  ASSAY_TRY(check_exponent("the keys' zipf distribution", o.zipf));
  ASSAY_TRY(check_exponent("the values' zipf distribution", o.duplicates_zipf));
  if (o.shape != Shape::Parametric && (o.duplicates > 0 || o.data == DataKind::Lists))
    return error("the workload has values of its own", "leave duplicates and lists to general and append");
  const RangeMix& mix = o.range_mix;
  ASSAY_TRY(check_fraction("inserts, deletes, reads and writes together",
                           mix.inserts + mix.deletes + mix.reads + mix.writes));
  if (o.data == DataKind::Lists && o.duplicates > 0)
    return error("lists cannot have duplicate elements", "leave duplicates out");
  if (o.data == DataKind::Lists) ASSAY_TRY(check_positive("elements of a list", o.list_length));
  if (o.skew < 0) return error(fmt::format("the skew is {}", o.skew), "give 0 or more nanoseconds");
  if (o.skew > INT64_MAX / 4)
    return error(fmt::format("a skew of {} ns overflows the clock", o.skew), "give less");
  if (o.skew > 0 && o.instants == RecordedInstants::None)
    return error("a clock skew, but no instants are recorded",
                 "record 2 or 4 instants, or leave the skew out");
  return {};
}

Result<void> check_injection(const GeneratorOptions& o) {
  if (!o.inject) return {};
  if (!is_plantable(*o.inject)) {
    std::vector<std::string_view> names;
    for (const Anomaly anomaly : plantable_anomalies()) names.push_back(name(anomaly));
    return error(
        fmt::format("{} cannot be planted: the generator has no transactions for it", name(*o.inject)),
        fmt::format("one of {}", fmt::join(names, ", ")));
  }
  // Reads of rows show one version each. So every cycle that reads can prove has a read dependency: g1c.
  if (*o.inject == Anomaly::G0 && has_rows(o.shape))
    return error("g0 cannot be planted among rows: only reads of lists show the order of writes alone",
                 "use --workload append, or plant g1c");
  const std::size_t needed = planted_transactions(*o.inject, false).size();
  if (o.sessions < needed || o.transactions < needed)
    return error(fmt::format("{} takes {} transactions, in as many sessions", name(*o.inject), needed),
                 "give more sessions or transactions");
  return {};
}

Result<void> check_options(const GeneratorOptions& o) {
  if (std::ranges::find(simulated_levels(), o.isolation) == simulated_levels().end()) {
    std::vector<std::string_view> ids;
    for (const Level level : simulated_levels()) ids.push_back(id(level));
    return error(fmt::format("no store keeps exactly {}", id(o.isolation)),
                 fmt::format("one of {}", fmt::join(ids, ", ")));
  }
  ASSAY_TRY(check_workload(o));
  return check_injection(o);
}

}  // namespace

Result<void> check_workload(const GeneratorOptions& options) {
  ASSAY_TRY(check_sizes(options));
  return check_content(options);
}

Result<Generated> generate(const GeneratorOptions& options) {
  ASSAY_TRY(check_options(options));
  GeneratorOptions kept = options;
  if (options.inject && !rules_out(*options.inject, options.isolation)) kept.isolation = Level::Ser;
  return Scheduler(kept).run();
}

}  // namespace assay
