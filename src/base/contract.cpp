#include "base/contract.h"

#include <cstdio>
#include <cstdlib>

namespace assay {

void contract_broken(const char* kind, const char* condition, const char* file, int line) {
  std::fprintf(stderr, "assay: broken %s at %s:%d: %s (please report this as a bug)\n", kind, file, line,
               condition);
  std::abort();
}

}  // namespace assay
