// What the system says about memory.
#pragma once

#include <cstddef>

namespace assay {

std::size_t resident_bytes();  // of this process; 0 where the system does not say
std::size_t
available_bytes();  // that processes can still have without swapping; 0 where the system does not say

}  // namespace assay
