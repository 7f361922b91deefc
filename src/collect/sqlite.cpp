// SQLite: a file of our own in a temporary directory (`sqlite:`), or tables of our own in a file
// (`sqlite:PATH`).
//
// Our own file is in WAL mode, where a reader sees a snapshot while one writer goes on; `?journal=delete` is
// the rollback journal, where they lock each other out. Nothing of it is synced: what a crash of the machine
// would lose is not what is tested here. A file of the user's keeps the journal mode that it has, unless the
// URL names one: the mode is written into the file, so it is put back at the end. It is synced as SQLite does
// by itself.
//
// Transactions begin deferred: the snapshot is taken by the first statement, and one that wants to write on
// an old snapshot is refused at once (BUSY_SNAPSHOT).
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "collect/adapters.h"
#include "collect/sql_connection.h"
#include "collect/temporary_directory.h"

namespace assay {
namespace {

constexpr DatabaseLevel kSqliteLevels[] = {{"serializable", "", Level::Ser}};
constexpr SqlDialect kSqliteDialect{.integer = "INTEGER", .text = "TEXT"};
constexpr auto kLongestWait = std::chrono::seconds(5);

// Waits for a lock. Short sleeps: locks are held for microseconds. By the clock: on a busy machine a sleep
// takes many times as long as it should.
int keep_waiting(void*, int rounds) {
  using Clock = std::chrono::steady_clock;
  thread_local Clock::time_point give_up;
  if (rounds == 0) give_up = Clock::now() + kLongestWait;
  usleep(rounds < 20 ? 50 : 1000);
  return Clock::now() < give_up;
}

struct CloseFile {
  void operator()(sqlite3* file) const { sqlite3_close_v2(file); }
};
using File = std::unique_ptr<sqlite3, CloseFile>;

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using SqliteStatement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

Error failed(sqlite3* file, std::string_view what) {
  return error(fmt::format("SQLite: cannot {}: {}", what, file ? sqlite3_errmsg(file) : "out of memory"));
}

Result<File> open_file(const std::string& path) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &opened,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  File file(opened);
  if (code != SQLITE_OK) return failed(file.get(), "open " + path);
  sqlite3_extended_result_codes(file.get(), 1);
  sqlite3_busy_handler(file.get(), keep_waiting, nullptr);
  return file;
}

Result<void> execute(sqlite3* file, const std::string& sql) {
  if (sqlite3_exec(file, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return failed(file, sql);
}

Result<SqliteStatement> prepare_statement(sqlite3* file, const std::string& sql) {
  sqlite3_stmt* made = nullptr;
  if (sqlite3_prepare_v3(file, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr) != SQLITE_OK)
    return failed(file, sql);
  return SqliteStatement(made);
}

// The mode in which the file is, or the one into which it was brought.
Result<std::string> journal_mode(sqlite3* file, const std::string& wanted = {}) {
  const std::string sql = "PRAGMA journal_mode" + (wanted.empty() ? "" : "=" + wanted);
  auto statement = prepare_statement(file, sql);
  if (!statement) return std::move(statement).error();
  if (sqlite3_step(statement->get()) != SQLITE_ROW) return failed(file, sql);
  std::string mode = reinterpret_cast<const char*>(sqlite3_column_text(statement->get(), 0));
  if (!wanted.empty() && mode != wanted)
    return error(fmt::format("SQLite: the journal mode is {} and cannot be {}", mode, wanted),
                 "does somebody else use the file?");
  return mode;
}

class SqliteConnection final : public SqlConnection {
 public:
  static Result<std::unique_ptr<Connection>> open(const std::string& path, bool synced,
                                                  std::shared_ptr<const SqlText> sql,
                                                  const Treatments& treatments) {
    auto file = open_file(path);
    if (!file) return std::move(file).error();
    auto connection = std::make_unique<SqliteConnection>(std::move(*file), std::move(sql), treatments);
    if (!synced) ASSAY_TRY(execute(connection->file_.get(), "PRAGMA synchronous=OFF"));
    ASSAY_TRY(connection->prepare());
    return std::unique_ptr<Connection>(std::move(connection));
  }

  SqliteConnection(File file, std::shared_ptr<const SqlText> sql, const Treatments& treatments)
      : SqlConnection(std::move(sql)), file_(std::move(file)), treatments_(treatments) {}

  Reply begin() override { return run(begin_); }
  Reply read(StoreKey key, std::int64_t& value) override {
    value = 0;
    return query(key, [&](sqlite3_stmt* row) { value = sqlite3_column_int64(row, 0); });
  }
  Reply read_list(StoreKey key, std::vector<std::int64_t>& elements) override {
    return query(key, [&](sqlite3_stmt* row) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, 0));
      parse_list({text, static_cast<std::size_t>(sqlite3_column_bytes(row, 0))}, elements);
    });
  }
  Reply write(StoreKey key, std::int64_t value) override { return change(key, value); }
  Reply append(StoreKey key, std::int64_t element) override { return change(key, element); }
  Reply commit() override { return run(commit_); }
  // Some errors have rolled back already.
  Reply rollback() override { return sqlite3_get_autocommit(file_.get()) ? Reply::Done : run(rollback_); }
  std::string problem() const override { return problem_; }

