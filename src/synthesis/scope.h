// How large the histories are that synthesis looks at, and what kinds.
#pragma once

#include <cstddef>

namespace assay::synthesis {

struct Scope {
  std::size_t transactions = 4;  // without the initial one
  std::size_t objects = 3;
  std::size_t values = 3;    // of an object, with the initial one
  bool duplicates = false;   // a value may be written more than once; then who was read from is a choice
  bool blind_writes = true;  // an object may be written without having been read
};

}  // namespace assay::synthesis
