#include "cli/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "cli/findings_text.h"
#include "cli/judge.h"
#include "cli/replay_history.h"
#include "cli/replay_program.h"
#include "cli/replay_turns.h"

namespace assay::cli {
namespace {

std::optional<std::string_view> postgres_level(analysis::StoreLevel level) {
  switch (level) {
    case analysis::StoreLevel::Rc: return "READ COMMITTED";
    case analysis::StoreLevel::Si: return "REPEATABLE READ";
    case analysis::StoreLevel::Ser:
    case analysis::StoreLevel::PgSerializable: return "SERIALIZABLE";
    default: return std::nullopt;
  }
}

std::string column_type(const sql::Column& column) {
  constexpr std::string_view types[] = {"bigint", "numeric", "text", "boolean", "timestamptz", "text"};
  if (column.declared.find("serial") != std::string::npos) return "bigserial";
  if (column.type == sql::Type::Time || column.type == sql::Type::Other) return column.declared;
  return std::string(types[static_cast<std::size_t>(column.type)]);
}

std::string column_list(const sql::Table& table, const std::vector<sql::ColumnId>& columns) {
  std::string text;
  for (const sql::ColumnId column : columns)
    text += (text.empty() ? "" : ", ") + sql::quoted_name(table[column].name);
  return text;
}

// Types without lengths: what fits is the business of the programs, not of their anomalies.
std::string create_table(const sql::Table& table) {
  std::string text;
  for (const sql::Column& column : table.columns)
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", sql::quoted_name(column.name),
                        column_type(column), column.nullable ? "" : " NOT NULL");
  if (!table.primary_key.empty())
    text += fmt::format(", PRIMARY KEY ({})", column_list(table, table.primary_key));
  for (const auto& key : table.unique) text += fmt::format(", UNIQUE ({})", column_list(table, key));
  return fmt::format("CREATE TABLE {} ({});", sql::quoted_name(table.name), text);
}

// After the rows, and for new rows only: those of an anomaly need not be complete.
std::string add_references(const sql::Schema& schema, const sql::Table& table) {
  std::string text;
  for (const sql::ForeignKey& key : table.foreign_keys)
    text += fmt::format(
        "ALTER TABLE {} ADD FOREIGN KEY ({}) REFERENCES {} ({}){} NOT VALID;", sql::quoted_name(table.name),
        column_list(table, key.columns), sql::quoted_name(schema[key.target].name),
        column_list(schema[key.target], key.target_columns), key.cascades ? " ON DELETE CASCADE" : "");
  return text;
}

struct ReplayEnd {
  ReplayProgram::End end = ReplayProgram::End::Completed;
  std::string why;
};

class Replay {
 public:
  Replay(const Url& url, SqlSession& admin, const sql::Application& application,
         const analysis::FoundAnomaly& anomaly, bool references)
      : url_(url),
        admin_(admin),
        application_(application),
        anomaly_(anomaly),
        references_(references),
        schema_(unused_name()),
        turns_(anomaly.calls.size(), [this](std::size_t t) { return is_blocked(t); }),
        records_(anomaly.calls.size()),
        ends_(anomaly.calls.size()) {}
  ~Replay() { (void)admin_.run(fmt::format("DROP SCHEMA IF EXISTS {} CASCADE", schema_)); }

  Result<Replayed> run() {
    for (const analysis::Call& call : anomaly_.calls)
      if (!postgres_level(call.level))
        return Replayed{Replayed::Kind::Impossible,
                        fmt::format("PostgreSQL has rc, si and ser, but not {}",
                                    call.level == analysis::StoreLevel::Written ? "a level of one's own"
                                                                                : analysis::id(call.level)),
                        "", ""};
    if (const auto set = set_up(); !set)
      return Replayed{Replayed::Kind::Impossible, set.error().what, "", ""};
    ASSAY_TRY(open_sessions());
    perform();
    return judge();
  }

 private:
  Result<void> execute(const std::string& sql) {
    if (admin_.run(sql) == Reply::Done) return {};
    return error(admin_.problem());
  }

