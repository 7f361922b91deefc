// How every function of the C interface begins and ends: what went wrong becomes a status and an error that
// the caller frees, and no exception leaves the library.
#pragma once

#include <assay/assay_c.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay::api {

// Why a call failed: what is wrong with the input, or with the call.
struct Problem {
  assay_status status;
  Error error;
};

Problem misuse(std::string what);
assay_status status_of(const Error& error);

// Gives the error to the caller, if he wants it. Never throws.
assay_status report(assay_status status, const Error& problem, assay_error** error) noexcept;
assay_status report_no_memory(assay_error** error) noexcept;

// Runs the body, which returns a Result<void> or throws a Problem.
template <class Body>
assay_status guarded(assay_error** error, const Body& body) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    const Result<void> done = body();
    return done ? ASSAY_OK : report(status_of(done.error()), done.error(), error);
  } catch (const Problem& problem) {
    return report(problem.status, problem.error, error);
  } catch (const std::bad_alloc&) {
    return report_no_memory(error);
  } catch (const std::exception& unexpected) {
    return report(ASSAY_DEFECT, assay::error(unexpected.what(), "please report it"), error);
  }
}

// What a function cannot do without.
inline void require(bool given, const char* what) {
  if (!given) throw misuse(what);
}

void give(std::string_view text, assay_bytes* into);

// The file or format that messages name, where NULL stands for nothing.
inline std::string_view or_empty(const char* text) { return text == nullptr ? "" : text; }

}  // namespace assay::api
