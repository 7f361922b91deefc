#include "api/calls.h"

#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace assay::api {
namespace {

// An assay_error together with the strings that it points to.
struct OwnedError {
  assay_error shown;  // must be first: the caller's pointer is freed as the whole
  std::string message;
  Error error;
};

static_assert(std::is_standard_layout_v<OwnedError>);

assay_error no_memory{
    ASSAY_NO_MEMORY, "there is not enough memory", "there is not enough memory", "", "", ""};

}  // namespace

Problem misuse(std::string what) { return {ASSAY_MISUSE, error(std::move(what))}; }

assay_status status_of(const Error& error) {
  return error.is_limit ? ASSAY_STOPPED : error.is_defect ? ASSAY_DEFECT : ASSAY_BAD_INPUT;
}

assay_status report(assay_status status, const Error& problem, assay_error** error) noexcept {
  if (error == nullptr) return status;
  try {
    auto* owned = new OwnedError{{}, problem.describe(), problem};
    const Error& e = owned->error;
    owned->shown = {status,           owned->message.c_str(), e.what.c_str(),
                    e.remedy.c_str(), e.file.c_str(),         e.place.c_str()};
    *error = &owned->shown;
  } catch (const std::bad_alloc&) {
    *error = &no_memory;
  }
  return status;
}

assay_status report_no_memory(assay_error** error) noexcept {
  if (error != nullptr) *error = &no_memory;
  return ASSAY_NO_MEMORY;
}

void give(std::string_view text, assay_bytes* into) {
  auto* data = static_cast<char*>(std::malloc(text.size() + 1));
  if (data == nullptr) throw std::bad_alloc();
  std::memcpy(data, text.data(), text.size());
  data[text.size()] = '\0';
  *into = {data, text.size()};
}

}  // namespace assay::api

extern "C" {

void assay_error_free(assay_error* error) {
  using assay::api::OwnedError;
  if (error != nullptr && error != &assay::api::no_memory) delete reinterpret_cast<OwnedError*>(error);
}

void assay_bytes_free(assay_bytes* bytes) {
  if (bytes == nullptr) return;
  std::free(bytes->data);
  *bytes = {};
}

}  // extern "C"
