// The versions of a history.
//
// The last write of a key in a transaction makes a version. The initial value of a key is a version too, and
// so is the value of a conditional write, if it took place.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/column.h"
#include "history/history.h"
#include "history/matches.h"

namespace assay {

// The number of a version: its index in Versions::writes. The initial versions of the keys come after these,
// and the versions of conditional writes last. So a loop over writes and keys meets no version that exists
// only under a condition.
using VersionId = Id<struct VersionTag>;

// A write of a row that takes place if the version that it meets matches a test. Its transaction counts.
struct ConditionalWrite {
  TxnId writer;
  OpId op;
  KeyId key;
  std::uint32_t read;  // index of the open read of the version that it meets
  std::uint32_t test;  // index in Versions::tests
};

// A statement that reported that exactly `count` of its conditional writes took place.
struct CountedWrites {
  std::uint32_t first, last;  // a range of Versions::conditional
  std::uint64_t count;
};

struct Versions {
  std::vector<std::uint32_t>
      write_begin;               // final writes of t are writes[write_begin[t] .. write_begin[t + 1])
  Column<KeyId> writes;          // by version, sorted within a transaction
  Column<TxnId> version_writer;  // by version
  std::size_t keys = 0;          // the number of keys
  std::vector<ConditionalWrite> conditional;  // by writer
  std::vector<RowTest> tests;                 // of the statements of conditional writes
  std::vector<KeyValueId> values;             // by version in `writes`; empty without conditional writes
  std::vector<CountedWrites> counted;

  std::span<const KeyId> written_by(TxnId t) const {
    return {writes.data() + write_begin[t.index()], write_begin[t.index() + 1] - write_begin[t.index()]};
  }
  IdRange<VersionId> versions_by(TxnId t) const {
    return {VersionId(write_begin[t.index()]), VersionId(write_begin[t.index() + 1])};
  }
  bool writes_key(TxnId t, KeyId key) const { return std::ranges::binary_search(written_by(t), key); }
  bool write_common_key(TxnId a, TxnId b) const {
    return std::ranges::any_of(written_by(a), [&](KeyId key) { return writes_key(b, key); });
  }

  KeyId key(VersionId v) const {
    if (is_conditional(v)) return conditional[conditional_place(v)].key;
    return is_initial(v) ? KeyId(v.index() - writes.size()) : writes[v.index()];
  }
  TxnId writer(VersionId v) const {  // none(): the initial transaction
    if (v.index() < writes.size()) return version_writer[v.index()];
    return is_initial(v) ? TxnId::none() : conditional[conditional_place(v)].writer;
  }

  VersionId initial_version(KeyId key) const { return VersionId(writes.size() + key.index()); }
  bool is_initial(VersionId v) const { return v.index() >= writes.size() && !is_conditional(v); }

  VersionId conditional_version(std::size_t place) const { return VersionId(writes.size() + keys + place); }
  bool is_conditional(VersionId v) const {  // none() is not
    return v.index() >= writes.size() + keys && v.index() < writes.size() + keys + conditional.size();
  }
  std::uint32_t conditional_place(VersionId v) const {
    return static_cast<std::uint32_t>(v.index() - writes.size() - keys);
  }
  std::uint32_t place(const ConditionalWrite& write) const {
    return static_cast<std::uint32_t>(&write - conditional.data());
  }
  std::span<const ConditionalWrite> conditional_by(TxnId t) const {
    const auto [first, last] = std::ranges::equal_range(conditional, t, {}, &ConditionalWrite::writer);
    return {first, last};
  }
  // Whether the write takes place if it meets this version, which must be one of its candidates.
  bool takes_place(const History& history, const ConditionalWrite& write, VersionId met) const {
    const KeyValueId value = is_conditional(met)
                                 ? history.conditional_value(conditional[conditional_place(met)].op)
                             : is_initial(met) ? history.initial_value(key(met))
                                               : values[met.index()];
    return !value.is_none() && tests[write.test](write.key, history.value(value));
  }
};

}  // namespace assay
