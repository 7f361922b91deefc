#include "collect/sql_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace assay {
namespace {

// The rows that a table has from the start, one after the other.
class FirstRows {
 public:
  explicit FirstRows(const Table& table) : table_(table), at_(table.key.size(), 0) {
    ended_ = std::ranges::find(table.rows, 0u) != table.rows.end();
  }
  bool ended() const { return ended_; }
  std::string next() {
    std::string text;
    for (const std::size_t at : at_)
      text += fmt::format("{}{}", text.empty() ? "(" : ",", static_cast<std::int64_t>(at) + table_.first);
    advance();
    return text + ")";
  }

 private:
  void advance() {
    std::size_t place = at_.size();
    while (place > 0 && ++at_[place - 1] == table_.rows[place - 1]) at_[--place] = 0;
    ended_ = place == 0;
  }

  const Table& table_;
  std::vector<std::size_t> at_;
  bool ended_;
};

}  // namespace

SqlText::SqlText(const SqlDialect& dialect, std::string prefix, DataKind data,
                 std::shared_ptr<const TableLayout> layout)
    : dialect_(dialect), prefix_(std::move(prefix)), data_(data), layout_(std::move(layout)) {
  if (layout_->rows() != nullptr) return;
  for (const Table& table : layout_->tables())
    for (const std::string_view column : table.columns) columns_.push_back({named(table), column, table});
}

std::string SqlText::definition(const Table& table) const {
  const bool lists = data_ == DataKind::Lists;
  std::string columns;
  // SQLite keeps a row by an INTEGER that is the whole key, and only by one that is written so.
  const bool alone = table.key.size() == 1;
  for (const std::string_view key : table.key)
    columns += fmt::format("{} {} {}, ", key, dialect_.integer, alone ? "PRIMARY KEY" : "NOT NULL");
  for (const std::string_view column : table.columns)
    columns += lists ? fmt::format("{} {} NOT NULL, ", column, dialect_.text)
                     : fmt::format("{} {} NOT NULL DEFAULT 0, ", column, dialect_.integer);
  if (alone) columns.resize(columns.size() - 2);
  else columns += fmt::format("PRIMARY KEY ({})", fmt::join(table.key, ", "));
  return fmt::format("CREATE TABLE {} ({}){}", named(table), columns, dialect_.after_table);
}

Result<void> SqlText::create(const Execute& execute) const {
  for (const Table& table : layout_->tables()) {
    ASSAY_TRY(execute(definition(table)));
    if (layout_->rows() != nullptr) return create_rows(*layout_->rows(), execute);
    if (data_ == DataKind::Lists) continue;
    for (FirstRows rows(table); !rows.ended();) {
      std::string sql = fmt::format("INSERT INTO {} ({}) VALUES ", named(table), fmt::join(table.key, ","));
      for (std::size_t row = 0; row < kRowsOfAnInsert && !rows.ended(); ++row)
        sql += (row == 0 ? "" : ",") + rows.next();
      ASSAY_TRY(execute(sql));
    }
  }
  return {};
}

Result<void> SqlText::drop(const Execute& execute) const {
  for (const Table& table : layout_->tables()) ASSAY_TRY(execute("DROP TABLE IF EXISTS " + named(table)));
  return {};
}

std::string SqlText::parameter(std::size_t number) const {
  return dialect_.numbered_parameters ? fmt::format("${}", number) : "?";
}

std::string SqlText::where(const SqlColumn& column, std::size_t first) const {
  std::string text;
  for (const std::string_view key : column.of.key)
    text += fmt::format("{}{} = {}", text.empty() ? "" : " AND ", key, parameter(first++));
  return text;
}

std::string SqlText::read(const SqlColumn& column) const {
  return fmt::format("SELECT {} FROM {} WHERE {}", column.name, column.table, where(column, 1));
}

std::string SqlText::update(const SqlColumn& column) const {
  return fmt::format("UPDATE {} SET {} = {} WHERE {}", column.table, column.name, parameter(1),
                     where(column, 2));
}

std::string SqlText::upsert(const SqlColumn& column, std::string_view value,
                            std::string_view otherwise) const {
  const std::string keys = fmt::format("{}", fmt::join(column.of.key, ", "));
  std::string values(value);
  for (std::size_t i = 0; i < column.of.key.size(); ++i) values += ", " + parameter(i + 2);
  const std::string old =
      dialect_.on_duplicate_key ? std::string(column.name) : fmt::format("{}.{}", column.table, column.name);
  const std::string inserted = dialect_.on_duplicate_key ? fmt::format("VALUES({})", column.name)
                                                         : fmt::format("EXCLUDED.{}", column.name);
  return fmt::format("INSERT INTO {} ({}, {}) VALUES ({}) {} {} = {}", column.table, column.name, keys,
                     values,
                     dialect_.on_duplicate_key ? "ON DUPLICATE KEY UPDATE"
                                               : fmt::format("ON CONFLICT ({}) DO UPDATE SET", keys),
                     column.name, fmt::format(fmt::runtime(otherwise), old, inserted));
}

}  // namespace assay
