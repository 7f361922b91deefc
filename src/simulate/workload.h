// What clients do: one transaction after another, each as a plan. The operations of a plan are drawn one at a
// time, because an operation may depend on earlier ones and on their results.
//
// A workload is described once and runs anywhere. `generate` runs it against the simulated store, with one
// workload object for all sessions. The collector gives each client an object of its own, so that clients
// share nothing while they run. Invariant: next_value() gives each value of a key only once, to whichever
// client, unless the key has duplicates.
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

// Operations on rows, in addition to plain reads and writes.
enum class RowAction : std::uint8_t {
  None,
  Insert,  // fails, and does not enter the history, if there is a row
  Delete,
  Scan,    // the keys from `key` to `last`
  Select,  // all rows that match `filter`
  Update,  // sets each row that matches `filter` to updated_row() with the shift `value`
};

// An operation that the workload asks for. In lists, a write appends and a read returns the whole list.
struct Asked {
  bool write = false;
  StoreKey key;
  std::int64_t value = 0;  // the value to write; or the value that was read, filled in by the caller
  RowAction action = RowAction::None;
  StoreKey last{};
  RowFilter filter{};
};

// One of `of` clients that draw their own transactions. The number makes its values differ from those of the
// others.
struct WorkloadClient {
  std::size_t number = 0, of = 1;
};

// The names of keys in a history.
class KeyNames {
 public:
  virtual ~KeyNames() = default;
  virtual std::string name(StoreKey) const { return {}; }  // empty: the key's number is its name
};

class Workload : public KeyNames {
 public:
  // An operation fixed in the plan, which may take a value from an earlier operation of the transaction.
  struct Step {
    Asked asked;
    std::optional<std::size_t> from{};  // the earlier operation: max(0, its value + shift) ...
    std::int64_t shift = 0;
    std::size_t stride = 0;       // ... times this is added to the key
    bool counts = false;          // the operation writes the earlier value plus one
    bool ends_when_same = false;  // before this step: if the last two values are equal, the transaction ends
  };
  struct Plan {
    std::size_t operations = 0;  // the most operations
    double reads = 0;            // the probability of a read, if operations are drawn
    std::vector<Step> steps;     // the operations, if they are fixed
    Freshness freshness = Freshness::Any;
  };

  virtual Plan next_transaction() = 0;
  // Returns nothing when the transaction is complete.
  virtual std::optional<Asked> next_operation(const Plan& plan, std::span<const Asked> before) = 0;
  virtual std::int64_t next_value(StoreKey key) = 0;
  // A key that the workload does not use otherwise.
  virtual StoreKey new_key() = 0;

  // How many keys (0, 1, 2, ...) a database should hold at the start. The workload may use further keys.
  virtual std::size_t initial_keys() const = 0;
  // The initial rows of these keys; other keys have none. Empty: all keys are initially 0.
  virtual std::vector<std::int64_t> initial_rows() const { return {}; }
  // The range of keys that select and update cover.
  virtual StoreKey first_row() const { return StoreKey(0); }
  virtual StoreKey last_row() const { return StoreKey(0); }
  // The tables in which a database stores the keys.
  virtual std::shared_ptr<const TableLayout> layout() const {
    return std::make_shared<OneTable>(initial_keys());
  }
};

std::unique_ptr<Workload> make_workload(const GeneratorOptions& options, std::uint64_t seed,
                                        WorkloadClient client = {});

}  // namespace assay
