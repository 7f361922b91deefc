// Reads the operations of a transaction in the native format: `[["r","x",0], ["w","x",1]]` and all others.
#pragma once

#include "history_io/jsonl_values.h"

namespace assay {

class JsonlOperations {
 public:
  JsonlOperations(HistoryBuilder& builder, JsonlValues& values) : builder_(builder), values_(values) {}

  Result<void> read_all(simdjson::ondemand::value& value);

 private:
  Result<void> operation(simdjson::ondemand::array parts);
  Result<void> item(JsonElements& elements, void (HistoryBuilder::*add)(KeyId, Scalar));
  Result<void> read(JsonElements& elements);
  Result<void> remove(JsonElements& elements);
  Result<void> scan(JsonElements& elements);
  Result<void> read_one_of(JsonElements& elements);
  Result<void> list(simdjson::ondemand::value value);
  Result<void> with_predicate(JsonElements& elements, OpKind kind);
  Result<void> predicate(simdjson::ondemand::value value, int depth);
  Result<std::uint32_t> constants(JsonElements& elements, bool in_a_list);

  HistoryBuilder& builder_;
  JsonlValues& values_;
  std::vector<Scalar> scalars_;  // scratch, as are the next two
  std::vector<KeyAndValue> rows_;
  std::vector<PredicateNode> nodes_;
};

}  // namespace assay
