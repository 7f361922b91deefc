// The rules missed, overwritten and exclusive for one read or one write of a key.
//
// A read of the initial version is contradicted where another writer of the key reaches the reader: nothing
// comes before the initial version, so that one was overwritten.
#pragma once

#include <optional>
#include <vector>

#include "saturation/open_reads.h"

namespace assay {

class KeyRules {
 public:
  struct StaleRead {
    std::uint32_t read;  // its place among the facts
    TxnId overwriting;   // reaches the reader, which saw the initial version
  };

  KeyRules(RuleState& state, const OpenReadRules& open)
      : s_(state), open_(open), earlier_(state.facts.writes.size()) {}

  // All known reads of a version, or one read. False: it is stale.
  bool look_at_readers(KeyId key, VersionId version, TxnId writer);
  bool look_at_read(const ReadFact& read);
  const std::optional<StaleRead>& stale() const { return stale_; }

  void look_at_write(KeyId key, VersionId version, TxnId writer);
  // A writer of the key that is known to precede the writer of the version: what holds of those before it
  // need not be asked again.
  void know_earlier(VersionId version, TxnId earlier) { earlier_[version.index()] = earlier; }
  void fetch(VersionId version) const { __builtin_prefetch(&earlier_[version.index()]); }

 private:
  template <class FindRead>
  bool look_at_read(KeyId key, TxnId writer, TxnId reader, FindRead find_read);
  void put_after_readers(VersionId version, TxnId writer);

  RuleState& s_;
  const OpenReadRules& open_;
  std::vector<TxnId> earlier_;  // by version: a writer of the key that precedes it, or none
  std::optional<StaleRead> stale_;
};

}  // namespace assay
