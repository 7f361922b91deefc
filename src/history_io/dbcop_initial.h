// The initial state in dbcop's JSON and text formats, on which both readers and both writers must agree: a
// read of null ("uninitialized") returned it, and so did a read of 0 if nobody wrote 0 to the key.
#pragma once

#include "history/builder.h"
#include "history_io/expressible.h"

namespace assay {

// A HistoryBuilder that also collects what determines the initial values.
class DbcopBuilder {
 public:
  HistoryBuilder& history() { return builder_; }
  void read(KeyId key, Scalar value);
  void write(KeyId key, Scalar value);
  Result<History> build() &&;

 private:
  HistoryBuilder builder_;
  std::vector<bool> zero_is_written_;  // by key
  bool any_null_ = false;
};

// express() for a format with this initial state, in which versions are natural numbers. Sets `can.initial`
// itself.
Result<WriteReport> express_dbcop(const History& history, Expressible can, const WriteOptions& options);

}  // namespace assay