 private:
  Reply run(const SqliteStatement& statement) {
    return run(statement.get(), [] {});
  }
  // To the end: an error may follow any row.
  template <class OnRow>
  Reply run(sqlite3_stmt* statement, OnRow on_row) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) on_row();
    const Reply reply = classify_sqlite(code);
    if (code != SQLITE_DONE) problem_ = sqlite3_errmsg(file_.get());
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? reply : treated(treatments_, std::to_string(code), reply);
  }

  // The statements of one column. What is written to a row that is not there makes it.
  struct Column {
    SqliteStatement read, change;
  };

  Result<void> prepare() {
    const bool lists = sql_->data() == DataKind::Lists;
    ASSAY_TRY(prepare("BEGIN", begin_));
    ASSAY_TRY(prepare("COMMIT", commit_));
    ASSAY_TRY(prepare("ROLLBACK", rollback_));
    for (const SqlColumn& column : sql_->columns()) {
      Column& made = columns_.emplace_back();
      ASSAY_TRY(prepare(sql_->read(column), made.read));
      ASSAY_TRY(prepare(sql_->upsert(column, "?", lists ? "{0} || ',' || {1}" : "{1}"), made.change));
    }
    for (const std::string& sql : sql_->row_statements()) ASSAY_TRY(prepare(sql, on_rows_.emplace_back()));
    return {};
  }
  Result<void> prepare(const std::string& sql, SqliteStatement& statement) {
    auto made = prepare_statement(file_.get(), sql);
    if (!made) return std::move(made).error();
    statement = std::move(*made);
    return {};
  }

  void bind(const SqliteStatement& statement, const Cell& cell, int first) const {
    const std::size_t parts = sql_->columns()[cell.column].of.key.size();
    for (std::size_t i = 0; i < parts; ++i)
      sqlite3_bind_int64(statement.get(), first + static_cast<int>(i), cell.row[i]);
  }

  Reply change(StoreKey key, std::int64_t value) {
    const Cell cell = sql_->layout().cell(key);
    const SqliteStatement& statement = columns_[cell.column].change;
    sqlite3_bind_int64(statement.get(), 1, value);
    bind(statement, cell, 2);
    return run(statement);
  }

  template <class OnRow>
  Reply query(StoreKey key, OnRow on_row) {
    const Cell cell = sql_->layout().cell(key);
    const SqliteStatement& statement = columns_[cell.column].read;
    bind(statement, cell, 1);
    std::size_t rows = 0;
    const Reply reply = run(statement.get(), [&] {
      if (++rows == 1) on_row(statement.get());
    });
    if (reply != Reply::Done || rows <= 1) return reply;
    problem_ = several_rows(rows);
    return Reply::Broken;
  }

  Reply run_on_rows(std::size_t number, std::span<const std::int64_t> parameters,
                    SqlAnswer& answer) override {
    sqlite3_stmt* const statement = on_rows_[number].get();
    for (std::size_t i = 0; i < parameters.size(); ++i)
      sqlite3_bind_int64(statement, static_cast<int>(i) + 1, parameters[i]);
    const Reply reply = run(statement, [&] {
      for (int i = 0; i < sqlite3_column_count(statement); ++i)
        answer.values.push_back(sqlite3_column_int64(statement, i));
    });
    answer.changed = static_cast<std::uint64_t>(sqlite3_changes(file_.get()));
    return reply;
  }

  File file_;  // outlives the statements
  const Treatments& treatments_;
  SqliteStatement begin_, commit_, rollback_;
  std::vector<Column> columns_;
  std::vector<SqliteStatement> on_rows_;
  std::string problem_;
};

class SqliteDatabase final : public Database {
 public:
  // `journal` is empty to keep the mode that was found. Without a directory the file is the user's.
  SqliteDatabase(std::string path, std::string journal, std::string found,
                 std::optional<TemporaryDirectory> directory, File file, Treatments treatments)
      : path_(std::move(path)),
        journal_(std::move(journal)),
        found_(std::move(found)),
        treatments_(std::move(treatments)),
        directory_(std::move(directory)),
        file_(std::move(file)) {}
  ~SqliteDatabase() override {
    if (is_ours()) return;
    (void)drop();
    if (!journal_.empty() && journal_ != found_) (void)journal_mode(file_.get(), found_);
  }

