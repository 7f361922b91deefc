// The records of Cobra's logs: a tag byte, then big-endian 64-bit fields.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::cobra {

// Special values of writers and write ids.
inline constexpr std::int64_t kInitial = 0xbebeebee;  // the version before the first transaction
inline constexpr std::int64_t kNothing = 0xdeadbeef;  // the read found no row
inline constexpr std::int64_t kGeneral = 0xabddefee;  // a general workload: ids are unknown

// The number of fields after the tag; 0 if there is no such tag.
inline constexpr std::size_t fields(char tag) {
  switch (tag) {
    case 'S':            // txn
    case 'C': return 1;  // txn
    case 'W': return 3;  // write id, key, hash of the value
    case 'R': return 4;  // writer txn, write id, key, hash of the value
    default: return 0;
  }
}

}  // namespace assay::cobra
