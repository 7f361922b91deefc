#include "encoding/choices.h"

#include <algorithm>

namespace assay {

Var Choices::add(const Choice& choice, std::span<const Edge> if_true, std::span<const Edge> if_false,
                 std::span<const EdgeCause> causes, std::optional<bool> preferred) {
  const Var var = solver_.new_variable();
  choices_.push_back(choice);
  causes_.insert(causes_.end(), causes.begin(), causes.end());
  theory_.define(var, if_true, if_false, preferred);
  return var;
}

std::vector<KeyId> Choices::keys() const {
  std::vector<KeyId> keys;
  for (const Choice& choice : choices_) {
    if (choice.rule == Rule::From) keys.push_back(facts_.open[choice.read].key);
    if (choice.rule == Rule::Took) keys.push_back(facts_.conditional[choice.read].key);
    if (choice.rule != Rule::Suppose) continue;
    std::ranges::set_intersection(facts_.written_by(choice.first), facts_.written_by(choice.second),
                                  std::back_inserter(keys));
  }
  std::ranges::sort(keys);
  const auto twice = std::ranges::unique(keys);
  keys.erase(twice.begin(), twice.end());
  return keys;
}

}  // namespace assay
