// Assertions for the two kinds of bugs.
//
// ASSAY_REQUIRE checks that a caller uses an API correctly, and is always on. ASSAY_ASSERT checks an
// invariant of our own code that no input can break; it is on in debug builds (ASSAY_ASSERTIONS) and costs
// nothing in release builds. Bad input is not a bug: it becomes a Result with an Error.
#pragma once

namespace assay {

[[noreturn]] void contract_broken(const char* kind, const char* condition, const char* file, int line);

}  // namespace assay

#define ASSAY_REQUIRE(condition) \
  ((condition) ? void(0) : ::assay::contract_broken("requirement", #condition, __FILE__, __LINE__))

#ifdef ASSAY_ASSERTIONS
#define ASSAY_ASSERT(condition) \
  ((condition) ? void(0) : ::assay::contract_broken("invariant", #condition, __FILE__, __LINE__))
#else
#define ASSAY_ASSERT(condition) void(0)
#endif
