#include "simulate/shaped.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {

ShapedWorkload::ShapedWorkload(std::vector<std::string_view> spaces, std::uint64_t seed,
                               WorkloadClient client)
    : random_(seed), spaces_(std::move(spaces)), client_(client) {}

std::optional<Asked> ShapedWorkload::next_operation(const Plan& plan, std::span<const Asked> before) {
  const Step& step = plan.steps[before.size()];
  if (step.ends_when_same && before.back().value == before[before.size() - 2].value) return std::nullopt;
  Asked asked = step.asked;
  if (!step.from) return asked;
  const std::int64_t named = std::max<std::int64_t>(0, before[*step.from].value + step.shift);
  asked.key = StoreKey(asked.key.index() + static_cast<std::size_t>(named) * step.stride);
  if (step.counts) asked.value = before[*step.from].value + 1;
  return asked;
}

std::int64_t ShapedWorkload::next_value(StoreKey) {
  return static_cast<std::int64_t>(first_new_ + given_++ * client_.of + client_.number);
}

StoreKey ShapedWorkload::new_key() { return key(spaces_.size(), planted_++); }

std::string ShapedWorkload::name(StoreKey key) const {
  const Space space = space_of(key);
  if (space == spaces_.size()) return fmt::format("planted:{}", thing_of(key));
  return fmt::format("{}:{}", spaces_[space], thing_name(space, thing_of(key)));
}

}  // namespace assay
