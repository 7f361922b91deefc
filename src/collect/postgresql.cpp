// PostgreSQL through libpq: `postgresql://USER@HOST:PORT/DATABASE?OPTIONS`, where OPTIONS are libpq's own
// (sslmode, sslrootcert, connect_timeout, host=/socket/directory, ...). Passwords may also come from
// PGPASSWORD or
// ~/.pgpass, as libpq finds them.
//
// Tables live in a schema of our own, dropped at the end. Every statement is prepared, integers travel in
// binary. Sequential scans are off: on a small table the planner prefers them, and at serializable a scan
// reads the whole table, so that nearly everything conflicts. Deadlocks are looked for soon, where the user
// may ask for that: workloads make many, and a second for each leaves a few transactions a second.
#include <endian.h>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "collect/adapters.h"
#include "collect/sql_connection.h"
#include "collect/sql_session.h"
#include "collect/sql_text.h"

namespace assay {
namespace {

constexpr DatabaseLevel kPostgresLevels[] = {
    {"read-committed", "READ COMMITTED", Level::Rc},
    {"repeatable-read", "REPEATABLE READ", Level::Si},
    {"serializable", "SERIALIZABLE", Level::Ser},
    {"read-uncommitted", "READ UNCOMMITTED", Level::Rc},  // PostgreSQL has none: it is read committed
};

constexpr const char* kFindDeadlocksSoon = "SET deadlock_timeout = '20ms'";

constexpr SqlDialect kPostgresDialect{.numbered_parameters = true, .integer = "int8", .text = "text"};

struct ClosePostgresLink {
  void operator()(PGconn* link) const { PQfinish(link); }
};
using PostgresLink = std::unique_ptr<PGconn, ClosePostgresLink>;

struct ClearAnswer {
  void operator()(PGresult* answer) const { PQclear(answer); }
};
using Answer = std::unique_ptr<PGresult, ClearAnswer>;

std::string last_words(PGconn* link) {
  std::string text = link == nullptr ? "out of memory" : PQerrorMessage(link);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

void ignore_notice(void*, const PGresult*) {}

// libpq itself, not the server, says so of a message that nobody waits for.
void notice_of_client(void* out_of_step, const PGresult* notice) {
  if (PQresultErrorField(notice, PG_DIAG_SQLSTATE) == nullptr) *static_cast<bool*>(out_of_step) = true;
}

// What PQconnectdb does, but nothing that the server says meanwhile goes to standard error.
bool finish_connecting(PGconn* link, int timeout) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(timeout);
  if (PQstatus(link) == CONNECTION_BAD) return false;
  for (PostgresPollingStatusType wait = PGRES_POLLING_WRITING; wait != PGRES_POLLING_OK;
       wait = PQconnectPoll(link)) {
    if (wait == PGRES_POLLING_FAILED) return false;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(give_up - std::chrono::steady_clock::now());
    pollfd socket{PQsocket(link), static_cast<short>(wait == PGRES_POLLING_READING ? POLLIN : POLLOUT), 0};
    if (left.count() <= 0 || poll(&socket, 1, static_cast<int>(left.count())) == 0) return false;
  }
  return true;
}

Result<PostgresLink> open_postgres(const Url& url) {
  std::map<std::string, std::string> settings{{"application_name", "assay"},
                                              {"connect_timeout", "10"},
                                              {"tcp_user_timeout", "30000"},
                                              {"host", url.host},
                                              {"port", url.port},
                                              {"user", url.user},
                                              {"password", url.password.reveal()},
                                              {"dbname", url.path.substr(url.path.starts_with('/') ? 1 : 0)}};
  for (const auto& [name, value] : url.options) settings[name] = value;
  for (const auto& [name, value] : url.secret_options) settings[name] = value.reveal();
  std::vector<const char*> names, values;
  for (const auto& [name, value] : settings) {
    if (value.empty()) continue;
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  PostgresLink link(PQconnectStartParams(names.data(), values.data(), 0));
  if (link) PQsetNoticeReceiver(link.get(), ignore_notice, nullptr);
  if (finish_connecting(link.get(), std::atoi(settings["connect_timeout"].c_str()))) return link;
  return error(fmt::format("cannot connect to {}: {}", url.shown, last_words(link.get())),
               "is the server running? --start postgres starts one");
}

Result<void> execute(PGconn* link, const std::string& sql) {
  const Answer answer(PQexec(link, sql.c_str()));
  const ExecStatusType status = PQresultStatus(answer.get());
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return {};
  return error(fmt::format("PostgreSQL: {}", last_words(link)));
}

// COMMIT of a transaction that has failed succeeds, and rolls back.
bool committed(PGresult* commit) { return std::string_view(PQcmdStatus(commit)) == "COMMIT"; }
// SELECT of "SELECT 3".
std::string_view verb_of(PGresult* answer) {
  const std::string_view done = PQcmdStatus(answer);
  return done.substr(0, done.find(' '));
}
constexpr std::string_view kHadFailed = "the transaction had failed";

class PostgresConnection final : public SqlConnection {
 public:
  PostgresConnection(PostgresLink link, std::shared_ptr<const SqlText> sql, const Treatments& treatments)
      : SqlConnection(std::move(sql)), link_(std::move(link)), treatments_(treatments) {
    PQsetNoticeReceiver(link_.get(), notice_of_client, &out_of_step_);
  }

  Result<void> prepare(const DatabaseLevel& level) {
    ASSAY_TRY(execute(
        link_.get(),
        fmt::format("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL {}", level.statement)));
    ASSAY_TRY(execute(link_.get(),
                      "SET enable_seqscan = off; SET lock_timeout = '2s'; SET statement_timeout = '30s'"));
    (void)execute(link_.get(), kFindDeadlocksSoon);  // slowness() says when it is refused
    ASSAY_TRY(prepare(begin_, "begin", "BEGIN"));
    ASSAY_TRY(prepare(commit_, "commit", "COMMIT"));
    ASSAY_TRY(prepare(rollback_, "rollback", "ROLLBACK"));
    for (const SqlColumn& column : sql_->columns()) {
      const std::size_t number = columns_.size();
      Column& made = columns_.emplace_back();
      ASSAY_TRY(prepare(made.read, fmt::format("read{}", number), sql_->read(column)));
      if (sql_->data() == DataKind::Lists) {
        ASSAY_TRY(prepare(made.put, fmt::format("put{}", number),
                          sql_->upsert(column, "$1::int8::text", "{0} || ',' || {1}")));
      } else {
        ASSAY_TRY(prepare(made.update, fmt::format("update{}", number), sql_->update(column)));
        ASSAY_TRY(prepare(made.put, fmt::format("put{}", number), sql_->upsert(column, "$1", "{1}")));
      }
    }
    for (const std::string& sql : sql_->row_statements()) {
      PostgresStatement& made = on_rows_.emplace_back();
      if (!sql.empty()) ASSAY_TRY(prepare(made, fmt::format("rows{}", on_rows_.size()), sql));
    }
    return {};
  }

  Reply begin() override { return run(begin_); }
  Reply read(StoreKey key, std::int64_t& value) override {
    value = 0;
    const Reply reply = query(key);
    if (reply == Reply::Done && PQntuples(answer_.get()) == 1) value = integer(0, 0);
    return reply;
  }
  Reply read_list(StoreKey key, std::vector<std::int64_t>& elements) override {
    const Reply reply = query(key);
    if (reply == Reply::Done && PQntuples(answer_.get()) == 1)
      parse_list(
          {PQgetvalue(answer_.get(), 0, 0), static_cast<std::size_t>(PQgetlength(answer_.get(), 0, 0))},
          elements);
    return reply;
  }
  Reply write(StoreKey key, std::int64_t value) override {
    const Cell cell = sql_->layout().cell(key);
    const Reply reply = run_bound(columns_[cell.column].update, cell, value);
    const bool no_row = reply == Reply::Done && std::string_view(PQcmdTuples(answer_.get())) == "0";
    return no_row ? run_bound(columns_[cell.column].put, cell, value) : reply;
  }
  Reply append(StoreKey key, std::int64_t element) override {
    const Cell cell = sql_->layout().cell(key);
    return run_bound(columns_[cell.column].put, cell, element);
  }
  Reply commit() override {
    const Reply reply = run(commit_, PQTRANS_IDLE);
    if (reply != Reply::Lost || PQtransactionStatus(link_.get()) != PQTRANS_IDLE ||
        verb_of(answer_.get()) != rollback_.verb)
      return reply;
    problem_ = kHadFailed;
    return Reply::Aborted;
  }
  Reply rollback() override { return run(rollback_, PQTRANS_IDLE); }
  bool cut() override { return shutdown(PQsocket(link_.get()), SHUT_RD) == 0; }
  std::string problem() const override { return problem_; }

 private:
  struct PostgresStatement {
    std::string name, verb;  // SELECT
    bool returns_rows = false;
  };
  // The statements of one column.
  struct Column {
    PostgresStatement read, update, put;
  };

  Result<void> prepare(PostgresStatement& statement, const std::string& name, const std::string& sql) {
    statement = {name, sql.substr(0, sql.find(' ')),
                 sql.starts_with("SELECT") || sql.find("RETURNING") != std::string::npos};
    const Answer answer(PQprepare(link_.get(), name.c_str(), sql.c_str(), 0, nullptr));
    if (PQresultStatus(answer.get()) == PGRES_COMMAND_OK) return {};
    return error(fmt::format("PostgreSQL: {}", last_words(link_.get())));
  }

  std::int64_t integer(int row, int column) const {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, PQgetvalue(answer_.get(), row, column), sizeof bytes);
    return static_cast<std::int64_t>(be64toh(bytes));
  }

  Reply run_on_rows(std::size_t number, std::span<const std::int64_t> parameters,
                    SqlAnswer& answer) override {
    const Reply reply = run(on_rows_[number], PQTRANS_INTRANS, parameters);
    if (reply != Reply::Done) return reply;
    for (int row = 0; row < PQntuples(answer_.get()); ++row)
      for (int column = 0; column < PQnfields(answer_.get()); ++column)
        answer.values.push_back(integer(row, column));
    answer.changed = std::strtoull(PQcmdTuples(answer_.get()), nullptr, 10);
    return reply;
  }

  Reply query(StoreKey key) {
    const Cell cell = sql_->layout().cell(key);
    const Reply reply = run_bound(columns_[cell.column].read, cell, std::nullopt);
    if (reply != Reply::Done || PQntuples(answer_.get()) <= 1) return reply;
    problem_ = several_rows(static_cast<std::size_t>(PQntuples(answer_.get())));
    return Reply::Broken;
  }

  Reply run_bound(const PostgresStatement& statement, const Cell& cell, std::optional<std::int64_t> value) {
    std::array<std::int64_t, kMostKeyColumns + 1> parameters;
    std::size_t count = 0;
    if (value) parameters[count++] = *value;
    for (std::size_t i = 0; i < sql_->columns()[cell.column].of.key.size(); ++i)
      parameters[count++] = cell.row[i];
    return run(statement, PQTRANS_INTRANS, {parameters.data(), count});
  }

  // The server says what it did, how many rows it sent, and whether a transaction is open now. An answer in
  // which that does not fit the statement is the answer to something else, or not all of it.
  bool fits(const PostgresStatement& statement, PGTransactionStatusType then) const {
    const std::string_view count = PQcmdTuples(answer_.get());
    return !out_of_step_ && PQtransactionStatus(link_.get()) == then &&
           verb_of(answer_.get()) == statement.verb &&
           statement.returns_rows == (PQresultStatus(answer_.get()) == PGRES_TUPLES_OK) &&
           (!statement.returns_rows || count == std::to_string(PQntuples(answer_.get())));
  }

  Reply run(const PostgresStatement& statement, PGTransactionStatusType then = PQTRANS_INTRANS,
            std::span<const std::int64_t> parameters = {}) {
    constexpr std::size_t kMost = kMostKeyColumns + 1;
    std::array<std::uint64_t, kMost> bytes{};
    const char* values[kMost] = {};
    constexpr int lengths[kMost] = {8, 8, 8, 8, 8}, binary[kMost] = {1, 1, 1, 1, 1};
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      bytes[i] = htobe64(static_cast<std::uint64_t>(parameters[i]));
      values[i] = reinterpret_cast<const char*>(&bytes[i]);
    }
    answer_.reset(PQexecPrepared(link_.get(), statement.name.c_str(), static_cast<int>(parameters.size()),
                                 values, lengths, binary, 1));
    const ExecStatusType status = PQresultStatus(answer_.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
      if (fits(statement, then)) return Reply::Done;
      problem_ = "the server answered something else than what it was asked";
      return Reply::Lost;
    }
    problem_ = last_words(link_.get());
    const char* state = PQresultErrorField(answer_.get(), PG_DIAG_SQLSTATE);
    if (PQstatus(link_.get()) != CONNECTION_OK || state == nullptr) return Reply::Lost;
    return treated(treatments_, state, classify_sqlstate(state));
  }

