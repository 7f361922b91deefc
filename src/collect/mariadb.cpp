// MariaDB and MySQL through libmariadb: `mariadb://USER@HOST:PORT/?OPTIONS` with OPTIONS socket=FILE, ssl=1,
// ssl-ca=FILE, connect-timeout=SECONDS, read-timeout=SECONDS. A password may also come from MYSQL_PWD.
//
// Tables live in a database of our own, dropped at the end. Statements with parameters are prepared. Rows
// that an update *found* are counted, not those it changed, to tell a missing row from one that had the value
// already.
//
// The server sends rows while it still looks for more, so an error (a deadlock on a later row, a
// certification failure in a Galera cluster) may follow rows that came. Every result is therefore read to its
// end, and its last packet counts. libmariadb discards the rest of a result that is freed early, with the
// error in it.
//
// Every answer says whether a transaction is open. Where that does not fit what was asked, either the server
// has ended the transaction by itself, or this is the answer to something else.
#include <fmt/format.h>
#include <mysql.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "collect/adapters.h"
#include "collect/sql_connection.h"

namespace assay {
namespace {

// `snapshot` is repeatable read that refuses to write over what it does not see (since 10.11.8).
constexpr DatabaseLevel kMariadbLevels[] = {
    {"repeatable-read", "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", Level::Si},
    {"read-committed", "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", Level::Rc},
    {"serializable", "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE", Level::Ser},
    {"snapshot", "SET SESSION tx_isolation = 'REPEATABLE-READ', SESSION innodb_snapshot_isolation = ON",
     Level::Si},
    {"read-uncommitted", "SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED", std::nullopt},
};
constexpr SqlDialect kMariadbDialect{.on_duplicate_key = true,
                                     .returning = false,
                                     .integer = "BIGINT",
                                     .text = "TEXT",
                                     .after_table = " ENGINE=InnoDB"};
constexpr std::size_t kLongestList = 1 << 16;  // bytes of a TEXT
constexpr unsigned kDuplicateKey = 1062;

struct CloseMariadbLink {
  void operator()(MYSQL* link) const { mysql_close(link); }
};
using MariadbLink = std::unique_ptr<MYSQL, CloseMariadbLink>;

struct CloseStatement {
  void operator()(MYSQL_STMT* statement) const { mysql_stmt_close(statement); }
};
using MariadbStatement = std::unique_ptr<MYSQL_STMT, CloseStatement>;

struct FreeRows {
  void operator()(MYSQL_RES* rows) const { mysql_free_result(rows); }
};
using Rows = std::unique_ptr<MYSQL_RES, FreeRows>;

// Errors of a COMMIT that leave nothing of the transaction. A COMMIT that was interrupted or timed out may
// have happened.
bool rolls_back_at_commit(unsigned code) { return code == 1213 || code == 1020 || code == 1614; }

unsigned number(const std::string& text, unsigned otherwise) {
  unsigned result = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

Result<MariadbLink> open_mariadb(const Url& url) {
  MariadbLink link(mysql_init(nullptr));
  const unsigned connect_timeout = number(url.option("connect-timeout"), 10),
                 read_timeout = number(url.option("read-timeout"), 30);
  mysql_options(link.get(), MYSQL_OPT_CONNECT_TIMEOUT, &connect_timeout);
  mysql_options(link.get(), MYSQL_OPT_READ_TIMEOUT, &read_timeout);
  mysql_options(link.get(), MYSQL_OPT_WRITE_TIMEOUT, &read_timeout);
  if (url.option("ssl") == "1") {
    const my_bool on = 1;
    mysql_options(link.get(), MYSQL_OPT_SSL_ENFORCE, &on);
  }
  const std::string authority = url.option("ssl-ca"), socket = url.option("socket");
  if (!authority.empty()) mysql_ssl_set(link.get(), nullptr, nullptr, authority.c_str(), nullptr, nullptr);
  if (mysql_real_connect(link.get(), or_null(url.host), or_null(url.user), or_null(url.password.reveal()),
                         nullptr, number(url.port, 0), or_null(socket), CLIENT_FOUND_ROWS) == nullptr)
    return error(fmt::format("cannot connect to {}: {}", url.shown, mysql_error(link.get())),
                 "is the server running? --start mariadb starts one");
  return link;
}

// Reads what the statement returns to its end; false: the link knows the error.
bool run_to_the_end(MYSQL* link, std::string_view sql) {
  if (mysql_real_query(link, sql.data(), sql.size()) != 0) return false;
  const Rows rows(mysql_store_result(link));
  return mysql_errno(link) == 0;
}

Result<void> execute(MYSQL* link, const std::string& sql) {
  if (run_to_the_end(link, sql)) return {};
  return error(fmt::format("MariaDB: {}", mysql_error(link)));
}

// What the last packet of the server said.
bool in_transaction(MYSQL* link) {
  unsigned status = 0;
  mariadb_get_infov(link, MARIADB_CONNECTION_SERVER_STATUS, &status);
  return (status & SERVER_STATUS_IN_TRANS) != 0;
}

MYSQL_BIND integer(std::int64_t& value) {
  MYSQL_BIND bind{};
  bind.buffer_type = MYSQL_TYPE_LONGLONG;
  bind.buffer = &value;
  return bind;
}

class MariadbConnection final : public SqlConnection {
 public:
  MariadbConnection(MariadbLink link, std::shared_ptr<const SqlText> sql, const Treatments& treatments)
      : SqlConnection(std::move(sql)), link_(std::move(link)), treatments_(treatments), text_(kLongestList) {}

  Result<void> prepare(const DatabaseLevel& level) {
    ASSAY_TRY(execute(link_.get(), std::string(level.statement)));
    ASSAY_TRY(execute(link_.get(), "SET SESSION innodb_lock_wait_timeout = 2"));
    // A list that grows too long is an error. A server that is not strict would cut it off.
    ASSAY_TRY(execute(link_.get(), "SET SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')"));
    for (const SqlColumn& column : sql_->columns()) {
      Column& made = columns_.emplace_back();
      ASSAY_TRY(prepare(made.read, sql_->read(column)));
      ASSAY_TRY(prepare(made.update, sql_->update(column)));
      ASSAY_TRY(prepare(
          made.put,
          sql_->upsert(column, "?", sql_->data() == DataKind::Lists ? "CONCAT({0}, ',', {1})" : "{1}")));
    }
    for (const std::string& sql : sql_->row_statements()) {
      on_rows_.emplace_back();
      if (!sql.empty()) ASSAY_TRY(prepare(on_rows_.back(), sql));
    }
    return {};
  }

  Reply begin() override { return expect_transaction(run("BEGIN"), true); }
  Reply read(StoreKey key, std::int64_t& value) override {
    value = 0;
    MYSQL_BIND row = integer(value);
    return query(key, row);
  }
  Reply read_list(StoreKey key, std::vector<std::int64_t>& elements) override {
    unsigned long size = 0;
    MYSQL_BIND row{};
    row.buffer_type = MYSQL_TYPE_STRING;
    row.buffer = text_.data();
    row.buffer_length = text_.size();
    row.length = &size;
    const Reply reply = query(key, row);
    if (was_answered(reply)) parse_list({text_.data(), size}, elements);
    return reply;
  }
  Reply write(StoreKey key, std::int64_t value) override {
    const Cell cell = sql_->layout().cell(key);
    const Column& column = columns_[cell.column];
    const Reply reply = change(column.update, cell, value);
    if (!was_answered(reply) || mysql_stmt_affected_rows(column.update.get()) > 0) return reply;
    return reply == Reply::Done ? change(column.put, cell, value) : Reply::Lost;
  }
  Reply append(StoreKey key, std::int64_t element) override {
    const Cell cell = sql_->layout().cell(key);
    return change(columns_[cell.column].put, cell, element);
  }
  // COMMIT succeeds also where there is no transaction. One that the server ended without saying so has lost
  // some of its statements, and those after its end are committed each by itself.
  Reply commit() override {
    if (!in_transaction(link_.get())) {
      problem_ = "the server ended the transaction before its commit, and reported no error";
      return Reply::Broken;
    }
    const Reply reply = run("COMMIT");
    const unsigned code = mysql_errno(link_.get());
    if (reply == Reply::Aborted && !rolls_back_at_commit(code))
      return treated(treatments_, std::to_string(code), Reply::Lost);
    return expect_transaction(reply, false);
  }
  Reply rollback() override { return expect_transaction(run("ROLLBACK"), false); }
  bool cut() override { return shutdown(mysql_get_socket(link_.get()), SHUT_RD) == 0; }
  std::string problem() const override { return problem_; }

 private:
  struct Column {
    MariadbStatement read, update, put;
  };

  Result<void> prepare(MariadbStatement& statement, const std::string& sql) {
    statement.reset(mysql_stmt_init(link_.get()));
    if (mysql_stmt_prepare(statement.get(), sql.data(), sql.size()) == 0) return {};
    return error(fmt::format("MariaDB: {}", mysql_stmt_error(statement.get())));
  }

  Reply run(std::string_view sql) { return run_to_the_end(link_.get(), sql) ? Reply::Done : link_failed(); }
  Reply link_failed() { return meaning(mysql_errno(link_.get()), mysql_error(link_.get())); }
  Reply broken(std::string problem) {
    problem_ = std::move(problem);
    return Reply::Broken;
  }

  static bool was_answered(Reply reply) { return reply == Reply::Done || reply == Reply::Alone; }
  // Of BEGIN, COMMIT and ROLLBACK.
  Reply expect_transaction(Reply reply, bool open) {
    return reply != Reply::Done || in_transaction(link_.get()) == open ? reply : out_of_step();
  }
  Reply out_of_step() {
    problem_ = "the server answered something else than what it was asked";
    return Reply::Lost;
  }
  // Of a statement in a transaction.
  Reply expect_transaction(Reply reply) {
    if (reply != Reply::Done || in_transaction(link_.get())) return reply;
    problem_ = "the server ended the transaction before its commit, and reported no error";
    return Reply::Alone;
  }

  Reply execute_bound(const MariadbStatement& statement, MYSQL_BIND* parameters) {
    if (!mysql_stmt_bind_param(statement.get(), parameters) && mysql_stmt_execute(statement.get()) == 0)
      return Reply::Done;
    return failed(statement);
  }
  // What goes wrong between two rows only the link knows.
  Reply failed(const MariadbStatement& statement) {
    if (mysql_stmt_errno(statement.get()) == 0) return link_failed();
    return meaning(mysql_stmt_errno(statement.get()), mysql_stmt_error(statement.get()));
  }
  // libmariadb has no number for packets that are not in order.
  Reply meaning(unsigned code, const char* text) {
    if (code == 0) return out_of_step();
    problem_ = text;
    return treated(treatments_, std::to_string(code), classify_mariadb(code));
  }

  Reply change(const MariadbStatement& statement, Cell cell, std::int64_t value) {
    MYSQL_BIND parameters[kMostKeyColumns + 1] = {integer(value)};
    for (std::size_t i = 0; i < kMostKeyColumns; ++i) parameters[i + 1] = integer(cell.row[i]);
    return expect_transaction(execute_bound(statement, parameters));
  }

  Reply query(StoreKey key, MYSQL_BIND& row) {
    Cell cell = sql_->layout().cell(key);
    const MariadbStatement& read = columns_[cell.column].read;
    MYSQL_BIND parameters[kMostKeyColumns];
    for (std::size_t i = 0; i < kMostKeyColumns; ++i) parameters[i] = integer(cell.row[i]);
    if (const Reply reply = execute_bound(read, parameters); reply != Reply::Done) return reply;
    std::size_t rows = 0;
    const Reply reply = fetch_all(read, &row, [&rows] { ++rows; });
    return was_answered(reply) && rows > 1 ? broken(several_rows(rows)) : reply;
  }

  Reply run_on_rows(std::size_t number, std::span<const std::int64_t> parameters,
                    SqlAnswer& answer) override {
    const bool update = number >= static_cast<std::size_t>(RowStatement::UpdateByV1);
    if (update)
      if (const Reply reply = run("SET @assay_rows = ''"); reply != Reply::Done) return reply;
    const MariadbStatement& statement = on_rows_[number];
    std::array<std::int64_t, kMostParameters> values{};
    std::array<MYSQL_BIND, kMostParameters> bound;
    std::ranges::copy(parameters, values.begin());
    std::ranges::transform(values, bound.begin(), integer);
    const Reply reply = execute_bound(statement, bound.data());
    if (reply == Reply::Aborted && number == static_cast<std::size_t>(RowStatement::Insert) &&
        mysql_stmt_errno(statement.get()) == kDuplicateKey)
      return Reply::Done;  // only the statement has failed
    if (reply != Reply::Done) return reply;
    if (returns_rows(static_cast<RowStatement>(number))) return fetch(statement, answer);
    answer.changed = mysql_stmt_affected_rows(statement.get());
    if (!update) return expect_transaction(reply);
    const Reply alone = expect_transaction(reply), noted = fetch_noted(answer);
    return noted == Reply::Done ? alone : noted;
  }

  Reply fetch(const MariadbStatement& statement, SqlAnswer& answer) {
    std::array<std::int64_t, kMostParameters> row;
    std::array<MYSQL_BIND, kMostParameters> bound;
    std::ranges::transform(row, bound.begin(), integer);
    const unsigned width = mysql_stmt_field_count(statement.get());
    return fetch_all(statement, bound.data(),
                     [&] { answer.values.insert(answer.values.end(), row.begin(), row.begin() + width); });
  }

  // To the end: an error may follow any row. `on_row` finds the row where it is bound to.
  template <class OnRow>
  Reply fetch_all(const MariadbStatement& statement, MYSQL_BIND* bound, OnRow on_row) {
    if (mysql_stmt_field_count(statement.get()) == 0) return out_of_step();
    if (mysql_stmt_bind_result(statement.get(), bound)) return failed(statement);
    int fetched;
    while ((fetched = mysql_stmt_fetch(statement.get())) == 0) on_row();
    const Reply reply = fetched == MYSQL_NO_DATA ? Reply::Done
                        : fetched == MYSQL_DATA_TRUNCATED
                            ? broken("a value was longer than there was room for")
                            : failed(statement);
    mysql_stmt_free_result(statement.get());
    return expect_transaction(reply);
  }

  // The rows that an update has noted on its way: as many as it says that there were.
  Reply fetch_noted(SqlAnswer& answer) {
    constexpr std::string_view kNoted = "SELECT @assay_rows";
    if (mysql_real_query(link_.get(), kNoted.data(), kNoted.size()) != 0) return link_failed();
    const Rows rows(mysql_store_result(link_.get()));
    const MYSQL_ROW row = rows ? mysql_fetch_row(rows.get()) : nullptr;
    if (row == nullptr) return link_failed();
    if (row[0] == nullptr) return broken("the note of the rows that an update changed is lost");
    parse_list(row[0], answer.values);
    const std::size_t width = 1 + sql_->layout().rows()->columns().size();
    if (answer.values.size() == answer.changed * width) return Reply::Done;
    return broken(fmt::format("an update changed {} rows and has noted {}", answer.changed,
                              answer.values.size() / width));
  }

  static constexpr std::size_t kMostParameters = 3;

  MariadbLink link_;  // outlives the statements
  const Treatments& treatments_;
  std::vector<Column> columns_;
  std::vector<MariadbStatement> on_rows_;
  std::vector<char> text_;
  std::string problem_;
};

std::string version_of(MYSQL* link) {
  const std::string_view full = mysql_get_server_info(link);
  const bool maria = full.find("MariaDB") != std::string_view::npos;
  return fmt::format("{} {}", maria ? "MariaDB" : "MySQL", full.substr(0, full.find('-')));
}

class MariadbDatabase final : public Database {
 public:
  MariadbDatabase(Url url, MariadbLink link, Treatments treatments)
      : url_(std::move(url)), treatments_(std::move(treatments)), link_(std::move(link)) {}
  ~MariadbDatabase() override {
    if (!made_ || execute(link_.get(), drop())) return;
    if (auto again = open_mariadb(url_)) (void)execute(again->get(), drop());
  }

  std::string version() const override { return version_; }
  std::span<const DatabaseLevel> levels() const override { return kMariadbLevels; }

  Result<void> prepare(DataKind data, std::shared_ptr<const TableLayout> layout) override {
    auto link = open_mariadb(url_);  // the server may have been restarted since
    if (!link) return std::move(link).error();
    link_ = std::move(*link);
    if (made_) ASSAY_TRY(execute(link_.get(), drop()));
    ASSAY_TRY(execute(link_.get(), "CREATE DATABASE " + name_));
    made_ = true;
    sql_ = std::make_shared<SqlText>(kMariadbDialect, name_ + ".", data, std::move(layout));
    return sql_->create([this](const std::string& sql) { return execute(link_.get(), sql); });
  }

  Result<std::vector<std::string>> remove_leftovers() override {
    if (mysql_query(link_.get(), "SHOW DATABASES") != 0)
      return error(fmt::format("MariaDB: {}", mysql_error(link_.get())));
    const Rows names(mysql_store_result(link_.get()));
    if (!names) return error(fmt::format("MariaDB: {}", mysql_error(link_.get())));
    std::vector<std::string> removed;
    while (const MYSQL_ROW row = mysql_fetch_row(names.get()))
      if (is_unused_name(row[0])) removed.emplace_back(row[0]);
    for (const std::string& name : removed) ASSAY_TRY(execute(link_.get(), "DROP DATABASE " + name));
    return removed;
  }

  Result<std::unique_ptr<Connection>> connect(const DatabaseLevel& level) override {
    auto link = open_mariadb(url_);
    if (!link) return std::move(link).error();
    auto connection = std::make_unique<MariadbConnection>(std::move(*link), sql_, treatments_);
    ASSAY_TRY(connection->prepare(level));
    return std::unique_ptr<Connection>(std::move(connection));
  }

 private:
  std::string drop() const { return "DROP DATABASE IF EXISTS " + name_; }

  const Url url_;
  const Treatments treatments_;
  const std::string name_ = unused_name();
  bool made_ = false;                   // the database; another of this name would be the user's
  std::shared_ptr<const SqlText> sql_;  // since prepare()
  MariadbLink link_;
  const std::string version_ = version_of(link_.get());
};

}  // namespace

Reply classify_mariadb(unsigned code) {
  switch (code) {
    case 1213:  // deadlock: the server rolled back
    case 1205:  // lock wait timeout
    case 1020:  // somebody changed the row since the snapshot
    case 1062:  // two inserted the same key
    case 1317:  // interrupted
    case 1969:  // statement timeout
    case 1614: return Reply::Aborted;
    case 1047:  // a node of a cluster that left the others: it answers nothing
    case 1053:  // the server shuts down
    case 1156:  // packets came twice, or not at all
    case 1158:
    case 1159:
    case 1160:
    case 1161:  // the network broke
    case 1180:  // something went wrong during the commit
    case 1927:  // the connection was killed
    case 4031:  // the server was tired of waiting
    case 2002:
    case 2003:
    case 2006:
    case 2013:
    case 2014:  // answers that are not to what was asked
    case 2026:
    case 2027:
    case 2055: return Reply::Lost;
    default: return Reply::Broken;
  }
}

Result<std::unique_ptr<Database>> open_mariadb(const Url& url, const DatabaseOptions& options) {
  auto link = open_mariadb(url);
  if (!link) return std::move(link).error();
  return std::unique_ptr<Database>(
      std::make_unique<MariadbDatabase>(url, std::move(*link), options.treatments));
}

}  // namespace assay
