// V-Range: inserts, deletes, reads, writes and range queries on a table of rows. All operations of a
// transaction are of the same kind, or each has its own.
//
// Half of the inserts add a key after the last one; the others restore a deleted key. If clients draw their
// own transactions, each adds keys of its own, but may delete those of others. Deletes, reads and writes use
// any key so far. A range query begins at any key and covers at most kWidestRange keys: without a bound, the
// rows that ranges return would grow with the square of the history.
#include <algorithm>

#include "simulate/row_workloads.h"

namespace assay {
namespace {

constexpr std::size_t kWidestRange = 100;

class Ranges final : public RowWorkload {
 public:
  Ranges(const GeneratorOptions& options, std::uint64_t seed, WorkloadClient client)
      : RowWorkload(options, seed, client), last_(kFirstRow + options.keys - 1) {}

  Plan next_transaction() override {
    Plan plan{.operations = options_.operations, .steps = {}};
    Kind kind = some_kind();
    for (std::size_t i = 0; i < plan.operations; ++i) {
      if (i > 0 && options_.mix == Mix::Mixed) kind = some_kind();
      switch (kind) {
        case Kind::Insert: add(plan, true, RowAction::Insert, key_to_insert()); break;
        case Kind::Delete: add(plan, true, RowAction::Delete, key_to_delete()); break;
        case Kind::Read: add(plan, false, RowAction::None, some_key()); break;
        case Kind::Write: add(plan, true, RowAction::None, some_key()); break;
        case Kind::Scan: add(plan, false, RowAction::Scan, some_key()); break;
      }
    }
    return plan;
  }

  std::int64_t next_value(StoreKey) override { return static_cast<std::int64_t>(1 + next_number()); }

 private:
  enum class Kind : std::uint8_t { Insert, Delete, Read, Write, Scan };

  Kind some_kind() {
    const RangeMix& mix = options_.range_mix;
    double draw = random_.unit();
    if ((draw -= mix.inserts) < 0) return Kind::Insert;
    if ((draw -= mix.deletes) < 0) return Kind::Delete;
    if ((draw -= mix.reads) < 0) return Kind::Read;
    return draw < mix.writes ? Kind::Write : Kind::Scan;
  }

  std::int64_t initial_row(std::size_t) const override { return 0; }

  void add(Plan& plan, bool write, RowAction action, StoreKey key) {
    Asked asked{.write = write, .key = key, .action = action};
    if (write) asked.value = next_value(key);
    if (action == RowAction::Scan)
      asked.last = StoreKey(std::min(last_.index(), key.index() + random_.below(kWidestRange)));
    plan.steps.push_back({.asked = asked});
  }

  StoreKey some_key() { return StoreKey(kFirstRow + random_.below(last_.index() - kFirstRow + 1)); }

  StoreKey key_to_insert() {
    if (deleted_.empty() || random_.chance(0.5)) return last_ = new_row();
    std::swap(deleted_[random_.below(deleted_.size())], deleted_.back());
    const StoreKey key = deleted_.back();
    deleted_.pop_back();
    return key;
  }

  StoreKey new_row() { return StoreKey(kFirstRow + options_.keys + added_++ * client_.of + client_.number); }

  StoreKey key_to_delete() { return deleted_.emplace_back(some_key()); }

  StoreKey last_;
  std::size_t added_ = 0;
  std::vector<StoreKey> deleted_;
};

}  // namespace

std::unique_ptr<Workload> make_ranges(const GeneratorOptions& options, std::uint64_t seed,
                                      WorkloadClient client) {
  return std::make_unique<Ranges>(options, seed, client);
}

}  // namespace assay