  PostgresLink link_;
  const Treatments& treatments_;
  bool out_of_step_ = false;  // a message came that nobody had asked for
  PostgresStatement begin_, commit_, rollback_;
  std::vector<Column> columns_;
  std::vector<PostgresStatement> on_rows_;
  Answer answer_;  // to the last statement
  std::string problem_;
};

class PostgresDatabase final : public Database {
 public:
  PostgresDatabase(Url url, PostgresLink link, Treatments treatments)
      : url_(std::move(url)), treatments_(std::move(treatments)), link_(std::move(link)) {}
  ~PostgresDatabase() override {
    if (!made_ || execute(link_.get(), drop())) return;
    PQreset(link_.get());  // the server may have been restarted
    (void)execute(link_.get(), drop());
  }

  std::string version() const override {
    return fmt::format("PostgreSQL {}.{}", version_ / 10000, version_ % 10000);
  }
  std::span<const DatabaseLevel> levels() const override { return kPostgresLevels; }

  Result<void> prepare(DataKind data, std::shared_ptr<const TableLayout> layout) override {
    if (!execute(link_.get(), "SELECT 1")) PQreset(link_.get());
    finds_deadlocks_soon_ = execute(link_.get(), kFindDeadlocksSoon).has_value();
    if (made_) ASSAY_TRY(execute(link_.get(), drop()));
    ASSAY_TRY(execute(link_.get(), "CREATE SCHEMA " + schema_));
    made_ = true;
    sql_ = std::make_shared<SqlText>(kPostgresDialect, schema_ + ".", data, std::move(layout));
    ASSAY_TRY(execute(link_.get(), "BEGIN"));
    ASSAY_TRY(sql_->create([this](const std::string& sql) { return execute(link_.get(), sql); }));
    ASSAY_TRY(execute(link_.get(), "COMMIT"));
    for (const Table& table : sql_->layout().tables())
      ASSAY_TRY(execute(link_.get(), fmt::format("VACUUM ANALYZE {}.{}", schema_, table.name)));
    return {};
  }

