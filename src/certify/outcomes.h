// Derives from the history alone which rows update-maybes changed. Implements docs/certificates.md, "Whether
// a row of an update-maybe matched", independently of the search.
//
// Linear in the history, times the values of the keys that update-maybes list.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "history/completion.h"
#include "history/history.h"

namespace assay {

// The values that the history names for each key.
class NamedValues {
 public:
  explicit NamedValues(const History& history);
  std::span<const KeyValueId> of(KeyId key) const { return of_key_[key.index()]; }

 private:
  std::vector<std::vector<KeyValueId>> of_key_;
};

// The outcomes of rows of update-maybes: changed, left alone, or open.
class RowOutcomes {
 public:
  std::optional<bool> of(OpId op, KeyId key) const {
    const auto found = changed_.find(name(op, key));
    return found == changed_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<bool> of(Invisible row) const { return of(row.op, row.key); }
  void set(Invisible row, bool changed) { changed_[name(row.op, row.key)] = changed; }

 private:
  static std::uint64_t name(OpId op, KeyId key) { return std::uint64_t{op.value} << 32 | key.value; }
  std::unordered_map<std::uint64_t, bool> changed_;
};

struct RowCounts {
  std::uint64_t changed = 0, left = 0, open = 0;
};
RowCounts count_rows(const History& history, OpId op, const RowOutcomes& outcomes);
// Whether the operation can have changed as many rows as it reports.
bool may_have_its_count(const History& history, OpId op, const RowCounts& rows);

// The outcomes that follow from the history.
RowOutcomes known_outcomes(const History& history);

// The rows of update-maybes without an outcome, sorted.
std::vector<Invisible> open_rows(const History& history, const RowOutcomes& outcomes);

}  // namespace assay
