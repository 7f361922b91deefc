// Which transactions wrote a value, and so which versions a read that returned it may have seen.
//
// A read may have seen a version only if that is what its transaction left in the key: values that were
// overwritten within their transaction, and those of aborted transactions, are remembered to say what is
// wrong with a read that returned them. Most values were written once; those of which there are several
// versions have a list. Cost: O(writes log), once.
#pragma once

#include <vector>

#include "dependency/versions.h"
#include "history/history.h"

namespace assay {

class ValueWriters {
 public:
  struct Writers {
    TxnId final_writer, aborted, intermediate;  // of versions; the last one of each that was met
    VersionId version;                          // of the final writer
    bool initial = false, several = false;      // it is the initial value; there are several versions
  };

  // Numbers the versions.
  ValueWriters(const History& history, Versions& versions);

  const Writers& of(KeyValueId value) const { return writers_[value.index()]; }
  bool has_repeated() const { return !repeated_.empty(); }
  // The value of each version, where conditional writes need it. Once.
  std::vector<KeyValueId> take_values() { return std::move(value_of_); }

  // Calls visit(version, writer) for each version of the key that has this value; none() wrote the initial
  // one.
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

  // Values lie all over memory: those of the next transaction are fetched while one is looked at.
  void fetch(const History& history, OpId op) const {
    if (!has_rows(history.kind(op))) __builtin_prefetch(&writers_[history.value(op).index()]);
  }

 private:
  struct Written {
    KeyId key;
    std::uint32_t from_the_end;  // of the transaction
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
  std::vector<Repeated> repeated_;    // the versions of values that were written more than once
  std::vector<Written> written_;      // by the transaction at hand
};

}  // namespace assay