  std::string slowness() const override {
    if (finds_deadlocks_soon_) return {};
    return "PostgreSQL looks for a deadlock only after deadlock_timeout, a second by default, and this user "
           "may not "
           "set it (GRANT SET ON PARAMETER deadlock_timeout TO the user)";
  }

  Result<std::vector<std::string>> remove_leftovers() override {
    const Answer names(PQexec(link_.get(), "SELECT nspname FROM pg_namespace ORDER BY nspname"));
    if (PQresultStatus(names.get()) != PGRES_TUPLES_OK)
      return error(fmt::format("PostgreSQL: {}", last_words(link_.get())));
    std::vector<std::string> removed;
    for (int row = 0; row < PQntuples(names.get()); ++row) {
      const std::string name = PQgetvalue(names.get(), row, 0);
      if (!is_unused_name(name)) continue;
      ASSAY_TRY(execute(link_.get(), fmt::format("DROP SCHEMA {} CASCADE", name)));
      removed.push_back(name);
    }
    return removed;
  }

  Result<std::unique_ptr<Connection>> connect(const DatabaseLevel& level) override {
    auto link = open_postgres(url_);
    if (!link) return std::move(link).error();
    auto connection = std::make_unique<PostgresConnection>(std::move(*link), sql_, treatments_);
    ASSAY_TRY(connection->prepare(level));
    return std::unique_ptr<Connection>(std::move(connection));
  }

