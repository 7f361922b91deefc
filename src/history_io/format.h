// The table of history formats, one row each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "history/history.h"
#include "history_io/byte_sink.h"
#include "history_io/byte_source.h"
#include "history_io/jepsen_workload.h"

namespace assay {

// What a writer could not express. Lost content stops the conversion unless the caller accepts it; lost
// labels (names of sessions and transactions) never do.
struct WriteReport {
  std::vector<std::string> left_out;  // "the instants of 100 transactions", ...
};

struct WriteOptions {
  bool lossy = false;  // leave out what the format cannot express, if that cannot change a verdict
  Budget* budget = nullptr;
};

// What the user says about a history that the file does not say.
struct ReadOptions {
  JepsenOptions jepsen{};
};

struct Format {
  std::string_view id;           // as in --format
  std::string_view description;  // one line for help
  std::string_view extension;    // an output file with it gets this format; empty: only with --to

  // The initial value of every key, if the format has only one. The writer replaces other initial values by
  // this one, if that cannot be mistaken for a written value.
  std::optional<Scalar> initial{};

  // Whether a file with this beginning is in the format. Detection follows the order of formats(), so a row
  // may rely on the earlier ones having said no.
  bool (*looks_like)(std::string_view beginning) = nullptr;
  Result<History> (*read)(ByteSource& source) = nullptr;
  // The same, for formats that have options.
  Result<History> (*read_with)(ByteSource& source, const ReadOptions& options) = nullptr;
  // Null if the format is read-only.
  Result<WriteReport> (*write)(const History& history, ByteSink& sink, const WriteOptions& options) = nullptr;

  // Writes the same content as JSON, if the format has such a variant: for OUT.json.
  Result<WriteReport> (*write_json)(const History& history, ByteSink& sink,
                                    const WriteOptions& options) = nullptr;

  // For formats in which a history is a directory with one file for each session.
  bool (*looks_like_directory)(const std::string& path) = nullptr;
  Result<History> (*read_directory)(const std::string& path, Budget* budget) = nullptr;
  Result<History> (*read_directory_with)(const std::string& path, Budget* budget,
                                         const ReadOptions& options) = nullptr;
  Result<WriteReport> (*write_directory)(const History& history, const std::string& path,
                                         const WriteOptions& options) = nullptr;
};

std::span<const Format* const> formats();
const Format* find_format(std::string_view id);

// Reads a history; "-" is standard input. Detects the format by content unless `format` gives it, and stores
// it in `recognised`. If the budget is spent, reading ends with an error whose is_limit is set.
Result<History> read_history(const std::string& path, const Format* format = nullptr,
                             const Format** recognised = nullptr, Budget* budget = nullptr,
                             const ReadOptions& options = {});
Result<History> read_history(ByteSource source, const Format* format = nullptr,
                             const Format** recognised = nullptr, const ReadOptions& options = {});

// The format of a history that begins with these bytes; null if none matches.
const Format* detect_format(std::string_view beginning);

// The format of the history in this file or directory; null if it is none that we know, or cannot be read.
const Format* recognised_format(const std::string& path);

Result<WriteReport> write_history(const History& history, const std::string& path, const Format& format,
                                  const WriteOptions& options = {});
// Formats that are directories cannot be written to a sink.
Result<WriteReport> write_history(const History& history, ByteSink& sink, const Format& format,
                                  const WriteOptions& options = {});
// Chosen by the extension of OUT (before .gz or .zst); for "-", the native format.
Result<const Format*> format_for_output(const std::string& path);

}  // namespace assay