  Result<void> set_up() {
    ASSAY_TRY(execute(fmt::format("CREATE SCHEMA {0}; SET search_path = {0}", schema_)));
    for (const sql::Table& table : application_.schema.tables)
      if (!table.of_locks) ASSAY_TRY(execute(create_table(table)));
    for (const analysis::Row& row : anomaly_.initial_rows) ASSAY_TRY(insert(row));
    for (const sql::Table& table : application_.schema.tables)
      if (const std::string keys = references_ ? add_references(application_.schema, table) : "";
          !keys.empty())
        ASSAY_TRY(execute(keys));
    return {};
  }

  Result<void> insert(const analysis::Row& row) {
    const sql::Table& table = application_.schema[row.table];
    std::string values;
    for (std::size_t c = 0; c < row.values.size(); ++c) {
      const analysis::Value& value = row.values[c];
      values += (c == 0 ? "" : ", ") +
                sql_literal(value.null ? std::nullopt : std::optional(value.text), table.columns[c].type);
    }
    std::vector<SqlRow> rows;
    if (admin_.run(
            fmt::format("INSERT INTO {} VALUES ({}) RETURNING *", sql::quoted_name(table.name), values),
            rows) != Reply::Done)
      return error(admin_.problem());
    initial_.push_back(rows.at(0));
    return {};
  }

  Result<void> open_sessions() {
    const std::string prepare =
        fmt::format("SET search_path = {}; SET lock_timeout = '5s'; SET statement_timeout = '20s'", schema_);
    for (std::size_t i = 0; i < 2 * anomaly_.calls.size(); ++i) {
      auto session = open_sql_session(url_);
      if (!session) return std::move(session).error();
      if ((*session)->run(prepare) != Reply::Done) return error((*session)->problem());
      std::vector<SqlRow> process;
      if ((*session)->run("SELECT pg_backend_pid()", process) != Reply::Done)
        return error((*session)->problem());
      processes_.push_back(process.at(0).at(0).value_or("0"));
      sessions_.push_back(std::move(*session));
    }
    return {};
  }

  bool is_blocked(std::size_t t) {
    std::vector<SqlRow> waits;
    const std::string question =
        fmt::format("SELECT count(*) FROM pg_locks WHERE pid = {} AND NOT granted", processes_[2 * t]);
    return admin_.run(question, waits) != Reply::Done || waits.at(0).at(0) != "0";
  }

  void perform() {
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < anomaly_.calls.size(); ++t)
      threads.emplace_back([this, t] { transaction(t); });
    for (const analysis::Step& step : anomaly_.schedule) {
      if (step.kind == analysis::Step::Kind::Commit) turns_.give_all(step.call);
      else turns_.give(step.call, step.statement);
    }
    for (std::size_t t = 0; t < anomaly_.calls.size(); ++t) turns_.give_all(t);
    for (std::thread& thread : threads) thread.join();
  }

  // BEGIN does not take a snapshot; the first statement does.
  void transaction(std::size_t t) {
    SqlSession& session = *sessions_[2 * t];
    const analysis::Call& call = anomaly_.calls[t];
    ReplayProgram program(application_, call, session, *sessions_[2 * t + 1], records_[t],
                          [this, t](std::uint32_t statement) { turns_.before(t, statement); });
    ReplayEnd& end = ends_[t];
    if (session.run(fmt::format("BEGIN ISOLATION LEVEL {}", *postgres_level(call.level))) != Reply::Done) {
      end = {ReplayProgram::End::Impossible, session.problem()};
    } else {
      end.end = program.run();
      end.why = program.why();
      if (end.end == ReplayProgram::End::Completed) {
        turns_.before_commit(t);
        std::vector<SqlRow> number;
        if (session.run("SELECT pg_current_xact_id_if_assigned()::xid", number) == Reply::Done)
          records_[t].number = number.at(0).at(0).value_or("");
        const Reply reply = session.run("COMMIT");
        if (reply == Reply::Done) records_[t].committed = true;
        else
          end = {reply == Reply::Aborted ? ReplayProgram::End::Aborted : ReplayProgram::End::Impossible,
                 session.problem()};
      }
      if (!records_[t].committed) (void)session.run("ROLLBACK");
    }
    turns_.finished(t);
  }

