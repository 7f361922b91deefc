// Where the tests find the repository and the built binary.
//
// Both depend on where the checkout is, so one source file alone is compiled with them: all others compile to
// the same code in every clone, and ccache finds them again.
#pragma once

#include <string>

namespace assay::test {

// Without a slash at its end.
std::string source_dir();

std::string assay_binary();

}  // namespace assay::test
