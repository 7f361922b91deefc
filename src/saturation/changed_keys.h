// Finds the keys to examine again when more points reach a point than before.
//
// A rule about a key can derive something new at a point only if a writer of the key reaches the point now
// and did not before. Finding these keys costs about as much as applying the rules. So if many points newly
// reach this one, all of its keys are examined.
#pragma once

#include "saturation/rule_state.h"

namespace assay {

class ChangedKeys {
 public:
  explicit ChangedKeys(const RuleState& state)
      : s_(state), named_(state.history.key_count()), marks_(state.history.key_count()) {}

  // Names a key. Only named keys are examined. Returns false if it was named before.
  bool name(KeyId key);
  // Finds the keys to examine among the named keys that the transaction reads or writes at this point.
  // Returns false if it has no named keys.
  bool find(std::uint32_t node);
  bool contains(KeyId key) const { return marks_[key.index()] == wanted_; }  // at the last point

 private:
  std::uint32_t mark_all(std::uint32_t node);
  bool has_many_news(std::uint32_t node, std::uint32_t keys) const;
  void mark_news(std::uint32_t node);

  const RuleState& s_;
  std::vector<bool> named_;           // by key
  std::vector<std::uint32_t> marks_;  // by key
  std::uint32_t mark_ = 0, wanted_ = 0;
};

}  // namespace assay
