// Histories in tests are one line long: hist("S1: r(x,0) w(x,1) | r(x,1)  S2: r(x,0) w(x,2)").
#pragma once

#include <string_view>

#include "history/history.h"

namespace assay::test {

// Parses `.hist` text; the test fails loudly when it is not well-formed.
History hist(std::string_view text);

}  // namespace assay::test