 private:
  std::string drop() const { return fmt::format("DROP SCHEMA IF EXISTS {} CASCADE", schema_); }

  const Url url_;
  const Treatments treatments_;
  const std::string schema_ = unused_name();
  bool finds_deadlocks_soon_ = true;
  bool made_ = false;                   // the schema; another of this name would be the user's
  std::shared_ptr<const SqlText> sql_;  // since prepare()
  PostgresLink link_;
  const int version_ = PQserverVersion(link_.get());  // a lost link forgets it
};

class PostgresSession final : public SqlSession {
 public:
  explicit PostgresSession(PostgresLink link) : link_(std::move(link)) {}

  Reply run(const std::string& sql, std::vector<SqlRow>& rows) override {
    return take(PQexec(link_.get(), sql.c_str()), sql == "COMMIT", rows);
  }
  Reply run(const std::string& sql, std::span<const SqlParameter> parameters,
            std::vector<SqlRow>& rows) override {
    std::vector<Oid> types;
    std::vector<const char*> values;
    for (const SqlParameter& parameter : parameters) {
      types.push_back(parameter.type);
      values.push_back(parameter.value ? parameter.value->c_str() : nullptr);
    }
    return take(PQexecParams(link_.get(), sql.c_str(), static_cast<int>(parameters.size()), types.data(),
                             values.data(), nullptr, nullptr, 0),
                false, rows);
  }
  std::vector<SqlResultColumn> columns() const override {
    std::vector<SqlResultColumn> all;
    for (int column = 0; column < PQnfields(answer_.get()); ++column)
      all.push_back({PQfname(answer_.get(), column), PQftype(answer_.get(), column)});
    return all;
  }
  void on_notice(std::function<void(std::string_view, std::string_view)> heard) override {
    heard_ = std::move(heard);
    PQsetNoticeReceiver(link_.get(), &PostgresSession::hear, this);
  }
  std::size_t count() const override {
    return static_cast<std::size_t>(std::strtoull(PQcmdTuples(answer_.get()), nullptr, 10));
  }
  std::string problem() const override { return problem_; }
  std::string state() const override { return state_; }
  std::string version() const override {
    const int number = PQserverVersion(link_.get());
    return fmt::format("PostgreSQL {}.{}", number / 10000, number % 10000);
  }

