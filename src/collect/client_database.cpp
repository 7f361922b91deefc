// A database behind a program of the user's, which speaks the protocol of docs/client-protocol.md: one
// process for each session, and one more that makes the tables and removes them.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>

#include "collect/adapters.h"
#include "collect/client_session.h"
#include "collect/temporary_directory.h"

namespace assay {
namespace {

// A client ends its transaction itself when it answers "aborted"; otherwise it is asked to.
class ClientConnection final : public Connection {
 public:
  explicit ClientConnection(std::unique_ptr<ClientSession> session) : session_(std::move(session)) {}

  Reply begin() override {
    open_ = true;
    return after(session_->simple("begin"));
  }
  Reply read(StoreKey key, std::int64_t& value) override { return after(session_->read(key.value, value)); }
  Reply read_list(StoreKey key, std::vector<std::int64_t>& elements) override {
    return after(session_->read_list(key.value, elements));
  }
  Reply write(StoreKey key, std::int64_t value) override {
    return after(session_->change("write", key.value, value));
  }
  Reply append(StoreKey key, std::int64_t element) override {
    return after(session_->change("append", key.value, element));
  }
  Reply ask(const Asked&, RowAnswer&) override { return Reply::Broken; }  // prepare() refuses rows
  Reply commit() override {
    const Reply reply = after(session_->simple("commit"));
    open_ = false;
    return reply;
  }
  Reply rollback() override {
    return std::exchange(open_, false) ? session_->simple("rollback") : Reply::Done;
  }
  std::string problem() const override { return session_->problem(); }

 private:
  Reply after(Reply reply) {
    if (reply == Reply::Aborted) open_ = false;
    return reply;
  }

  std::unique_ptr<ClientSession> session_;
  bool open_ = false;  // a transaction, as far as the client said
};

class ClientDatabase final : public Database {
 public:
  ClientDatabase(std::string command, TemporaryDirectory directory, std::unique_ptr<ClientSession> keeper)
      : command_(std::move(command)), directory_(std::move(directory)), keeper_(std::move(keeper)) {
    for (const std::string& name : keeper_->hello().isolation) names_.push_back(name);
    for (const std::string& name : names_)
      levels_.push_back({.name = name, .statement = name, .claims = keeper_->hello().claims.at(name)});
  }
  ~ClientDatabase() override {
    if (made_) (void)keeper_->simple("teardown");
  }

  std::string version() const override { return keeper_->hello().database; }
  std::span<const DatabaseLevel> levels() const override { return levels_; }

  Result<void> prepare(DataKind data, std::shared_ptr<const TableLayout> layout) override {
    if (layout->rows() != nullptr)
      return error("clients have no rows yet", "a workload on keys, such as general or append");
    const std::string name = data == DataKind::Lists ? "lists" : "registers";
    if (std::ranges::find(keeper_->hello().data, name) == keeper_->hello().data.end())
      return error(fmt::format("the client does not know {}", name), "choose another workload");
    std::size_t keys = 1;
    for (const std::size_t rows : layout->tables()[0].rows) keys *= std::max<std::size_t>(rows, 1);
    made_ = true;
    if (keeper_->setup(name, keys) == Reply::Done) return {};
    return error("the client cannot make its tables: " + keeper_->problem());
  }

  Result<std::unique_ptr<Connection>> connect(const DatabaseLevel& level) override {
    auto session = ClientSession::start(command_, ++sessions_, std::string(level.name), directory_.path());
    if (!session) return std::move(session).error();
    return std::unique_ptr<Connection>(std::make_unique<ClientConnection>(std::move(*session)));
  }

 private:
  const std::string command_;
  const TemporaryDirectory directory_;
  const std::unique_ptr<ClientSession> keeper_;
  std::deque<std::string> names_;
  std::vector<DatabaseLevel> levels_;
  std::atomic<std::size_t> sessions_ = 0;
  bool made_ = false;
};

}  // namespace

Result<std::unique_ptr<Database>> open_client(const std::string& command) {
  auto directory = TemporaryDirectory::create();
  if (!directory) return std::move(directory).error();
  auto keeper = ClientSession::start(command, 0, "", directory->path());
  if (!keeper) return std::move(keeper).error();
  return std::unique_ptr<Database>(
      std::make_unique<ClientDatabase>(command, std::move(*directory), std::move(*keeper)));
}

}  // namespace assay
