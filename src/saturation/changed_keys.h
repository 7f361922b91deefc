// Which keys to look at again where a point is reached by more than before.
//
// A rule about a key can say something new at a point only if a writer of the key reaches it now and did not
// before. Finding that out costs about as much as asking the rules, so where many reach the point all of its
// keys are looked at.
#pragma once

#include "saturation/rule_state.h"

namespace assay {

class ChangedKeys {
 public:
  explicit ChangedKeys(const RuleState& state)
      : s_(state), named_(state.history.key_count()), marks_(state.history.key_count()) {}

  // Only keys that were named are looked at. False: it was named before.
  bool name(KeyId key);
  // Of the keys that the transaction reads or writes at this point, those to look at; whether there are any.
  bool find(std::uint32_t node);
  bool contains(KeyId key) const { return marks_[key.index()] == wanted_; }  // of the last point

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
