// An index from each key to its values.
#pragma once

#include <span>
#include <vector>

#include "history/history.h"

namespace assay {

class ValuesOfKeys {
 public:
  explicit ValuesOfKeys(const History& h) : begin_(h.key_count() + 1), values_(h.key_value_count()) {
    for (std::size_t v = 0; v < h.key_value_count(); ++v) ++begin_[h.key(KeyValueId(v)).index() + 1];
    for (std::size_t k = 1; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t v = 0; v < h.key_value_count(); ++v)
      values_[next[h.key(KeyValueId(v)).index()]++] = KeyValueId(v);
  }
  std::span<const KeyValueId> of(KeyId key) const {
    return {values_.data() + begin_[key.index()], begin_[key.index() + 1] - begin_[key.index()]};
  }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<KeyValueId> values_;
};

}  // namespace assay
