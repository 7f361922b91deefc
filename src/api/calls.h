// Every function of the C interface runs inside guarded(). It turns errors and exceptions into a status and
// an assay_error that the caller frees, so no exception leaves the library.
#pragma once

#include <assay/assay_c.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay::api {

// Thrown inside guarded() where a plain Error does not say the status.
struct Problem {
  assay_status status;
  Error error;
};

Problem misuse(std::string what);
assay_status status_of(const Error& error);

// Hands the error to the caller, unless `error` is null.
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

// Reports a misuse unless the argument was given.
inline void require(bool given, const char* what) {
  if (!given) throw misuse(what);
}

void give(std::string_view text, assay_bytes* into);

}  // namespace assay::api
