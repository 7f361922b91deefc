// The two kinds of broken promise that are bugs of a program, not of its input.
//
// ASSAY_REQUIRE guards an API against a caller's misuse and is always on.
// ASSAY_ASSERT states an invariant of our own that no input can reach; on in debug builds
// (ASSAY_ASSERTIONS), free in release. Bad input is neither: it is a Result with an Error.
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