  std::string called(std::size_t t) const {
    return fmt::format("T{} {}", t + 1, application_.programs[anomaly_.calls[t].program].name);
  }

  Result<Replayed> judge() {
    for (std::size_t t = 0; t < ends_.size(); ++t)
      if (ends_[t].end == ReplayProgram::End::Impossible)
        return Replayed{Replayed::Kind::Impossible, fmt::format("{}: {}", called(t), ends_[t].why), "", ""};
    std::string aborted;
    for (std::size_t t = 0; t < ends_.size(); ++t)
      if (ends_[t].end == ReplayProgram::End::Aborted)
        aborted += fmt::format("{}{} was aborted: {}", aborted.empty() ? "" : "; ", called(t), ends_[t].why);
    auto history = replayed_history(application_, anomaly_, initial_, records_, *sessions_[0]);
    if (!history) return std::move(history).error();
    JudgeOptions options;
    options.levels = {Level::Ser};
    options.timeout = 60;
    const auto judged = JudgedFile::judge(std::move(*history), "replay", "hist", options);
    if (!judged) return judged.error();
    const Findings& findings = judged->findings();
    const auto* violated = std::get_if<Violated>(&findings.levels.at(0).verdict);
    if (violated == nullptr)
      return Replayed{
          Replayed::Kind::NotReproduced,
          aborted.empty()
              ? "all transactions committed, and the checker finds a serial order for what they saw"
              : aborted,
          "", ""};
    std::string why =
        fmt::format("{} transactions ran, and the checker finds no serial order for what they saw",
                    aborted.empty() ? "all" : "some");
    if (!aborted.empty()) why += " (" + aborted + ")";
    const std::string anomaly =
        findings.stories.empty() ? "" : std::string(name(findings.stories[0].anomaly));
    return Replayed{Replayed::Kind::Confirmed, why, explanations(findings, false), anomaly};
  }

  const Url& url_;
  SqlSession& admin_;
  const sql::Application& application_;
  const analysis::FoundAnomaly& anomaly_;
  const bool references_;  // keep foreign keys
  const std::string schema_;
  ReplayTurns turns_;
  std::vector<std::unique_ptr<SqlSession>> sessions_;  // of each call: its transaction, its calculator
  std::vector<std::string> processes_;                 // of the server, by session
  std::vector<SqlRow> initial_;
  std::vector<ReplayRecord> records_;
  std::vector<ReplayEnd> ends_;
};

}  // namespace

Result<ReplayStage> ReplayStage::open(const std::string& where) {
  ReplayStage stage;
  std::string address = where;
  if (where.starts_with("start:")) {
    auto server = Server::start(where.substr(6));
    if (!server) return std::move(server).error();
    stage.server_ = std::make_unique<Server>(std::move(*server));
    address = stage.server_->url();
  }
  auto url = parse_url(address);
  if (!url) return std::move(url).error();
  stage.url_ = std::move(*url);
  auto admin = open_sql_session(stage.url_);
  if (!admin) return std::move(admin).error();
  stage.admin_ = std::move(*admin);
  return stage;
}

Result<Replayed> ReplayStage::replay(const sql::Application& application,
                                     const analysis::FoundAnomaly& anomaly) {
  auto replayed = Replay(url_, *admin_, application, anomaly, true).run();
  // An anomaly has the rows that its programs touch, not those that only foreign keys want.
  if (!replayed || replayed->why.find("foreign key") == std::string::npos) return replayed;
  replayed = Replay(url_, *admin_, application, anomaly, false).run();
  if (replayed) replayed->why += " (without foreign keys, of which the parents are missing)";
  return replayed;
}

}  // namespace assay::cli
