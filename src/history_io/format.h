// Every history format Assay knows, one row each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "history/history.h"
#include "history_io/byte_sink.h"
#include "history_io/byte_source.h"

namespace assay {

// What a writer could not say. Content stops the conversion unless the caller accepts the loss;
// labels (names of sessions and transactions) never do.
struct WriteReport {
  std::vector<std::string> left_out;  // "the instants of 100 transactions", ...
};

struct WriteOptions {
  bool lossy = false;  // leave out what the format cannot express, where that cannot change a verdict
  Budget* budget = nullptr;
};

struct Format {
  std::string_view id;           // as in --format
  std::string_view description;  // one line for help
  std::string_view extension;    // that OUT is recognised by; empty: only by --to

  // What every key starts with, where the format knows no other initial value. A history that starts
  // otherwise is written with this one in its place, if that cannot be mistaken for a written value.
  std::optional<Scalar> initial{};

  // Whether a file that begins like this is in the format. Asked in the order of formats(), so a
  // row may lean on the ones before it having said no.
  bool (*looks_like)(std::string_view beginning) = nullptr;
  Result<History> (*read)(ByteSource& source) = nullptr;
  // Null: the format is read only.
  Result<WriteReport> (*write)(const History& history, ByteSink& sink, const WriteOptions& options) = nullptr;

  // The same content as JSON, where the format has such a twin: what OUT.json gets.
  Result<WriteReport> (*write_json)(const History& history, ByteSink& sink,
                                    const WriteOptions& options) = nullptr;

  // For formats that are a directory with one file per session.
  bool (*looks_like_directory)(const std::string& path) = nullptr;
  Result<History> (*read_directory)(const std::string& path, Budget* budget) = nullptr;
  Result<WriteReport> (*write_directory)(const History& history, const std::string& path,
                                         const WriteOptions& options) = nullptr;
};

std::span<const Format* const> formats();
const Format* find_format(std::string_view id);

// Reads a history; the format is detected by content unless `format` says it. "-" is standard input.
// `recognised` is told which format it was. A spent budget ends the reading, with an error that says so
// (Error::is_limit).
Result<History> read_history(const std::string& path, const Format* format = nullptr,
                             const Format** recognised = nullptr, Budget* budget = nullptr);
Result<History> read_history(ByteSource source, const Format* format = nullptr,
                             const Format** recognised = nullptr);

// What the first bytes of a history look like; null when like nothing known.
const Format* detect_format(std::string_view beginning);

Result<WriteReport> write_history(const History& history, const std::string& path, const Format& format,
                                  const WriteOptions& options = {});
// Not of formats that are a directory.
Result<WriteReport> write_history(const History& history, ByteSink& sink, const Format& format,
                                  const WriteOptions& options = {});
// By the extension of OUT (before .gz or .zst); the native format for "-".
Result<const Format*> format_for_output(const std::string& path);

}  // namespace assay
