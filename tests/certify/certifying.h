// Evidence in tests is text: certified("ser violated", history, "1 reads 2.1 ...").
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <string_view>

#include "history/history.h"

namespace assay::test {

// What is wrong with a certificate of one section, "level ID holds" or "level ID violated"; "" when it is
// accepted. `evidence` is the lines between, separated by newlines or " / ".
std::string complaint(const History& history, std::string_view claim, std::string_view evidence);

inline testing::Matcher<std::string> accepted() { return testing::IsEmpty(); }
inline testing::Matcher<std::string> refused(const std::string& why) { return testing::HasSubstr(why); }

}  // namespace assay::test
