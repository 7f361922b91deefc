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
};

class SimulatedConnection final : public Connection {
 public:
  SimulatedConnection(SharedStore& shared, SessionId session, bool sees_own_appends)
      : shared_(shared), session_(session), sees_own_appends_(sees_own_appends) {}

  Reply begin() override {
    writes_.clear();
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
  Reply commit() override {
    bool committed = false;
    step([&](Store& store) { committed = store.commit(session_, writes_, true); });
    return committed ? Reply::Done : Reply::Aborted;
  }
  Reply rollback() override { return Reply::Done; }
  std::string problem() const override { return "the level forbids it"; }

 private:
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
  std::vector<StoreWrite> writes_;
  std::vector<Scalar> seen_;
};

class SimulatedDatabase final : public Database {
 public:
  SimulatedDatabase(Level level, const DatabaseOptions& options)
      : options_(options), level_{id(level), "", level} {}

  std::string version() const override { return fmt::format("the simulated store at {}", level_.name); }
  std::span<const DatabaseLevel> levels() const override { return {&level_, 1}; }

  Result<void> prepare(DataKind data, std::shared_ptr<const TableLayout>) override {
    shared_.connections = 0;
    shared_.store = make_store(*level_.claims, {.sessions = options_.sessions,
                                                .lag = 2 * options_.sessions * (options_.operations + 2),
                                                .lists = data == DataKind::Lists,
                                                .seed = options_.seed});
    return {};
  }

  Result<std::unique_ptr<Connection>> connect(const DatabaseLevel&) override {
    const std::lock_guard guard(shared_.lock);
    ASSAY_REQUIRE(shared_.store != nullptr && shared_.connections < options_.sessions);
    return std::unique_ptr<Connection>(std::make_unique<SimulatedConnection>(
        shared_, SessionId(shared_.connections++), implies(*level_.claims, Level::Psi)));
  }

 private:
  const DatabaseOptions options_;
  const DatabaseLevel level_;
  SharedStore shared_;
};

}  // namespace

Result<std::unique_ptr<Database>> open_simulated(const Url& url, const DatabaseOptions& options) {
  const auto level = find_level(url.path);
  if (!level || std::ranges::find(simulated_levels(), *level) == simulated_levels().end()) {
    std::vector<std::string_view> ids;
    for (const Level known : simulated_levels()) ids.push_back(id(known));
    return error(fmt::format("no store keeps {}", url.path.empty() ? "no level" : url.path),
                 fmt::format("simulated: and one of {}", fmt::join(ids, ", ")));
  }
  return std::unique_ptr<Database>(std::make_unique<SimulatedDatabase>(*level, options));
}

}  // namespace assay
