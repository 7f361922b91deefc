#include "graph/matching.h"

#include <utility>

#include "base/contract.h"

namespace assay {

bool Matching::add(std::span<const std::uint32_t> neighbours, Budget& budget) {
  ASSAY_REQUIRE(met_.empty());
  const auto left = static_cast<std::uint32_t>(matched_.size());
  neighbours_.insert(neighbours_.end(), neighbours.begin(), neighbours.end());
  begin_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
  matched_.push_back(kNone);
  met_.push_back(left);
  std::vector<std::uint32_t> seen;  // right nodes of this search
  std::uint32_t found = kNone;
  bool stopped = false;
  for (std::size_t i = 0; i < met_.size() && found == kNone && !stopped; ++i)
    for (const std::uint32_t right : this->neighbours(met_[i])) {
      if ((stopped = budget.is_spent())) break;
      if (from_[right] != kNone) continue;
      from_[right] = met_[i];
      seen.push_back(right);
      if (partner_[right] == kNone) {
        found = right;
        break;
      }
      met_.push_back(partner_[right]);
    }
  if (found != kNone) augment(found);
  for (const std::uint32_t right : seen) from_[right] = kNone;
  if (found != kNone || stopped) met_.clear();
  return found != kNone;
}

// Gives each node of the path the right node by which the search went on from it.
void Matching::augment(std::uint32_t right) {
  while (right != kNone) {
    const std::uint32_t left = from_[right];
    partner_[right] = left;
    right = std::exchange(matched_[left], right);
  }
}

}  // namespace assay
