#include "history_io/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "history/edit.h"
#include "history/txn_names.h"
#include "history_io/format_rows.h"

namespace assay {
namespace {

// In the order in which detection tries them.
constexpr std::array kFormats{
    &format_rows::jsonl,      &format_rows::journal,    &format_rows::jepsen, &format_rows::elle,
    &format_rows::dbcop_json, &format_rows::dbcop_hist, &format_rows::cobra,  &format_rows::dbcop,
    &format_rows::polysi,     &format_rows::awdit,      &format_rows::viper,  &format_rows::hist,
};

std::string known_ids() {
  std::string ids;
  for (const Format* format : kFormats) ids += (ids.empty() ? "" : ", ") + std::string(format->id);
  return ids;
}

Error in_file(Error problem, const std::string& file) {
  if (problem.file.empty()) problem.file = file;
  return problem;
}

std::string_view without_compression(std::string_view path) {
  for (const std::string_view suffix : {".gz", ".zst"})
    if (path.ends_with(suffix)) path.remove_suffix(suffix.size());
  return path;
}

// Some editors put it at the beginning of UTF-8 text.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kEnoughToDetect = 4096;  // bytes, or the whole file

// Rejects a history that cannot be judged: transactions must have distinct names, and there must be some. An
// empty history tests nothing, and with a verdict on it a broken recorder would pass.
Result<History> usable(Result<History> history, const std::string& file) {
  if (!history) return in_file(std::move(history).error(), file);
  if (const auto told_apart = check_transaction_names(*history); !told_apart)
    return in_file(told_apart.error(), file);
  if (history->transaction_count() > 0) return history;
  return in_file(error("the history holds no transactions",
                       "there is nothing to judge; check that the recorder ran, and that this is its file"),
                 file);
}

const Format* format_of_directory(const std::string& path) {
  const auto found = std::ranges::find_if(
      kFormats, [&](const Format* f) { return f->looks_like_directory && f->looks_like_directory(path); });
  return found == kFormats.end() ? nullptr : *found;
}

Result<History> read_directory(const std::string& path, const Format* format, const Format** recognised,
                               Budget* budget, const ReadOptions& options) {
  if (format == nullptr) {
    format = format_of_directory(path);
    if (format == nullptr)
      return in_file(
          error("this directory holds no history logs",
                "expected *.log files of Cobra or Viper, a Jepsen test (history.edn, test.jepsen), or "
                "the journals of assay run"),
          path);
  }
  if (recognised != nullptr) *recognised = format;
  if (format->read_directory == nullptr)
    return in_file(error(fmt::format("is a directory, but {} is a format of single files", format->id)),
                   path);
  return usable(format->read_directory_with != nullptr ? format->read_directory_with(path, budget, options)
                                                       : format->read_directory(path, budget),
                path);
}

bool reads_another_initial(const History& h, Scalar initial) {
  for (const OpId op : h.operations())
    if (h.kind(op) == OpKind::Read && h.value(op) == h.initial_value(h.key(op)) &&
        h.value(h.value(op)) != initial)
      return true;
  return false;
}

Result<WriteReport> write_as_it_is(const History& history, const std::string& path, const Format& format,
                                   const WriteOptions& options) {
  if (format.write_directory != nullptr) return format.write_directory(history, path, options);
  auto sink = ByteSink::create(path, options.budget);
  if (!sink) return std::move(sink).error();
  const bool json = format.write_json != nullptr && without_compression(path).ends_with(".json");
  auto report = (json ? format.write_json : format.write)(history, *sink, options);
  if (!report) return report;
  ASSAY_TRY(sink->close());
  return report;
}

// Some formats fix the initial value of every key. For these, writes a copy of the history that starts with
// it.
template <class Write>
Result<WriteReport> write_with_initial(const History& history, const Format& format, const Write& write) {
  if (format.write == nullptr && format.write_directory == nullptr)
    return error(fmt::format("{} can be read but not written", format.id));
  const auto renamed = format.initial && reads_another_initial(history, *format.initial)
                           ? with_initial(history, *format.initial)
                           : std::nullopt;
  auto report = write(renamed ? *renamed : history);
  if (report && renamed)
    report->left_out.push_back(
        fmt::format("what keys start with: {} in {}", history.pool().to_json(*format.initial), format.id));
  return report;
}

}  // namespace

std::span<const Format* const> formats() { return kFormats; }

const Format* find_format(std::string_view id) {
  const auto found = std::ranges::find(kFormats, id, &Format::id);
  return found == kFormats.end() ? nullptr : *found;
}

const Format* detect_format(std::string_view beginning) {
  const auto found = std::ranges::find_if(
      kFormats, [&](const Format* f) { return f->looks_like && f->looks_like(beginning); });
  return found == kFormats.end() ? nullptr : *found;
}

const Format* recognised_format(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return format_of_directory(path);
  auto source = ByteSource::open(path);
  if (!source) return nullptr;
  source->need(kEnoughToDetect);
  return source->failure() ? nullptr : detect_format(source->window().substr(0, kEnoughToDetect));
}

Result<History> read_history(const std::string& path, const Format* format, const Format** recognised,
                             Budget* budget, const ReadOptions& options) {
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored))
    return read_directory(path, format, recognised, budget, options);
  auto source = ByteSource::open(path, budget);
  if (!source) return in_file(std::move(source).error(), path);
  return read_history(std::move(source).value(), format, recognised, options);
}

Result<History> read_history(ByteSource source, const Format* format, const Format** recognised,
                             const ReadOptions& options) {
  source.need(kEnoughToDetect);
  if (source.failure()) return *source.failure();
  if (source.window().starts_with(kByteOrderMark)) source.consume(kByteOrderMark.size());
  if (source.window().empty())
    return in_file(error("the file is empty", "a history has at least one line"), source.name());
  if (format == nullptr) format = detect_format(source.window().substr(0, kEnoughToDetect));
  if (format == nullptr)
    return in_file(error("the format is not recognised", "say it with --format: " + known_ids()),
                   source.name());
  if (recognised != nullptr) *recognised = format;
  if (format->read == nullptr)
    return in_file(error(fmt::format("{} is a directory of logs, not a file", format->id)), source.name());
  auto history = format->read_with != nullptr ? format->read_with(source, options) : format->read(source);
  if (source.failure()) return *source.failure();
  return usable(std::move(history), source.name());
}

Result<WriteReport> write_history(const History& history, const std::string& path, const Format& format,
                                  const WriteOptions& options) {
  auto report = write_with_initial(history, format, [&](const History& as_written) {
    return write_as_it_is(as_written, path, format, options);
  });
  if (!report) return in_file(std::move(report).error(), path);
  return report;
}

Result<WriteReport> write_history(const History& history, ByteSink& sink, const Format& format,
                                  const WriteOptions& options) {
  if (format.write_directory != nullptr)
    return error(fmt::format("{} is a directory of files, so it needs a path", format.id));
  return write_with_initial(history, format, [&](const History& as_written) -> Result<WriteReport> {
    auto report = format.write(as_written, sink, options);
    if (!report) return report;
    ASSAY_TRY(sink.close());
    return report;
  });
}

Result<const Format*> format_for_output(const std::string& path) {
  const std::string_view name = without_compression(path);
  if (path == "-") return find_format("jsonl");
  for (const Format* format : kFormats) {
    if (!format->extension.empty() && name.ends_with(format->extension)) return format;
    if (format->write_json != nullptr && name.ends_with(".json")) return format;
  }
  return in_file(error("its name does not say the format to write", "say it with --to: " + known_ids()),
                 path);
}

}  // namespace assay
