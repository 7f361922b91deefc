// Reads, writes and counts histories through the C interface.
#include <assay/assay_c.h>

#include "api/calls.h"
#include "api/handles.h"
#include "api/limits.h"
#include "history_io/format.h"

namespace assay::api {
namespace {

constexpr const char* kBytes = "bytes";  // the name of a history without a file in messages

Result<const Format*> format_of_id(const char* id) {
  if (id == nullptr) return static_cast<const Format*>(nullptr);
  if (const Format* format = find_format(id)) return format;
  std::string ids;
  for (const Format* format : formats()) ids += (ids.empty() ? "" : ", ") + std::string(format->id);
  return error("unknown format " + std::string(id), "one of " + ids);
}

template <class Read>
Result<void> read(const char* name, const char* format_id, const assay_options* options,
                  assay_history** history, const Read& read_with) {
  auto format = format_of_id(format_id);
  if (!format) return format.error();
  Limits limits(options);
  const Format* recognised = *format;
  auto read = read_within_limits(limits.for_reading(),
                                 [&](Budget& budget) { return read_with(*format, &recognised, &budget); });
  if (!read) return read.error();
  *history = new assay_history{std::make_shared<const History>(std::move(read).value()), name,
                               std::string(recognised->id)};
  return {};
}

void tell_what_was_left_out(const WriteReport& report, assay_bytes* left_out) {
  if (left_out == nullptr) return;
  std::string lines;
  for (const std::string& loss : report.left_out) lines += loss + '\n';
  give(lines, left_out);
}

}  // namespace
}  // namespace assay::api

using namespace assay;
using namespace assay::api;

extern "C" {

assay_status assay_read_file(const char* path, const char* format, const assay_options* options,
                             assay_history** history, assay_error** error) {
  return guarded(error, [&]() -> Result<void> {
    require(history != nullptr, "there is no place for the history");
    *history = nullptr;
    require(path != nullptr, "there is no path to read");
    return api::read(path, format, options, history,
                     [&](const Format* id, const Format** recognised, Budget* budget) {
                       return read_history(path, id, recognised, budget);
                     });
  });
}

assay_status assay_read_bytes(const void* data, size_t size, const char* format, const assay_options* options,
                              assay_history** history, assay_error** error) {
  return guarded(error, [&]() -> Result<void> {
    require(history != nullptr, "there is no place for the history");
    *history = nullptr;
    require(data != nullptr || size == 0, "there are no bytes to read");
    const auto bytes =
        size == 0 ? std::string_view("") : std::string_view(static_cast<const char*>(data), size);
    return api::read(kBytes, format, options, history,
                     [&](const Format* id, const Format** recognised, Budget* budget) {
                       return read_history(ByteSource::from_view(kBytes, bytes, budget), id, recognised);
                     });
  });
}

assay_status assay_write_file(const assay_history* history, const char* path, const char* format, int lossy,
                              assay_bytes* left_out, assay_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (left_out != nullptr) *left_out = {};
    require(history != nullptr && path != nullptr, "there is no history or no path to write");
    const auto to = format == nullptr ? format_for_output(path) : format_of_id(format);
    if (!to) return to.error();
    const auto report = write_history(*history->history, path, **to, {.lossy = lossy != 0});
    if (!report) return report.error();
    tell_what_was_left_out(*report, left_out);
    return {};
  });
}

assay_status assay_write_bytes(const assay_history* history, const char* format, int lossy,
                               assay_bytes* bytes, assay_bytes* left_out, assay_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (left_out != nullptr) *left_out = {};
    require(bytes != nullptr, "there is no place for the bytes");
    *bytes = {};
    require(history != nullptr && format != nullptr, "there is no history or no format to write");
    const auto to = format_of_id(format);
    if (!to) return to.error();
    std::string text;
    ByteSink sink = ByteSink::to_memory(text);
    const auto report = write_history(*history->history, sink, **to, {.lossy = lossy != 0});
    if (!report) return report.error();
    tell_what_was_left_out(*report, left_out);
    give(text, bytes);
    return {};
  });
}

assay_counts assay_history_counts(const assay_history* history) {
  if (history == nullptr) return {};
  const History& h = *history->history;
  return {h.session_count(), h.transaction_count(), h.operation_count(), h.key_count()};
}

const char* assay_history_format(const assay_history* history) {
  return history == nullptr ? "" : history->format.c_str();
}

void assay_history_free(assay_history* history) { delete history; }

size_t assay_format_count(void) { return formats().size(); }

assay_status assay_format_get(size_t index, assay_format* format) {
  if (format == nullptr || index >= formats().size()) return ASSAY_MISUSE;
  const Format& row = *formats()[index];
  *format = {row.id.data(), row.description.data(), row.write != nullptr || row.write_directory != nullptr};
  return ASSAY_OK;
}

}  // extern "C"
