// Reads keys and values of the native format with simdjson's on-demand parser, directly into the builder's
// tables.
//
// Numbers are read as text, so that integers and decimals of any size stay exact.
#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <string_view>
#include <vector>

#include "history/builder.h"
#include "history_io/jsonl_plain_rows.h"

namespace assay {

Error broken_json(simdjson::error_code code);

#define TRY_JSON(expression)                                                      \
  do {                                                                            \
    if (const simdjson::error_code code = (expression)) return broken_json(code); \
  } while (false)

// Reads the elements of one operation, `["w", "x", 1]`, from left to right.
class JsonElements {
 public:
  explicit JsonElements(simdjson::ondemand::array array) : array_(array) {}

  Result<void> open() {
    TRY_JSON(array_.begin().get(at_));
    TRY_JSON(array_.end().get(end_));
    return {};
  }
  bool more() { return at_ != end_; }
  Result<simdjson::ondemand::value> next(std::string_view expected) {
    if (!more()) return error(fmt::format("expected {}, but the operation ends", expected));
    if (started_) ++at_;
    if (!more()) return error(fmt::format("expected {}, but the operation ends", expected));
    started_ = true;
    simdjson::ondemand::value value;
    TRY_JSON((*at_).get(value));
    return value;
  }
  Result<void> finish() {
    if (more()) ++at_;
    if (more()) return error("an operation with too many elements");
    return {};
  }
  // Moves to the next element. Returns whether there is one.
  bool advance() {
    if (more() && started_) ++at_;
    started_ = false;
    return more();
  }

 private:
  simdjson::ondemand::array array_;
  simdjson::ondemand::array_iterator at_, end_;
  bool started_ = false;
};

class JsonlValues {
 public:
  explicit JsonlValues(HistoryBuilder& builder) : builder_(builder) {}

  Result<Scalar> scalar(simdjson::ondemand::value& value);
  // An integer or a string; `what` is "a key", "a session", ...
  Result<Scalar> name(simdjson::ondemand::value& value, std::string_view what);
  Result<KeyId> next_key(JsonElements& elements);
  Result<KeyAndValue> key_and_value(JsonElements& elements);  // the last two elements
  // Fills `into` from `[[k,v],...]`.
  Result<void> rows(JsonElements& elements, std::vector<KeyAndValue>& into);

 private:
  Result<Scalar> number(simdjson::ondemand::value& value);
  Result<Scalar> row(simdjson::ondemand::value& value);
  Result<KeyId> key(simdjson::ondemand::value& value);

  HistoryBuilder& builder_;
  std::vector<PlainColumn> columns_;  // of the previous row
};

}  // namespace assay
