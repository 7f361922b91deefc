// Which way a relation or formula can change when something that stands in it grows: the one place that knows
// which operators are monotone.
#pragma once

#include <functional>

#include "spec/core.h"

namespace assay::spec {

// What can happen: it gets more rows (or true), it gets fewer (or false). Neither where it does not depend on
// it.
struct Signs {
  bool more = false, less = false;

  Signs operator-() const { return {less, more}; }
  Signs operator|(Signs other) const { return {more || other.more, less || other.less}; }
  bool any() const { return more || less; }
};

// `grows` says of a node whether it is what grows. Where the operators do not tell, both may happen.
Signs signs_of(const Node& node, const std::function<bool(const Node&)>& grows);

}  // namespace assay::spec
