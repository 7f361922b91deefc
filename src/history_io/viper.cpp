// Reads Viper's JSON logs: a directory of `J*.log`, each a session with one committed transaction per line.
//
//     {"value": [["r", 7, 8812, false], ["w", 7, 5150, true]]}
//
// Values are hashes, different for all writes. The flag of a write says whether it succeeded; a failed write
// is dropped. The flag of a read says whether it found a tombstone. Viper's clients delete by writing a
// tombstone, `["d", key, value, found, was-dead, succeeded]`, which is a read of `found` and a write of
// `value`. So a tombstone is a version like any other, and the flag adds nothing. A read of a value that
// nobody wrote is a read of the initial version (0 if there was no row at all).
//
// The reader ignores the times in some logs: they are times of the first operation, not of the begin, so they
// do not bound the snapshot. It also ignores range queries, because a missing row in one cannot be
// distinguished from a row that never existed.
#include <fmt/format.h>
#include <simdjson.h>

#include "history/builder.h"
#include "history_io/format_rows.h"
#include "history_io/log_directory.h"
#include "history_io/text_scan.h"

namespace assay {
namespace {

namespace dom = simdjson::dom;

class ViperReader {
 public:
  ViperReader() { builder_.reads_of_nothing_are_initial(); }

  Result<void> log(ByteSource& source) {
    auto session = session_of_log(builder_, source.name());
    if (!session) return std::move(session).error();
    std::string_view line;
    while (source.next_line(line)) {
      if (trim(line).empty()) continue;
      auto done = transaction(line);
      if (done) done = builder_.finish({.session = *session});
      if (!done) return source.at_line(std::move(done.error().what), std::move(done.error().remedy));
    }
    if (source.failure()) return *source.failure();
    return {};
  }

  Result<History> finish() { return std::move(builder_).build(); }

 private:
  Result<void> transaction(std::string_view line) {
    dom::element document;
    // ByteSource keeps readable bytes after the line, so it need not be copied.
    if (const auto problem = parser_.parse(line.data(), line.size(), false).get(document))
      return error(fmt::format("this is not JSON: {}", simdjson::error_message(problem)),
                   "expected one object per line");
    dom::array operations;
    if (document.at_key("value").get(operations)) return error("expected an object with a list \"value\"");
    for (const dom::element operation : operations) {
      dom::array parts;
      if (operation.get(parts)) return bad_operation(operation);
      fields_.clear();
      for (const dom::element part : parts) fields_.push_back(part);
      ASSAY_TRY(this->operation(operation));
    }
    return {};
  }

  Result<void> operation(dom::element whole) {
    std::string_view kind;
    if (fields_.empty() || fields_[0].get(kind)) return bad_operation(whole);
    if (kind == "range") return error("range queries are not supported", "leave them out of the log");
    const bool removes = kind == "d";
    bool flag = false;
    if ((kind != "r" && kind != "w" && !removes) || fields_.size() != (removes ? 6 : 4) ||
        fields_.back().get(flag))
      return bad_operation(whole);
    KeyId key;
    Scalar value, found;
    if (!this->key(fields_[1], key) || !this->value(fields_[2], value)) return bad_operation(whole);
    if (kind == "r") {
      builder_.read(key, value);
      return {};
    }
    if (removes) {
      if (!this->value(fields_[3], found) || !fields_[4].is_bool()) return bad_operation(whole);
      builder_.read(key, found);
    }
    if (flag) builder_.write(key, value);
    return {};
  }

  bool key(dom::element element, KeyId& key) {
    Scalar name;
    if (!scalar(element, name)) return false;
    key = builder_.key(name);
    return true;
  }

  bool value(dom::element element, Scalar& value) {
    if (element.is_null()) {
      value = Scalar::null();
      return true;
    }
    return scalar(element, value);
  }

  bool scalar(dom::element element, Scalar& into) {
    std::int64_t integer;
    std::string_view text;
    if (!element.get(integer)) into = Scalar::integer(integer);
    else if (!element.get(text)) into = builder_.pool().string(text);
    else return false;
    return true;
  }

  static Error bad_operation(dom::element operation) {
    return error(fmt::format("expected [\"r\" or \"w\", key, value, true or false], found {}",
                             excerpt(simdjson::minify(operation))),
                 "keys and values are integers of 64 bits or strings");
  }

  HistoryBuilder builder_;
  dom::parser parser_;
  std::vector<dom::element> fields_;  // scratch
};

Result<History> read_viper(ByteSource& source) {
  ViperReader reader;
  ASSAY_TRY(reader.log(source));
  return reader.finish();
}

Result<History> read_viper_directory(const std::string& path, Budget* budget) {
  return read_logs<ViperReader>(path, budget, "J");
}

// Matches the beginning that the logger writes. Jepsen's JSON has a "value" too, but always with a "type".
bool looks_like_viper(std::string_view beginning) {
  std::string_view line = first_line(beginning).text;
  if (!line.starts_with('{') || line.find("\"type\"") != std::string_view::npos) return false;
  line = trim(line.substr(1));
  return line.starts_with("\"value\"") || line.starts_with("\"preBeginTS\"");
}

bool looks_like_viper_directory(const std::string& path) {
  return logs_look_like(path, "J", looks_like_viper);
}

}  // namespace

const Format format_rows::viper{
    .id = "viper",
    .description = "Viper's JSON logs, a directory of J*.log files",
    .extension = "",
    .looks_like = looks_like_viper,
    .read = read_viper,
    .looks_like_directory = looks_like_viper_directory,
    .read_directory = read_viper_directory,
};

}  // namespace assay
