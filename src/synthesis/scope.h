// How large the histories are that synthesis looks at, and what kinds.
#pragma once

#include <cstddef>

namespace assay::synthesis {

struct Scope {
  std::size_t transactions = 4;  // without the initial one
  std::size_t objects = 3;
  std::size_t values =
      5;  // of an object, with the initial one; one more than transactions are all there can be
  bool duplicates = false;       // a value may be written more than once; then who was read from is a choice
  bool blind_writes = true;      // an object may be written without having been read
  bool sessions = true;          // otherwise each transaction is the only one of its session
  bool repeatable_reads = true;  // otherwise a transaction may read several versions of an object
  bool clocks = false;           // also where nobody asks when transactions began and ended
};

}  // namespace assay::synthesis
