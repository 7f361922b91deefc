#include "support/paths.h"

namespace assay::test {

std::string source_dir() { return ASSAY_SOURCE_DIR; }

std::string assay_binary() { return ASSAY_BINARY; }

}  // namespace assay::test
