#include "simulate/shaped.h"

#include <fmt/format.h>

namespace assay {

ShapedWorkload::ShapedWorkload(std::vector<std::string_view> spaces, std::uint64_t seed,
                               WorkloadClient client)
    : random_(seed), spaces_(std::move(spaces)), client_(client) {}

Asked ShapedWorkload::next_operation(const Plan& plan, std::span<const Asked> before) {
  Step step = plan.steps[before.size()];
  if (step.follows)
    step.asked.key =
        StoreKey(step.asked.key.index() + keys_of(static_cast<std::uint64_t>(before.back().value)));
  return step.asked;
}

std::int64_t ShapedWorkload::next_value(StoreKey) {
  return static_cast<std::int64_t>(first_new_ + given_++ * client_.of + client_.number);
}

StoreKey ShapedWorkload::new_key() { return key(spaces_.size(), planted_++); }

std::string ShapedWorkload::name(StoreKey key) const {
  const std::size_t space = key.index() % (spaces_.size() + 1), thing = key.index() / (spaces_.size() + 1);
  return fmt::format("{}:{}", space < spaces_.size() ? spaces_[space] : "planted", thing);
}

}  // namespace assay
