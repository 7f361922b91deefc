#include "cli/replay_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "history/builder.h"
#include "sql/print.h"

namespace assay::cli {
namespace {

class ReplayHistory {
 public:
  ReplayHistory(const sql::Application& application, const analysis::FoundAnomaly& anomaly,
                const std::vector<ReplayRecord>& records, SqlSession& calculator)
      : schema_(application.schema),
        application_(application),
        anomaly_(anomaly),
        records_(records),
        calculator_(calculator) {}

  Result<History> run(const std::vector<SqlRow>& initial_rows) {
    build_.set_initial(Scalar::null());
    for (std::size_t i = 0; i < initial_rows.size(); ++i)
      initial(anomaly_.initial_rows[i].table, initial_rows[i]);
    for (std::size_t t = 0; t < records_.size(); ++t)
      for (const ReplayRecord::Version& version : records_[t].versions)
        versions_[{version.table, version.key}].push_back(version.values);
    for (std::size_t t = 0; t < records_.size(); ++t)
      for (const ReplayRecord::Entry& entry : records_[t].entries)
        if (entry.kind == ReplayRecord::Entry::Kind::Insert) inserters_[{entry.table, entry.key}].insert(t);
    for (std::size_t t = 0; t < records_.size(); ++t) ASSAY_TRY(transaction(t));
    return std::move(build_).build();
  }

 private:
  using RowName = std::pair<sql::TableId, RowKey>;
  using Kind = ReplayRecord::Entry::Kind;

  std::string name(sql::TableId table, const RowKey& key) const {
    return fmt::format("{}({})", schema_[table].name, fmt::join(key, ","));
  }
  KeyId row_key(sql::TableId table, const RowKey& key) { return build_.key(name(table, key)); }
  KeyId cell_key(sql::TableId table, const RowKey& key, sql::ColumnId column) {
    return build_.key(name(table, key) + "." + schema_[table][column].name);
  }
  // A history's null is "no version"; an SQL NULL is a value like others.
  Scalar scalar(const CellValue& value) { return build_.pool().string(value.value_or("(null)")); }
  Scalar version(const ReplayRecord::Entry& entry, std::optional<std::size_t> by) {
    const std::string value = entry.value.value_or("(null)");
    return build_.pool().string(by ? fmt::format("{} by T{}", value, *by + 1) : value);
  }

  // Who wrote the cell last in the version of its row that transaction `number` made; nobody: it was there
  // before.
  std::optional<std::size_t> writer(const ReplayRecord::Entry& cell, std::string number) const {
    std::set<std::string> seen;
    while (seen.insert(number).second) {
      const auto made = std::ranges::find(records_, number, &ReplayRecord::number);
      if (number.empty() || made == records_.end()) return std::nullopt;
      std::string replaced;
      for (const ReplayRecord::Entry& entry : made->entries) {
        if (entry.table != cell.table || entry.key != cell.key) continue;
        if (entry.kind == Kind::Write && entry.column == cell.column)
          return static_cast<std::size_t>(made - records_.begin());
        if (entry.kind == Kind::Write && replaced.empty() && entry.made_by != number)
          replaced = entry.made_by;
      }
      number = replaced;
    }
    return std::nullopt;
  }

  void initial(sql::TableId table, const SqlRow& row) {
    const sql::Table& definition = schema_[table];
    if (definition.primary_key.empty()) return;
    RowKey key;
    for (const sql::ColumnId column : definition.primary_key) key.push_back(row[column.index()].value_or(""));
    build_.set_initial(row_key(table, key), build_.pool().string("initial"));
    for (std::size_t c = 0; c < definition.columns.size(); ++c)
      if (!definition.in_primary_key(sql::ColumnId(c)))
        build_.set_initial(cell_key(table, key, sql::ColumnId(c)), scalar(row[c]));
    versions_[{table, key}].push_back(row);
    initial_.insert({table, key});
  }

  Result<void> transaction(std::size_t t) {
    own_.clear();
    for (const ReplayRecord::Entry& entry : records_[t].entries) ASSAY_TRY(this->entry(t, entry));
    const std::string program = application_.programs[anomaly_.calls[t].program].name;
    const SessionId session = build_.session(fmt::format("T{} {}", t + 1, program));
    return build_.finish({.session = session,
                          .name = build_.pool().string(fmt::format("T{} {}", t + 1, program)),
                          .outcome = records_[t].committed ? Outcome::Committed : Outcome::Aborted});
  }

