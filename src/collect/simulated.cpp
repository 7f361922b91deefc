// The simulated store as a database: `simulated:si` keeps si and nothing stronger.
//
// The store is one machine that runs one step at a time, so a lock stands in front of it. Writes wait in the
// connection until commit, as the store wants them. Below psi others may append between an append and its
// commit, so a list cannot be read after an own append: the transaction is refused.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>

#include "collect/adapters.h"

namespace assay {
namespace {

struct SharedStore {
  std::mutex lock;
  std::unique_ptr<Store> store;
  std::size_t connections = 0;
  std::size_t row_keys = 0;  // no key from here on has ever had a row
};

class SimulatedConnection final : public Connection {
 public:
  SimulatedConnection(SharedStore& shared, SessionId session, bool sees_own_appends)
      : shared_(shared), session_(session), sees_own_appends_(sees_own_appends) {}

  Reply begin() override {
    writes_.clear();
    asked_before_ = false;
    return step([&](Store& store) { store.begin(session_); });
  }
  Reply read(StoreKey key, std::int64_t& value) override {
    const auto own = std::ranges::find(writes_, key, &StoreWrite::key);
    if (own != writes_.end()) {
      value = own->value;
      return Reply::Done;
    }
    return step([&](Store& store) { value = store.read(session_, key); });
  }
  Reply write(StoreKey key, std::int64_t value) override {
    const auto own = std::ranges::find(writes_, key, &StoreWrite::key);
    if (own != writes_.end()) own->value = value;
    else writes_.push_back({key, value});
    return Reply::Done;
  }
  Reply read_list(StoreKey key, std::vector<std::int64_t>& elements) override {
    const bool appended = std::ranges::find(writes_, key, &StoreWrite::key) != writes_.end();
    if (appended && !sees_own_appends_) return Reply::Aborted;
    seen_.clear();
    step([&](Store& store) { store.read_list(session_, key, seen_); });
    for (const Scalar element : seen_) elements.push_back(element.as_integer());
    for (const StoreWrite& own : writes_)
      if (own.key == key) elements.push_back(own.value);
    return Reply::Done;
  }
  Reply append(StoreKey key, std::int64_t element) override {
    writes_.push_back({key, element});
    return Reply::Done;
  }
  Reply ask(const Asked& asked, RowAnswer& answer) override {
    // The snapshot of a transaction that begins with an update is a new one: the rows that it finds are those
    // of others, too.
    if (!std::exchange(asked_before_, true) && asked.action == RowAction::Update)
      step([&](Store& store) { store.begin(session_, Freshness::NewestIfConflictsAbort); });
    if (asked.action == RowAction::None && asked.write) return write(asked.key, asked.value);
    const bool by_predicate = asked.action == RowAction::Select || asked.action == RowAction::Update;
    const StoreKey first = by_predicate ? StoreKey(0) : asked.key;
    look_at(first, by_predicate ? last_row() : asked.action == RowAction::Scan ? asked.last : asked.key);
    answer.met_a_row = rows_.front() != kNoRow;
    if (asked.action == RowAction::Insert)
      return answer.met_a_row ? Reply::Done : write(asked.key, asked.value);
    if (asked.action == RowAction::Delete) return answer.met_a_row ? write(asked.key, kNoRow) : Reply::Done;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (by_predicate ? !asked.filter.matches(rows_[i]) : rows_[i] == kNoRow) continue;
      const StoreKey key(first.index() + i);
      const std::int64_t row = asked.action == RowAction::Update
                                   ? updated_row(key, rows_[i], asked.filter, asked.value)
                                   : rows_[i];
      if (asked.action == RowAction::Update) write(key, row);
      answer.rows.push_back({key, row});
    }
    return Reply::Done;
  }
  Reply commit() override {
    bool committed = false;
    step([&](Store& store) {
      committed = store.commit(session_, writes_, true);
      for (const StoreWrite& own : writes_)
        shared_.row_keys = std::max(shared_.row_keys, own.key.index() + 1);
    });
    return committed ? Reply::Done : Reply::Aborted;
  }
  Reply rollback() override { return Reply::Done; }
  std::string problem() const override { return "the level forbids it"; }

 private:
  // What the transaction sees of these keys: its own writes, or what the store shows.
  void look_at(StoreKey first, StoreKey last) {
    rows_.clear();
    step([&](Store& store) { store.read_rows(session_, first, last, rows_); });
    for (const StoreWrite& own : writes_)
      if (first <= own.key && own.key <= last) rows_[own.key.index() - first.index()] = own.value;
  }

  StoreKey last_row() {
    std::size_t keys = 1;
    for (const StoreWrite& own : writes_) keys = std::max(keys, own.key.index() + 1);
    step([&](Store&) { keys = std::max(keys, shared_.row_keys); });
    return StoreKey(keys - 1);
  }

  template <class Step>
  Reply step(Step what) {
    const std::lock_guard guard(shared_.lock);
    what(*shared_.store);
    shared_.store->tick();
    return Reply::Done;
  }

  SharedStore& shared_;
  const SessionId session_;
  const bool sees_own_appends_;
  bool asked_before_ = false;  // in this transaction
  std::vector<StoreWrite> writes_;
  std::vector<Scalar> seen_;
  std::vector<std::int64_t> rows_;  // of consecutive keys
};

class SimulatedDatabase final : public Database {
 public:
  SimulatedDatabase(Level level, const DatabaseOptions& options)
      : options_(options), level_{id(level), "", level} {}

  std::string version() const override { return fmt::format("the simulated store at {}", level_.name); }
  std::span<const DatabaseLevel> levels() const override { return {&level_, 1}; }

  Result<void> prepare(DataKind data, std::shared_ptr<const TableLayout> layout) override {
    const RowTable* const rows = layout->rows();
    std::vector<std::int64_t> initial;
    if (rows != nullptr) initial.assign(rows->initial().begin(), rows->initial().end());
    shared_.connections = 0;
    shared_.row_keys = initial.size();
    shared_.store = make_store(*level_.claims, {.sessions = options_.sessions,
                                                .lag = 2 * options_.sessions * (options_.operations + 2),
                                                .lists = data == DataKind::Lists,
                                                .initial = std::move(initial),
                                                .otherwise = rows != nullptr ? kNoRow : 0,
                                                .seed = options_.seed});
    return {};
  }

  Result<std::unique_ptr<Connection>> connect(const DatabaseLevel&) override {
    const std::lock_guard guard(shared_.lock);
    ASSAY_REQUIRE(shared_.store != nullptr && shared_.connections < options_.sessions);
    return std::unique_ptr<Connection>(std::make_unique<SimulatedConnection>(
        shared_, SessionId(shared_.connections++), rules_out(Anomaly::LostUpdate, *level_.claims)));
  }

 private:
  const DatabaseOptions options_;
  const DatabaseLevel level_;
  SharedStore shared_;
};

}  // namespace

Result<std::unique_ptr<Database>> open_simulated(const Url& url, const DatabaseOptions& options) {
  const auto named = find_level(url.path);
  const auto level = named ? simulated_for(*named) : std::nullopt;
  if (!level) {
    std::vector<std::string_view> ids;
    for (const Level known : simulated_levels()) ids.push_back(id(known));
    return error(fmt::format("no store keeps {}", url.path.empty() ? "no level" : url.path),
                 fmt::format("simulated: and one of {}", fmt::join(ids, ", ")));
  }
  return std::unique_ptr<Database>(std::make_unique<SimulatedDatabase>(*level, options));
}

}  // namespace assay
