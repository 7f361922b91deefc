// What dbcop's JSON and text formats mean by the initial state, which both readers and both writers
// must agree on: null ("uninitialized") is a read of it, and so is 0 when nobody wrote 0 to the key.
#pragma once

#include "history/builder.h"
#include "history_io/expressible.h"

namespace assay {

// A HistoryBuilder that also notes what decides the initial values.
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

// As express(), for a format in which keys start as described above and versions are natural numbers.
// `can.initial` is chosen here.
Result<WriteReport> express_dbcop(const History& history, Expressible can, const WriteOptions& options);

}  // namespace assay
