// Applies the rules `missed`, `overwritten` and `exclusive` to one read or one write of a key.
//
// No version precedes the initial one. So a read of the initial version is stale, which is a contradiction,
// if another writer of the key reaches the reader.
#pragma once

#include <optional>
#include <vector>

#include "saturation/open_reads.h"

namespace assay {

class KeyRules {
 public:
  struct StaleRead {
    std::uint32_t read;  // its index in ReadFacts::reads
    TxnId overwriting;   // a writer of the key that reaches the reader
  };

  KeyRules(RuleState& state, const OpenReadRules& open)
      : s_(state), open_(open), earlier_(state.facts.writes.size()) {}

  // Applies `missed` to all known reads of a version, or to one read. Returns false if one is stale.
  bool look_at_readers(KeyId key, VersionId version, TxnId writer);
  bool look_at_read(const ReadFact& read);
  const std::optional<StaleRead>& stale() const { return stale_; }

  void look_at_write(KeyId key, VersionId version, TxnId writer);
  // Records a writer of the key that is known to precede the version's writer. Writers before `earlier` need
  // not be examined again.
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