  Result<void> entry(std::size_t t, const ReplayRecord::Entry& entry) {
    const RowName row{entry.table, entry.key};
    switch (entry.kind) {
      case Kind::Read:
        build_.read(cell_key(entry.table, entry.key, entry.column),
                    version(entry, writer(entry, entry.made_by)));
        break;
      case Kind::Write:
        build_.write(cell_key(entry.table, entry.key, entry.column), version(entry, t));
        break;
      case Kind::Insert:
        build_.write(row_key(entry.table, entry.key), build_.pool().string(fmt::format("by T{}", t + 1)));
        own_[row] = true;
        break;
      case Kind::Delete:
        build_.remove(row_key(entry.table, entry.key));
        own_[row] = false;
        break;
      case Kind::SeesRow: sees(t, row); break;
      case Kind::Missed: return missed(entry);
    }
    return {};
  }

  // Whose row it was is known when only one could have made it.
  void sees(std::size_t t, const RowName& row) {
    if (const auto own = own_.find(row); own != own_.end()) return;
    const auto made = inserters_.find(row);
    std::set<std::size_t> others = made == inserters_.end() ? std::set<std::size_t>() : made->second;
    others.erase(t);
    if (initial_.contains(row) && others.empty())
      build_.read(row_key(row.first, row.second), build_.pool().string("initial"));
    else if (!initial_.contains(row) && others.size() == 1)
      build_.read(row_key(row.first, row.second),
                  build_.pool().string(fmt::format("by T{}", *others.begin() + 1)));
  }

  Result<void> missed(const ReplayRecord::Entry& entry) {
    for (const auto& [row, versions] : versions_) {
      if (row.first != entry.table || own_.contains(row)) continue;
      if (std::ranges::find(entry.given, row.second) != entry.given.end()) continue;
      const auto all = all_fulfil(entry, versions);
      if (!all) return all.error();
      if (*all) build_.read(row_key(row.first, row.second), Scalar::null());
    }
    return {};
  }

  Result<bool> all_fulfil(const ReplayRecord::Entry& entry, const std::vector<SqlRow>& versions) {
    if (entry.condition.empty()) return true;
    const sql::Table& table = schema_[entry.table];
    std::string rows, columns;
    for (const SqlRow& version : versions) {
      std::string values;
      for (std::size_t c = 0; c < version.size(); ++c)
        values += (values.empty() ? "" : ", ") + sql_literal(version[c], table.columns[c].type);
      rows += fmt::format("{}({})", rows.empty() ? "" : ", ", values);
    }
    for (const sql::Column& column : table.columns)
      columns += (columns.empty() ? "" : ", ") + sql::quoted_name(column.name);
    std::vector<SqlRow> answer;
    const std::string question = fmt::format(
        "SELECT bool_and(coalesce(({}), false)) FROM (VALUES {}) AS v({})", entry.condition, rows, columns);
    if (calculator_.run(question, answer) != Reply::Done || answer.empty())
      return error(calculator_.problem());
    return answer[0][0] == "t";
  }

  const sql::Schema& schema_;
  const sql::Application& application_;
  const analysis::FoundAnomaly& anomaly_;
  const std::vector<ReplayRecord>& records_;
  SqlSession& calculator_;
  HistoryBuilder build_;
  std::map<RowName, std::vector<SqlRow>> versions_;
  std::map<RowName, std::set<std::size_t>> inserters_;
  std::set<RowName> initial_;
  std::map<RowName, bool> own_;  // of the transaction at hand: rows it made or removed
};

}  // namespace

std::string sql_literal(const CellValue& value, sql::Type type) {
  constexpr std::string_view casts[] = {"::bigint", "::numeric", "::text", "::boolean", "", ""};
  const std::string_view cast = casts[static_cast<std::size_t>(type)];
  return fmt::format("{}{}", value ? sql::quoted(*value) : "NULL", cast);
}

Result<History> replayed_history(const sql::Application& application, const analysis::FoundAnomaly& anomaly,
                                 const std::vector<SqlRow>& initial_rows,
                                 const std::vector<ReplayRecord>& records, SqlSession& calculator) {
  return ReplayHistory(application, anomaly, records, calculator).run(initial_rows);
}

}  // namespace assay::cli
