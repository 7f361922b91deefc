// Reads Viper's JSON logs: a directory of `J*.log`, each a session with one committed transaction per line.
//
//     {"value": [["r", 7, 8812, false], ["w", 7, 5150, true]]}
//
// Values are hashes, different for all writes. The flag of a write says whether it succeeded; a failed write
// is dropped. The flag of a read says whether it found a tombstone. Viper's clients delete by writing a
// tombstone, `["d", key, value, found, was-dead, succeeded]`, which is a read of `found` and a write of
// `value`; an insert `["i", ...]` has the same form. So a tombstone is a version like any other, and the flag
// adds nothing. A read of 0 means that there was no row at all. A read of another value that nobody wrote is
// a read of the initial version.
//
// A range query `["range", low, high, rows, tombstones]`, with rows {"id": key, "val": value}, is a scan. A
// key that is in neither list had no version. The logs do not say whether the bounds belong to the range, so
// a bound without a row is left out.
//
// Some logs have times: preBeginTS and postBeginTS are the request and the answer of the first operation,
// preCommitTS and postCommitTS those of the commit. A client sends one transaction after another, so a
// transaction began after the previous one of its session ended. If a transaction has no times, or they are
// not in order, all are left out.
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
    previous_end_ = 0;
    auto session = session_of_log(builder_, source.name());
    if (!session) return std::move(session).error();
    std::string_view line;
    while (source.next_line(line)) {
      if (trim(line).empty()) continue;
      auto done = transaction(line);
      if (done) done = builder_.finish({.session = *session, .instants = instants_});
      if (!done) return source.at_line(std::move(done.error().what), std::move(done.error().remedy));
    }
    if (source.failure()) return *source.failure();
    return {};
  }

  Result<History> finish() {
    if (!times_problem_.empty()) {
      builder_.set_instants({});
      builder_.set_instants_reason(times_problem_);
    }
    return std::move(builder_).build();
  }

 private:
  Result<void> transaction(std::string_view line) {
    dom::element document;
    // ByteSource keeps readable bytes after the line, so it need not be copied.
    if (const auto problem = parser_.parse(line.data(), line.size(), false).get(document))
      return error(fmt::format("this is not JSON: {}", simdjson::error_message(problem)),
                   "expected one object per line");
    read_times(document);
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

  void read_times(dom::element document) {
    const auto time = [&](std::string_view name) {
      std::int64_t value = 0;
      return document.at_key(name).get(value) ? std::int64_t{0} : value;
    };
    instants_ = {.begin = previous_end_,
                 .began = time("postBeginTS"),
                 .committing = time("preCommitTS"),
                 .end = time("postCommitTS")};
    if (*instants_.began > 0 && *instants_.committing > 0 && are_in_order(instants_)) {
      previous_end_ = *instants_.end;
      return;
    }
    instants_ = {};
    if (times_problem_.empty()) times_problem_ = "a transaction has no times, or they are not in order";
  }

  Result<void> operation(dom::element whole) {
    std::string_view kind;
    if (fields_.empty() || fields_[0].get(kind)) return bad_operation(whole);
    if (kind == "range") return range(whole);
    const bool removes = kind == "d" || kind == "i";
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
    if (flag && value.is_null() && !fields_[2].is_null())
      return error("0 is written, which means in these logs that there is no row", "write another value");
    if (flag) builder_.write(key, value);
    return {};
  }

  Result<void> range(dom::element whole) {
    std::int64_t low = 0, high = 0;
    if (fields_.size() != 5 || fields_[1].get(low) || fields_[2].get(high)) return bad_range(whole);
    rows_.clear();
    bool any_low = false, any_high = false;
    for (const std::size_t list : {3, 4}) {
      dom::array records;
      if (fields_[list].get(records)) return bad_range(whole);
      for (const dom::element record : records) {
        std::int64_t id = 0;
        dom::element val;
        KeyAndValue row;
        if (record["id"].get(id) || record["val"].get(val) || id < low || id > high ||
            !scalar(val, row.value))
          return bad_range(whole);
        any_low |= id == low;
        any_high |= id == high;
        row.key = builder_.key(Scalar::integer(id));
        rows_.push_back(row);
      }
    }
    if (!any_low && low < high) ++low;
    if (!any_high && low < high) --high;
    if (!any_low && !any_high && rows_.empty() && low >= high) return {};
    builder_.scan({Scalar::integer(low), Scalar::integer(high)}, rows_);
    return {};
  }

  bool key(dom::element element, KeyId& key) {
    Scalar name;
    if (!scalar(element, name)) return false;
    key = builder_.key(name);
    return true;
  }

  bool value(dom::element element, Scalar& value) {
    std::int64_t integer = 0;
    if (element.is_null() || (!element.get(integer) && integer == 0)) {
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

  static Error bad_range(dom::element operation) {
    return error(fmt::format("expected [\"range\", low, high, rows, tombstones], found {}",
                             excerpt(simdjson::minify(operation))),
                 "bounds are integers of 64 bits, rows are {\"id\": key, \"val\": value} between them");
  }

  static Error bad_operation(dom::element operation) {
    return error(fmt::format("expected [\"r\" or \"w\", key, value, true or false], found {}",
                             excerpt(simdjson::minify(operation))),
                 "keys and values are integers of 64 bits or strings");
  }

  HistoryBuilder builder_;
  dom::parser parser_;
  std::vector<dom::element> fields_;  // scratch
  std::vector<KeyAndValue> rows_;     // scratch
  Instants instants_;                 // of the transaction
  std::int64_t previous_end_ = 0;     // of the session
  std::string times_problem_;
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
