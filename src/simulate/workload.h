// What a client asks for: one transaction after the other, each as a plan whose operations are drawn one
// at a time, because an operation may depend on those before it and on what they returned.
//
// A workload is described once and runs anywhere: `generate` runs it against the simulated store, all
// sessions drawing from one; the collector gives each of its clients one of its own, so that clients share
// nothing while they run. Invariant: what one client writes to a key is unique in the key, among all
// clients, unless the key has duplicates.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulate/distribution.h"
#include "simulate/rows.h"
#include "simulate/store.h"
#include "simulate/tables.h"

namespace assay {

// Operations on rows, beside plain reads and writes.
enum class RowAction : std::uint8_t {
  None,
  Insert,  // fails, and is left out of the history, where there is a row
  Delete,
  Scan,    // the keys from `key` to `last`
  Select,  // all rows that match `filter`
  Update,  // the same: each becomes updated_row(), where the shift is `value`
};

// In lists a write appends and a read returns the whole list.
struct Asked {
  bool write = false;
  StoreKey key;
  std::int64_t value = 0;  // to write; or what was read, filled in by whoever ran it
  RowAction action = RowAction::None;
  StoreKey last{};
  RowFilter filter{};
};

// One of several clients that draw their own transactions. Their values differ by this number.
struct WorkloadClient {
  std::size_t number = 0, of = 1;
};

// What a history calls keys.
class KeyNames {
 public:
  virtual ~KeyNames() = default;
  virtual std::string name(StoreKey) const { return {}; }  // nothing: by its number
};

class Workload : public KeyNames {
 public:
  // An operation that was decided with its transaction, but for what it takes from one before it.
  struct Step {
    Asked asked;
    std::optional<std::size_t> from{};  // that operation; its value, and `shift`, if that is not negative ...
    std::int64_t shift = 0;
    std::size_t stride = 0;       // ... times this is added to the key
    bool counts = false;          // the value is that value plus one
    bool ends_when_same = false;  // the transaction ends before it if the last two values are the same
  };
  struct Plan {
    std::size_t operations = 0;  // at most
    double reads = 0;            // probability, where operations are drawn
    std::vector<Step> steps;     // where they were decided
    Freshness freshness = Freshness::Any;
  };

  virtual Plan next_transaction() = 0;
  // Nothing: the transaction has no more.
  virtual std::optional<Asked> next_operation(const Plan& plan, std::span<const Asked> before) = 0;
  virtual std::int64_t next_value(StoreKey key) = 0;
  // A key that nobody has used and nobody will be asked to use.
  virtual StoreKey new_key() = 0;

  // Keys 0, 1, 2, ... that a database should hold when the clients start; it may be asked for others.
  virtual std::size_t initial_keys() const = 0;
  // What they start with; empty: 0, and so do all others. Otherwise others have no row.
  virtual std::vector<std::int64_t> initial_rows() const { return {}; }
  // The keys that select and update look at.
  virtual StoreKey first_row() const { return StoreKey(0); }
  virtual StoreKey last_row() const { return StoreKey(0); }
  // Where a database keeps them.
  virtual std::shared_ptr<const TableLayout> layout() const {
    return std::make_shared<OneTable>(initial_keys());
  }
};

std::unique_ptr<Workload> make_workload(const GeneratorOptions& options, std::uint64_t seed,
                                        WorkloadClient client = {});

}  // namespace assay
