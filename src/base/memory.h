// Memory figures from the operating system; 0 where it does not give them.
#pragma once

#include <cstddef>

namespace assay {

std::size_t resident_bytes();   // of this process
std::size_t available_bytes();  // that processes can still allocate without swapping

}  // namespace assay
