#include "replay/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sql/print.h"
#include "sql/words.h"

namespace assay::replay {
namespace {

// Who may do what, and what stands beside the tables: a replay has one role.
bool is_left_out(const sql::WrittenStatement& statement) {
  constexpr std::string_view kinds[] = {
      "GrantStmt",   "GrantRoleStmt", "AlterOwnerStmt", "AlterDefaultPrivilegesStmt",
      "CommentStmt", "SecLabelStmt",  "VacuumStmt",     "TransactionStmt"};
  return std::ranges::find(kinds, statement.kind) != std::end(kinds) ||
         (statement.kind == "AlterTableStmt" && sql::has_word(statement.text, "owner"));
}

// What reaches beyond a database.
bool reaches_out(const std::string& kind) {
  constexpr std::string_view kinds[] = {"AlterSystemStmt",
                                        "CreateRoleStmt",
                                        "AlterRoleStmt",
                                        "AlterRoleSetStmt",
                                        "DropRoleStmt",
                                        "CreatedbStmt",
                                        "DropdbStmt",
                                        "AlterDatabaseStmt",
                                        "AlterDatabaseSetStmt",
                                        "CreateTableSpaceStmt",
                                        "DropTableSpaceStmt",
                                        "AlterTableSpaceOptionsStmt",
                                        "LoadStmt",
                                        "CreateSubscriptionStmt",
                                        "CreateForeignServerStmt",
                                        "CreateUserMappingStmt",
                                        "CopyStmt",
                                        "ImportForeignSchemaStmt",
                                        "ReassignOwnedStmt",
                                        "DropOwnedStmt"};
  return std::ranges::find(kinds, kind) != std::end(kinds);
}

std::string literal(const std::optional<std::string>& value) { return value ? sql::quoted(*value) : "NULL"; }

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const auto end = std::min(text.find('\x1f', from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

std::string insert_of(const PlacedRow& row) {
  std::string columns, values;
  for (std::size_t i = 0; i < row.columns.size(); ++i) {
    columns += (i == 0 ? "" : ", ") + sql::quoted_name(row.columns[i]);
    values += (i == 0 ? "" : ", ") + literal(row.values[i]);
  }
  return fmt::format("INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE VALUES ({})", row.table, columns, values);
}

constexpr std::string_view kForeignKeyViolated = "23503";

}  // namespace

Result<State> State::create(const OwnDatabase& own, const sql::Written& written, const Gates& gates) {
  State state;
  auto session = own.connect();
  if (!session) return std::move(session).error();
  state.session_ = std::move(*session);
  state.types_ = std::make_unique<ServerTypes>(*state.session_);
  state.gate_schema_ = own.name();
  if (own.is_schema()) state.schema_ = own.name();
  else ASSAY_TRY(state.execute("CREATE SCHEMA " + own.name()));
  ASSAY_TRY(state.execute(gates.create_gate()));
  ASSAY_TRY(state.run_setup(written, gates));
  ASSAY_TRY(state.read_catalog());
  return state;
}

Result<void> State::execute(const std::string& sql) {
  if (session_->run(sql) == Reply::Done) return {};
  return error(problem_of(*session_));
}

Result<std::vector<SqlRow>> State::ask(const std::string& sql) {
  std::vector<SqlRow> rows;
  if (session_->run(sql, rows) != Reply::Done) return error(problem_of(*session_));
  return rows;
}

Result<void> State::run_setup(const sql::Written& written, const Gates& gates) {
  ASSAY_TRY(execute("SET client_min_messages = warning; SET statement_timeout = '60s'"));
  for (const sql::Written::Step& step : written.setup) {
    const sql::WrittenStatement& statement = step.statement;
    if (is_left_out(statement)) continue;
    if (reaches_out(statement.kind))
      return error(fmt::format("{}: {} reaches beyond a database of its own", sql::to_text(statement.place),
                               statement.kind));
    if (statement.kind == "InsertStmt") seeds_.push_back(statement.text);
    const bool function = step.function != sql::Written::Step::kNone;
    if (session_->run(function ? gates.create_function(step.function) : statement.text) == Reply::Done)
      continue;
    // A schema that every database has; settings of another version of PostgreSQL.
    if (session_->state() == "42P06" || (statement.kind == "VariableSetStmt" && session_->state() == "42704"))
      continue;
    return error(fmt::format("{}: {}", sql::to_text(statement.place), problem_of(*session_)));
  }
  // pg_dump's files clear the path for themselves.
  return execute(schema_.empty() ? "RESET search_path" : "SET search_path = " + schema_);
}

// Of namespaces that are the user's.
std::string State::schemas() const {
  if (!schema_.empty()) return fmt::format("n.nspname = {}", sql::quoted(schema_));
  return fmt::format("n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', {})",
                     sql::quoted(gate_schema_));
}

Result<void> State::read_catalog() {
  auto rows = ask(fmt::format(
      "SELECT c.oid::regclass, c.relname, a.attname, a.atttypid, a.atttypmod, a.attgenerated <> '', "
      "a.attnotnull AND NOT a.atthasdef AND a.attidentity = '', c.relrowsecurity FROM pg_class c JOIN "
      "pg_namespace n "
      "ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT "
      "a.attisdropped "
      "WHERE c.relkind IN ('r', 'p') AND {} ORDER BY 1, a.attnum",
      schemas()));
  if (!rows) return std::move(rows).error();
  for (const SqlRow& row : *rows) {
    if (row[7] == "t")
      return error(
          fmt::format("{} has row level security: which rows there are depends on the role", *row[0]));
    by_name_[*row[1]] = *row[0];
    columns_[*row[0]].push_back({*row[2], *row[3], *row[4], row[5] == "t", row[6] == "t"});
  }
  constexpr std::string_view names =
      "(SELECT string_agg(a.attname, E'\\x1f' ORDER BY k.i) FROM unnest({}) WITH ORDINALITY k(n, i) JOIN "
      "pg_attribute a ON a.attrelid = {} AND a.attnum = k.n)";
  rows =
      ask(fmt::format("SELECT f.conname, f.conrelid::regclass, f.confrelid::regclass, {}, {} FROM "
                      "pg_constraint f JOIN pg_class c ON "
                      "c.oid = f.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE f.contype = "
                      "'f' AND f.conparentid = 0 "
                      "AND {}",
                      fmt::format(fmt::runtime(names), "f.conkey", "f.conrelid"),
                      fmt::format(fmt::runtime(names), "f.confkey", "f.confrelid"), schemas()));
  if (!rows) return std::move(rows).error();
  for (const SqlRow& row : *rows)
    keys_.push_back({*row[0], *row[1], *row[2], split(*row[3]), split(*row[4])});
  rows =
      ask(fmt::format("SELECT c.oid::regclass, quote_ident(t.tgname) FROM pg_trigger t JOIN pg_class c ON "
                      "c.oid = t.tgrelid JOIN "
                      "pg_namespace n ON n.oid = c.relnamespace WHERE NOT t.tgisinternal AND t.tgparentid = "
                      "0 AND t.tgenabled = 'O' "
                      "AND c.relkind IN ('r', 'p') AND {}",
                      schemas()));
  if (!rows) return std::move(rows).error();
  for (const SqlRow& row : *rows) {
    triggers_off_.push_back(fmt::format("ALTER TABLE {} DISABLE TRIGGER {}", *row[0], *row[1]));
    triggers_on_.push_back(fmt::format("ALTER TABLE {} ENABLE TRIGGER {}", *row[0], *row[1]));
  }
  rows =
      ask(fmt::format("SELECT 1 FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n "
                      "ON n.oid = c.relnamespace "
                      "WHERE s.seqtypid = 'int2'::regtype AND {}",
                      schemas()));
  if (!rows) return std::move(rows).error();
  small_sequences_ = !rows->empty();
  return {};
}

Result<std::vector<PlacedRow>> State::placed(const sql::Application& application,
                                             const std::vector<analysis::Row>& rows) {
  std::vector<PlacedRow> all;
  for (const analysis::Row& row : rows) {
    const sql::Table& table = application.schema[row.table];
    const auto found = by_name_.find(table.name);
    if (found == by_name_.end()) return error(fmt::format("there is no table {} on the server", table.name));
    PlacedRow placed{found->second, {}, {}};
    const auto& columns = columns_[found->second];
    for (std::size_t c = 0; c < row.values.size(); ++c) {
      const auto column = std::ranges::find(columns, table.columns[c].name, &Column::name);
      if (column == columns.end() || column->generated) continue;
      const auto type = types_->find(column->type, column->modifier);
      if (!type) return type.error();
      placed.columns.push_back(column->name);
      placed.values.push_back(spelled(row.values[c], *type));
    }
    all.push_back(std::move(placed));
  }
  return all;
}

// A row may have to wait for one that it points to.
Result<void> State::insert_all(const std::vector<PlacedRow>& rows) {
  std::vector<const PlacedRow*> left;
  for (const PlacedRow& row : rows) left.push_back(&row);
  while (!left.empty()) {
    std::vector<const PlacedRow*> later;
    std::string why;
    for (const PlacedRow* row : left) {
      ASSAY_TRY(execute("SAVEPOINT one_row"));
      if (session_->run(insert_of(*row)) == Reply::Done) continue;
      why = fmt::format("the server does not take a row of {}: {}", row->table, problem_of(*session_));
      if (session_->state() != kForeignKeyViolated) return error(why);
      ASSAY_TRY(execute("ROLLBACK TO one_row"));
      later.push_back(row);
    }
    if (later.size() == left.size()) return error(why);
    left = std::move(later);
  }
  return {};
}

Result<void> State::reset(const std::vector<PlacedRow>& rows, long long shift) {
  ASSAY_TRY(execute("BEGIN"));
  const auto put = [&]() -> Result<void> {
    for (const std::string& sql : triggers_off_) ASSAY_TRY(execute(sql));
    std::string tables;
    for (const auto& [name, columns] : columns_) tables += (tables.empty() ? "" : ", ") + name;
    if (!tables.empty()) ASSAY_TRY(execute(fmt::format("TRUNCATE {} CASCADE", tables)));
    ASSAY_TRY(insert_all(rows));
    ASSAY_TRY(execute("SET CONSTRAINTS ALL IMMEDIATE"));
    for (const std::string& sql : triggers_on_) ASSAY_TRY(execute(sql));
    for (const std::string& sql : seeds_) {
      ASSAY_TRY(execute("SAVEPOINT seed"));
      if (session_->run(sql) != Reply::Done) ASSAY_TRY(execute("ROLLBACK TO seed"));
    }
    return execute(fmt::format(
        "SELECT setval(c.oid, CASE s.seqtypid WHEN 'int2'::regtype THEN {} WHEN 'int4'::regtype THEN {} ELSE "
        "{} END, "
        "false) FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = "
        "c.relnamespace WHERE s.seqmax > CASE s.seqtypid WHEN 'int2'::regtype THEN 30000 WHEN "
        "'int4'::regtype THEN "
        "2000000000 ELSE 8000000000 END AND s.seqincrement > 0 AND {}",
        SequenceStart::kSmall + shift % SequenceStart::kMostSmall, SequenceStart::kInteger + shift,
        SequenceStart::kBig + shift, schemas()));
  };
  if (auto done = put(); !done) {
    (void)session_->run("ROLLBACK");
    return done;
  }
  return execute("COMMIT");
}

Result<PlacedRow> State::parent_of(const Key& key, const SqlRow& values, long long number) {
  PlacedRow row{key.parent, {}, {}};
  for (const Column& column : columns_[key.parent]) {
    const auto at = std::ranges::find(key.parent_columns, column.name);
    if (column.generated || (at == key.parent_columns.end() && !column.needed)) continue;
    row.columns.push_back(column.name);
    if (at != key.parent_columns.end()) {
      row.values.push_back(values[static_cast<std::size_t>(at - key.parent_columns.begin())]);
      continue;
    }
    const auto type = types_->find(column.type, column.modifier);
    if (!type) return type.error();
    row.values.push_back(made_up(number, *type));
  }
  return row;
}

Result<std::vector<PlacedRow>> State::parents(const std::vector<PlacedRow>& rows,
                                              const std::function<void(SqlSession&)>& run) {
  std::vector<PlacedRow> added;
  if (keys_.empty()) return added;
  ASSAY_TRY(execute("BEGIN"));
  const auto search = [&]() -> Result<void> {
    for (const std::string& sql : triggers_off_) ASSAY_TRY(execute(sql));
    for (const Key& key : keys_)
      ASSAY_TRY(
          execute(fmt::format("ALTER TABLE {} DROP CONSTRAINT {}", key.child, sql::quoted_name(key.name))));
    std::string tables;
    for (const auto& [name, columns] : columns_) tables += (tables.empty() ? "" : ", ") + name;
    ASSAY_TRY(execute(fmt::format("TRUNCATE {} CASCADE", tables)));
    ASSAY_TRY(insert_all(rows));
    // Of rows that the programs delete, too.
    ASSAY_TRY(add_parents(added));
    for (const std::string& sql : triggers_on_) ASSAY_TRY(execute(sql));
    run(*session_);
    return add_parents(added);
  };
  // What cannot be completed is refused when the rows are put there in earnest.
  const auto found = search();
  (void)session_->run("ROLLBACK");
  if (!found) added.clear();
  return added;
}

Result<void> State::add_parents(std::vector<PlacedRow>& added) {
  constexpr int kMostParents = 100;
  for (bool again = true; std::exchange(again, false);)
    for (const Key& key : keys_) {
      std::string child, parent, present;
      for (std::size_t i = 0; i < key.child_columns.size(); ++i) {
        child += (i == 0 ? "c." : ", c.") + sql::quoted_name(key.child_columns[i]);
        parent += (i == 0 ? "p." : ", p.") + sql::quoted_name(key.parent_columns[i]);
        present += fmt::format(" AND c.{} IS NOT NULL", sql::quoted_name(key.child_columns[i]));
      }
      const auto orphans = ask(
          fmt::format("SELECT DISTINCT {} FROM {} c WHERE NOT EXISTS (SELECT FROM {} p WHERE ({}) = ({})){}",
                      child, key.child, key.parent, parent, child, present));
      if (!orphans) return orphans.error();
      for (const SqlRow& orphan : *orphans) {
        if (added.size() >= kMostParents) return {};
        auto row = parent_of(key, orphan, 1000 + static_cast<long long>(added.size()));
        if (!row) return std::move(row).error();
        ASSAY_TRY(insert_all({*row}));
        added.push_back(std::move(*row));
        again = true;
      }
    }
  return {};
}

Result<std::map<std::string, std::vector<std::string>>> State::tables() {
  std::map<std::string, std::vector<std::string>> all;
  for (const auto& [table, columns] : columns_) {
    const auto rows = ask(fmt::format("SELECT t::text FROM ONLY {} t", table));
    if (!rows) return rows.error();
    auto& texts = all[table];
    for (const SqlRow& row : *rows) texts.push_back(row.at(0).value_or(""));
    std::ranges::sort(texts);
  }
  return all;
}

}  // namespace assay::replay