 private:
  static void hear(void* session, const PGresult* notice) {
    const auto& heard = static_cast<PostgresSession*>(session)->heard_;
    const char *state = PQresultErrorField(notice, PG_DIAG_SQLSTATE),
               *text = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
    if (heard) heard(state == nullptr ? "" : state, text == nullptr ? "" : text);
  }

  Reply take(PGresult* answer, bool commits, std::vector<SqlRow>& rows) {
    rows.clear();
    answer_.reset(answer);
    const ExecStatusType status = PQresultStatus(answer_.get());
    if (status == PGRES_COMMAND_OK && commits && !committed(answer_.get())) {
      problem_ = kHadFailed;
      state_ = "25P02";
      return Reply::Aborted;
    }
    if (status == PGRES_COMMAND_OK) return Reply::Done;
    if (status != PGRES_TUPLES_OK) {
      problem_ = last_words(link_.get());
      const char* state = PQresultErrorField(answer_.get(), PG_DIAG_SQLSTATE);
      state_ = state == nullptr ? "" : state;
      if (PQstatus(link_.get()) != CONNECTION_OK || state == nullptr) return Reply::Lost;
      return classify_sqlstate(state);
    }
    for (int row = 0; row < PQntuples(answer_.get()); ++row) {
      SqlRow& values = rows.emplace_back();
      for (int column = 0; column < PQnfields(answer_.get()); ++column)
        values.push_back(PQgetisnull(answer_.get(), row, column)
                             ? std::nullopt
                             : std::optional<std::string>(PQgetvalue(answer_.get(), row, column)));
    }
    return Reply::Done;
  }

  PostgresLink link_;
  Answer answer_;
  std::string problem_, state_;
  std::function<void(std::string_view, std::string_view)> heard_;
};

}  // namespace

Result<std::unique_ptr<SqlSession>> open_sql_session(const Url& url) {
  if (url.scheme != "postgresql" && url.scheme != "postgres")
    return error(fmt::format("{} is no PostgreSQL database", url.shown), "postgresql://USER@HOST/DATABASE");
  auto link = open_postgres(url);
  if (!link) return std::move(link).error();
  return std::unique_ptr<SqlSession>(std::make_unique<PostgresSession>(std::move(*link)));
}

Reply classify_sqlstate(std::string_view state) {
  for (const std::string_view aborted : {"40001",   // serialization failure
                                         "40P01",   // deadlock
                                         "40002",   // integrity at commit
                                         "55P03",   // lock timeout
                                         "57014",   // statement timeout or cancel
                                         "25P02",   // the transaction had failed before
                                         "23505"})  // two inserted the same key
    if (state == aborted) return Reply::Aborted;
  // The connection, the server that goes away or comes back, an outcome that the server does not know.
  for (const std::string_view lost : {"08", "57P", "40003", "25P03", "25P04"})
    if (state.starts_with(lost)) return Reply::Lost;
  return Reply::Broken;
}

Result<std::unique_ptr<Database>> open_postgresql(const Url& url, const DatabaseOptions& options) {
  auto link = open_postgres(url);
  if (!link) return std::move(link).error();
  return std::unique_ptr<Database>(
      std::make_unique<PostgresDatabase>(url, std::move(*link), options.treatments));
}

}  // namespace assay
