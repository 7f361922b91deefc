// A set of moments that are later than some beginning; earlier ones are left out. For a transaction that
// remembers whom it met, where whoever is older than the lag does not matter any more. All in constant time.
#pragma once

#include <vector>

#include "simulate/store.h"

namespace assay {

class MomentSet {
 public:
  void clear(Moment beginning) {
    beginning_ = beginning;
    later_.clear();
  }
  bool contains(Moment moment) const {
    return moment > beginning_ && moment - beginning_ <= later_.size() && later_[moment - beginning_ - 1];
  }
  void insert(Moment moment) {
    if (moment <= beginning_) return;
    if (moment - beginning_ > later_.size()) later_.resize(moment - beginning_);
    later_[moment - beginning_ - 1] = true;
  }

 private:
  Moment beginning_ = 0;
  std::vector<bool> later_;
};

}  // namespace assay
