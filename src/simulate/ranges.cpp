// V-Range: rows come and go, and ranges of keys are read; all operations of a transaction are of one kind.
//
// Half of the inserts add a key behind the last one, the others bring back one that was deleted. Deletes,
// reads and writes go to any key so far. A range query begins at any key and covers up to kWidestRange of
// them: without a bound, what ranges return would grow with the square of the history.
#include <algorithm>

#include "simulate/row_workloads.h"

namespace assay {
namespace {

constexpr std::size_t kWidestRange = 100;

class Ranges final : public Workload {
 public:
  Ranges(const GeneratorOptions& options, std::uint64_t seed, WorkloadClient client)
      : options_(options), client_(client), random_(seed), last_(kFirstRow + options.keys - 1) {}

  Plan next_transaction() override {
    enum : std::size_t { kInsert, kDelete, kRead, kWrite, kScan };
    const RangeMix& mix = options_.range_mix;
    std::size_t kind = kScan;
    double draw = random_.unit();
    for (const auto& [fraction, other] : {std::pair(mix.inserts, kInsert),
                                          {mix.deletes, kDelete},
                                          {mix.reads, kRead},
                                          {mix.writes, kWrite}}) {
      if (draw < fraction && kind == kScan) kind = other;
      draw -= fraction;
    }
    Plan plan{.operations = options_.operations, .steps = {}};
    for (std::size_t i = 0; i < plan.operations; ++i) {
      switch (kind) {
        case kInsert: add(plan, true, RowAction::Insert, key_to_insert()); break;
        case kDelete: add(plan, true, RowAction::Delete, key_to_delete()); break;
        case kRead: add(plan, false, RowAction::None, some_key()); break;
        case kWrite: add(plan, true, RowAction::None, some_key()); break;
        default: add(plan, false, RowAction::Scan, some_key());
      }
    }
    return plan;
  }

  std::optional<Asked> next_operation(const Plan& plan, std::span<const Asked> before) override {
    return plan.steps[before.size()].asked;
  }

  std::int64_t next_value(StoreKey) override {
    return static_cast<std::int64_t>(1 + given_++ * client_.of + client_.number);
  }

  StoreKey new_key() override { return StoreKey(planted_++); }
  std::size_t initial_keys() const override { return kFirstRow + options_.keys; }

  std::vector<std::int64_t> initial_rows() const override {
    std::vector<std::int64_t> rows(kFirstRow, kNoRow);
    rows.resize(initial_keys(), 0);
    return rows;
  }

 private:
  void add(Plan& plan, bool write, RowAction action, StoreKey key) {
    Asked asked{.write = write, .key = key, .action = action};
    if (write) asked.value = next_value(key);
    if (action == RowAction::Scan)
      asked.last = StoreKey(std::min(last_.index(), key.index() + random_.below(kWidestRange)));
    plan.steps.push_back({.asked = asked});
  }

  StoreKey some_key() { return StoreKey(kFirstRow + random_.below(last_.index() - kFirstRow + 1)); }

  StoreKey key_to_insert() {
    if (deleted_.empty() || random_.chance(0.5)) return last_ = StoreKey(last_.index() + 1);
    std::swap(deleted_[random_.below(deleted_.size())], deleted_.back());
    const StoreKey key = deleted_.back();
    deleted_.pop_back();
    return key;
  }

  StoreKey key_to_delete() { return deleted_.emplace_back(some_key()); }

  const GeneratorOptions& options_;
  const WorkloadClient client_;
  Random random_;
  StoreKey last_;
  std::vector<StoreKey> deleted_;
  std::uint64_t given_ = 0, planted_ = 0;
};

}  // namespace

std::unique_ptr<Workload> make_ranges(const GeneratorOptions& options, std::uint64_t seed,
                                      WorkloadClient client) {
  return std::make_unique<Ranges>(options, seed, client);
}

}  // namespace assay