  std::string version() const override { return fmt::format("SQLite {}", sqlite3_libversion()); }
  std::span<const DatabaseLevel> levels() const override { return kSqliteLevels; }

  Result<void> prepare(DataKind data, std::shared_ptr<const TableLayout> layout) override {
    if (!journal_.empty())
      if (auto mode = journal_mode(file_.get(), journal_); !mode) return std::move(mode).error();
    if (is_ours()) ASSAY_TRY(execute(file_.get(), "PRAGMA synchronous=OFF"));
    ASSAY_TRY(drop());
    sql_ = std::make_shared<SqlText>(kSqliteDialect, name_ + "_", data, std::move(layout));
    ASSAY_TRY(execute(file_.get(), "BEGIN"));
    auto made = sql_->create([this](const std::string& sql) { return execute(file_.get(), sql); });
    if (made) made = execute(file_.get(), "COMMIT");
    made_ = made.has_value();
    if (!made_) (void)execute(file_.get(), "ROLLBACK");
    return made;
  }

  // A table of ours is called as its run, _ and its name in the layout.
  Result<std::vector<std::string>> remove_leftovers() override {
    auto names = prepare_statement(file_.get(), "SELECT name FROM sqlite_master WHERE type = 'table'");
    if (!names) return std::move(names).error();
    std::vector<std::string> removed;
    while (sqlite3_step(names->get()) == SQLITE_ROW) {
      const std::string name = reinterpret_cast<const char*>(sqlite3_column_text(names->get(), 0));
      const std::size_t run = name_.size();
      if (name.size() > run && name[run] == '_' && is_unused_name(name.substr(0, run)))
        removed.push_back(name);
    }
    names->reset();
    for (const std::string& name : removed) ASSAY_TRY(execute(file_.get(), "DROP TABLE " + name));
    return removed;
  }

  Result<std::unique_ptr<Connection>> connect(const DatabaseLevel&) override {
    return SqliteConnection::open(path_, !is_ours(), sql_, treatments_);
  }

 private:
  bool is_ours() const { return directory_.has_value(); }

  // Only tables that prepare() made: another of such a name is the user's.
  Result<void> drop() {
    if (!made_) return {};
    made_ = false;
    return sql_->drop([this](const std::string& sql) { return execute(file_.get(), sql); });
  }

  const std::string path_, journal_, found_, name_ = unused_name();
  std::shared_ptr<const SqlText> sql_;  // since prepare()
  bool made_ = false;                   // the tables of sql_
  const Treatments treatments_;
  std::optional<TemporaryDirectory> directory_;
  File file_;  // keeps the write-ahead log alive between connections
};

}  // namespace

Reply classify_sqlite(int extended_code) {
  switch (extended_code & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE: return Reply::Done;
    case SQLITE_BUSY:    // also BUSY_SNAPSHOT: somebody wrote since the snapshot
    case SQLITE_LOCKED:  // by another connection that shares the cache
    case SQLITE_ABORT:
    case SQLITE_INTERRUPT: return Reply::Aborted;
    default: return Reply::Broken;
  }
}

Result<std::unique_ptr<Database>> open_sqlite(const Url& url, const DatabaseOptions& options) {
  std::string journal = url.option("journal");
  constexpr std::array known{"wal", "delete", "truncate", "persist"};
  if (!journal.empty() && std::find(known.begin(), known.end(), journal) == known.end())
    return error(fmt::format("{}: SQLite has no journal mode {}", url.shown, journal),
                 "wal, delete, truncate or persist");
  if (!url.host.empty() || !url.user.empty())
    return error(fmt::format("{}: SQLite is a file, not a server", url.shown), "sqlite: or sqlite:FILE");
  std::optional<TemporaryDirectory> directory;
  std::string path = url.path;
  if (path.empty()) {
    auto made = TemporaryDirectory::create();
    if (!made) return std::move(made).error();
    path = made->path() + "/data.sqlite";
    if (journal.empty()) journal = "wal";
    directory = std::move(*made);
  }
  auto file = open_file(path);
  if (!file) return std::move(file).error();
  auto found = journal_mode(file->get());
  if (!found) return std::move(found).error();
  return std::unique_ptr<Database>(std::make_unique<SqliteDatabase>(
      path, journal, std::move(*found), std::move(directory), std::move(*file), options.treatments));
}

}  // namespace assay
