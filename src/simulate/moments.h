// A set of moments (store.h) after a given beginning; it drops earlier ones. A transaction keeps the
// transactions it has read from in such a set, which may omit everything older than the lag. Constant time.
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
