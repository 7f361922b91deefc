#include "simulate/parametric.h"

#include <algorithm>

namespace assay {
namespace {

constexpr std::size_t kRepeatedValues = 100;

bool uses(std::span<const Asked> before, StoreKey key) {
  return std::ranges::find(before, key, &Asked::key) != before.end();
}

}  // namespace

ParametricWorkload::ParametricWorkload(const GeneratorOptions& options, std::uint64_t seed,
                                       WorkloadClient client)
    : options_(options),
      client_(client),
      random_(seed),
      distribution_(options),
      repeated_values_(kRepeatedValues, options.duplicates_zipf) {
  for (std::size_t i = 0; i < options.keys; ++i) {
    key_at_.push_back(new_key());
    place_[key_at_.back().index()] = i;
  }
  // Draws a sample of exactly the wanted size, independent of the popularity of keys.
  auto wanted = static_cast<std::size_t>(options.duplicates * static_cast<double>(options.keys) + 0.5);
  for (std::size_t i = 0; i < options.keys && wanted > 0; ++i)
    if (random_.below(options.keys - i) < wanted) {
      repeats_[i] = true;
      --wanted;
    }
}

StoreKey ParametricWorkload::new_key() {
  const StoreKey key(values_given_.size());
  values_given_.push_back(0);
  repeats_.push_back(false);
  place_.push_back(SIZE_MAX);
  return key;
}

Workload::Plan ParametricWorkload::next_transaction() {
  const std::size_t fewest =
      options_.fewest_operations == 0 ? options_.operations : options_.fewest_operations;
  Plan plan{.operations = fewest, .reads = options_.reads, .steps = {}};
  if (fewest < options_.operations) plan.operations += random_.below(options_.operations - fewest + 1);
  if (options_.mix == Mix::Split) plan.reads = random_.chance(options_.reads) ? 1 : 0;
  return plan;
}

StoreKey ParametricWorkload::draw_key() { return key_at_[distribution_.draw(random_)]; }

StoreKey ParametricWorkload::key_to_write(const Plan& plan, std::span<const Asked> before) {
  if (plan.reads > 0 && !options_.distinct_keys && !before.empty() &&
      random_.chance(options_.read_modify_write)) {
    // Takes the first read key from a random position on. That is cheap, and any key can be drawn.
    const std::size_t start = random_.below(before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Asked& candidate = before[(start + i) % before.size()];
      if (!candidate.write) return candidate.key;
    }
  }
  return draw_key();
}

std::optional<Asked> ParametricWorkload::next_operation(const Plan& plan, std::span<const Asked> before) {
  const bool write = !random_.chance(plan.reads);
  StoreKey key = write ? key_to_write(plan, before) : draw_key();
  if (options_.distinct_keys)
    while (uses(before, key)) key = draw_key();
  return Asked{write, key, write ? next_value(key) : 0};
}

std::int64_t ParametricWorkload::next_value(StoreKey key) {
  if (repeats_[key.index()]) return static_cast<std::int64_t>(repeated_values_.draw(random_)) + 1;
  const std::uint64_t given = values_given_[key.index()]++;
  const std::size_t place = place_[key.index()];
  if (options_.data == DataKind::Lists && (given + 1) * client_.of >= options_.list_length &&
      place != SIZE_MAX) {
    key_at_[place] = new_key();
    place_[key_at_[place].index()] = place;
    place_[key.index()] = SIZE_MAX;
  }
  return static_cast<std::int64_t>(given * client_.of + client_.number + 1);
}

}  // namespace assay
