// Which transactions wrote a value, and so which versions a read of that value can have returned.
//
// A version is the value that its transaction wrote last to the key. Values that were overwritten within
// their transaction, and values of aborted transactions, are recorded only to explain what is wrong with a
// read that returned them. Most values belong to one version; those that belong to several have a list. Cost:
// O(writes log writes), once.
#pragma once

#include <vector>

#include "dependency/versions.h"
#include "history/history.h"

namespace assay {

class ValueWriters {
 public:
  struct Writers {
    TxnId final_writer, aborted, intermediate;  // the last one found of each kind; final_writer: of a version
    VersionId version;                          // the version of final_writer
    bool initial = false, several = false;      // the value is initial; it has several versions
  };

  // Finds and numbers the versions.
  ValueWriters(const History& history, Versions& versions);

  const Writers& of(KeyValueId value) const { return writers_[value.index()]; }
  bool has_repeated() const { return !repeated_.empty(); }
  // Moves out the value of each version, which conditional writes need. To be called once.
  std::vector<KeyValueId> take_values() { return std::move(value_of_); }

  // Calls visit(version, writer) for each version of the key with this value. The writer of the initial
  // version is none().
  template <class Visit>
  void each_version(const Versions& versions, KeyId key, KeyValueId value, Visit visit) const {
    const Writers& w = writers_[value.index()];
    if (w.initial) visit(versions.initial_version(key), TxnId::none());
    if (w.several) {
      for (const Repeated& r : std::ranges::equal_range(repeated_, value, {}, &Repeated::value))
        visit(r.version, versions.writer(r.version));
    } else if (!w.final_writer.is_none()) {
      visit(w.version, w.final_writer);
    }
  }

  // Values are scattered over memory, so those of the next transaction are prefetched.
  void fetch(const History& history, OpId op) const {
    if (!has_rows(history.kind(op))) __builtin_prefetch(&writers_[history.value(op).index()]);
  }

 private:
  struct Written {
    KeyId key;
    std::uint32_t from_the_end;  // the number of operations after it in the transaction
    KeyValueId value;
    friend auto operator<=>(const Written&, const Written&) = default;
  };
  struct Repeated {
    KeyValueId value;
    VersionId version;
    friend auto operator<=>(const Repeated&, const Repeated&) = default;
  };

  void add_writes(TxnId t, Versions& versions);
  void add(TxnId t, const Written& write, bool is_final, Versions& versions);
  void add_conditional_writes(Versions& versions);
  void collect_repeated(const Versions& versions);

  const History& h_;
  std::vector<Writers> writers_;      // by value
  std::vector<KeyValueId> value_of_;  // by version
  std::vector<Repeated> repeated_;    // the versions of values that have several
  std::vector<Written> written_;      // by the current transaction
};

}  // namespace assay
