#include "sql_log/transactions.h"

#include <fmt/format.h>

#include <algorithm>

#include "sql/words.h"
#include "sql_log/value_lists.h"

namespace assay::sql_log {
namespace {

using sql::Json;
using sql::member;

// `DECLARE c CURSOR FOR query`: the query. What is fetched later is what it saw when it was declared.
std::string query_of_cursor(const std::string& declare) {
  const std::string text = sql::lowered(declare);
  auto found = text.find(" cursor ");
  found = found == text.npos ? found : text.find(" for ", found);
  return found == text.npos ? std::string() : declare.substr(found + 5);
}

bool reads_only(const std::vector<SeenStatement>& statements) {
  return std::ranges::all_of(statements, [](const SeenStatement& s) {
    const std::string& text = s.what.shape.text;
    const auto first = sql::lowered(std::string_view(text).substr(0, text.find(' ')));
    const bool changes =
        sql::has_word(text, "insert") || sql::has_word(text, "update") || sql::has_word(text, "delete");
    return s.role != Role::Work ||
           (s.problem.empty() && (first == "select" || (first == "with" && !changes)));
  });
}

// Frameworks put a savepoint around every statement that may fail. One that nobody goes back to is nothing.
void tidy_savepoints(std::vector<SeenStatement>& statements) {
  const bool goes_back =
      std::ranges::any_of(statements, [](const auto& s) { return s.role == Role::RollbackTo; });
  std::map<std::string, std::string> names;
  std::erase_if(statements, [&](const SeenStatement& s) {
    return (s.role == Role::Savepoint && !goes_back) || s.role == Role::Release;
  });
  for (SeenStatement& s : statements) {
    if (s.role != Role::Savepoint && s.role != Role::RollbackTo) continue;
    const std::string name =
        names.try_emplace(s.what.shape.text, fmt::format("sp{}", names.size() + 1)).first->second;
    s.what.shape.text = (s.role == Role::Savepoint ? "SAVEPOINT " : "ROLLBACK TO SAVEPOINT ") + name;
  }
}

bool changes_rows(const Json& tree) {
  const std::string kind = sql::kind_of(tree);
  return kind == "InsertStmt" || kind == "UpdateStmt" || kind == "DeleteStmt" || kind == "MergeStmt" ||
         kind == "TruncateStmt" || kind == "CopyStmt";
}

// Some statement of an application is faster than this.
constexpr double kSlow = 20;  // milliseconds

constexpr std::string_view kWhyLeftOut[] = {
    "they were rolled back",
    "their end is not in the log",
    "their beginning is not in the log",
    "they change the schema",
};

}  // namespace

void TransactionReader::add(const LogEntry& entry) {
  if (entry.session.empty()) return;
  const auto [found, fresh] = sessions_.try_emplace(entry.session);
  Session& session = found->second;
  if (const auto logged = logged_statement(entry)) return statement(session, entry, *logged);
  if (entry.severity == "ERROR") return error(session, entry);
  // The server rolls back what a client leaves open. A process id may come again.
  if (entry.severity == "FATAL" || entry.message.starts_with("disconnection: ") ||
      entry.message.starts_with("connection ")) {
    end(session, session.in_block ? End::Rollback : End::Commit);
    session = Session();
  }
}

void TransactionReader::statement(Session& session, const LogEntry& entry, const LoggedStatement& logged) {
  if (summary_.statements++ == 0) complete_.first = entry.place;
  complete_.fastest = std::min(complete_.fastest, logged.milliseconds);
  session.last_sql = logged.sql;
  // `3/17`; `3/0` is written where the transaction is over already.
  const std::string& id = entry.transaction;
  const bool has_id = !id.empty() && !id.ends_with("/0");
  if (!session.in_block && (!has_id || id != session.block_transaction)) end(session, End::Commit);
  if (has_id) session.block_transaction = id;
  const auto trees = sql::parse_sql(logged.sql);
  if (!trees) {
    append(session, {{}, Role::Work, trees.error().what, entry.place});
    session.open.back().what.shape.text = logged.sql;
  } else {
    for (const Json& tree : *trees) {
      const auto start = static_cast<std::size_t>(sql::number_of(tree, "stmt_location"));
      const auto length = static_cast<std::size_t>(sql::number_of(tree, "stmt_len"));
      one(session, entry, member(tree, "stmt"),
          logged.sql.substr(start, length == 0 ? logged.sql.npos : length), logged.values,
          trees->size() == 1);
    }
  }
  // Outside of a block the next entry of the session tells whether this was all of it, and whether it failed.
}

void TransactionReader::one(Session& session, const LogEntry& entry, const Json& tree, const std::string& sql,
                            const LoggedValues& values, bool alone) {
  const Part part = part_of(tree, schema_);
  complete_.all_kinds |= part.role != Role::Schema && !changes_rows(tree);
  if (!part.remark.empty()) remark(entry.place, part.remark);
  switch (part.role) {
    case Role::Begin:
      // BEGIN behind other statements of one message makes them part of the block.
      if (!session.in_block && alone) end(session, End::Commit);
      session.in_block = true;
      session.level = part.level;
      return;
    case Role::Commit:
    case Role::Rollback:
      if (!session.in_block && alone) {
        if (!session.open.empty()) end(session, End::NoBeginning);
        else if (part.role == Role::Commit)
          remark(entry.place,
                 "COMMIT without BEGIN: the statements before it in the log are taken for transactions of "
                 "their own");
        return;
      }
      end(session, part.role == Role::Commit && !session.failed ? End::Commit : End::Rollback);
      session.in_block = part.chain;
      return;
    case Role::SetLevel:
      // SET TRANSACTION READ ONLY does not say a level.
      if (!part.level.empty()) (part.session ? session.default_level : session.level) = part.level;
      return;
    case Role::Talk: return;
    case Role::Savepoint:
    case Role::Release:
    case Role::RollbackTo: {
      SeenStatement mark{{}, part.role, "", entry.place};
      mark.what.shape.text = part.name;
      if (part.role == Role::RollbackTo) session.failed = false;
      return append(session, std::move(mark));
    }
    case Role::Cursor: {
      const std::string query = query_of_cursor(sql);
      SeenStatement seen = shaped(query.empty() ? sql : query, values, entry.place);
      return append(session, std::move(seen));
    }
    case Role::Schema: {
      SeenStatement seen{{}, part.role, "", entry.place};
      return append(session, std::move(seen));
    }
    case Role::Work: return append(session, shaped(sql, values, entry.place));
  }
}

SeenStatement TransactionReader::shaped(const std::string& sql, const LoggedValues& values,
                                        sql::Place place) const {
  auto shape = shape_of(sql, values, schema_);
  if (shape) return {with_arrays(std::move(shape).value(), schema_), Role::Work, "", std::move(place)};
  SeenStatement seen{{}, Role::Work, shape.error().what, std::move(place)};
  seen.what.shape.text = sql;
  return seen;
}

// Of a session that logs durations, a statement that fails is known from its error only. What it read before
// it failed may be why the application does something else.
void TransactionReader::error(Session& session, const LogEntry& entry) {
  if (!session.in_block) {
    // What is open is the statement that failed, and what was sent with it; or it was logged after it
    // succeeded.
    const bool another = !entry.statement.empty() && entry.statement != session.last_sql;
    return end(session, another ? End::Commit : End::Rollback);
  }
  if (!session.failed && !entry.statement.empty() && entry.statement != session.last_sql) {
    const auto trees = sql::parse_sql(entry.statement);
    if (trees && trees->size() == 1 && part_of(member((*trees)[0], "stmt"), schema_).role == Role::Work)
      append(session, shaped(entry.statement, {}, entry.place));
  }
  session.failed = true;
}

void TransactionReader::end(Session& session, End how) {
  SeenTransaction transaction{std::move(session.open),
                              session.level.empty() ? session.default_level : session.level};
  session.open.clear();
  session.level.clear();
  const bool failed = std::exchange(session.failed, false);
  session.in_block = false;
  session.block_transaction.clear();
  std::vector<SeenStatement>& statements = transaction.statements;
  tidy_savepoints(statements);
  if (statements.empty()) return;
  ++summary_.transactions;
  if (how == End::Unknown) return leave_out(Left::NoEnd, transaction);
  if (how == End::NoBeginning) return leave_out(Left::NoBeginning, transaction);
  if (std::ranges::any_of(statements, [](const auto& s) { return s.role == Role::Schema; }))
    return leave_out(Left::Schema, transaction);
  if (how == End::Rollback && (failed || !reads_only(statements)))
    return leave_out(Left::RolledBack, transaction);
  take_(std::move(transaction));
}

void TransactionReader::leave_out(Left why, const SeenTransaction& transaction) {
  auto& [count, first] = left_out_[why];
  if (count++ == 0) first = transaction.statements.front().place;
}

void TransactionReader::remark(const sql::Place& place, const std::string& text) {
  remarks_.try_emplace(text, place);
}

LogSummary TransactionReader::finish() {
  for (auto& [name, session] : sessions_) end(session, session.in_block ? End::Unknown : End::Commit);
  summary_.sessions = sessions_.size();
  // What transactions read is missing from such logs, and with it their anomalies.
  if (summary_.statements > 0 && !complete_.all_kinds)
    remark(complete_.first,
           "the log has nothing but changes, so it may lack what transactions read: is log_statement 'all'?");
  if (summary_.statements > 0 && complete_.fastest >= kSlow)
    remark(complete_.first,
           fmt::format("the fastest statement of the log took {:.0f} ms, so it may lack others: is "
                       "log_min_duration_statement 0?",
                       complete_.fastest));
  for (const auto& [text, place] : remarks_) summary_.notes.push_back({place, text});
  for (const auto& [why, left] : left_out_)
    summary_.notes.push_back(
        {left.second, fmt::format("transactions left out because {}: {}, this one first",
                                  kWhyLeftOut[static_cast<std::size_t>(why)], left.first)});
  return std::move(summary_);
}

}  // namespace assay::sql_log
