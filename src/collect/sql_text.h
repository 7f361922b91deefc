// The SQL that the adapters have in common: tables of a layout, and for each of its columns the statements
// that read and change it.
//
// Parameters come in one order in all databases: the value, if there is one, then the columns of the key.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "simulate/generator.h"
#include "simulate/tables.h"

namespace assay {

// What differs between databases.
struct SqlDialect {
  bool numbered_parameters = false;  // $1 instead of ?
  bool on_duplicate_key = false;     // instead of ON CONFLICT
  std::string_view integer, text;    // types
  std::string_view after_table{};    // what follows the columns in CREATE TABLE
};

// A column that keys live in.
struct SqlColumn {
  std::string table;  // with what stands before its name
  std::string_view name;
  const Table& of;
};

class SqlText {
 public:
  // `prefix` stands before the names of tables.
  SqlText(const SqlDialect& dialect, std::string prefix, DataKind data,
          std::shared_ptr<const TableLayout> layout);

  const TableLayout& layout() const { return *layout_; }
  DataKind data() const { return data_; }
  const std::vector<SqlColumn>& columns() const { return columns_; }

  // Makes the tables, with their first rows.
  Result<void> create(const std::function<Result<void>(const std::string& sql)>& execute) const;
  Result<void> drop(const std::function<Result<void>(const std::string& sql)>& execute) const;

  std::string read(const SqlColumn& column) const;
  std::string update(const SqlColumn& column) const;
  // Makes the row if there is none; otherwise the column becomes what `otherwise` says, where {0} is the
  // column and {1} the value that was to be inserted.
  std::string upsert(const SqlColumn& column, std::string_view value, std::string_view otherwise) const;
  // The value that a parameter of that number stands for.
  std::string parameter(std::size_t number) const;

 private:
  std::string named(const Table& table) const { return prefix_ + std::string(table.name); }
  std::string definition(const Table& table) const;
  std::string where(const SqlColumn& column, std::size_t first) const;

  const SqlDialect dialect_;
  const std::string prefix_;
  const DataKind data_;
  const std::shared_ptr<const TableLayout> layout_;
  std::vector<SqlColumn> columns_;
};

}  // namespace assay
