// The SQL that the adapters have in common: tables of a layout, and for each of its columns the statements
// that read and change it; or, for a table of rows, those that find, change, make and remove rows.
//
// Parameters come in one order in all databases: the value, if there is one, then the columns of the key.
//
// An update by predicate has to say which rows it changed. Where there is no RETURNING, it notes each row, as
// it was, in the variable @assay_rows: the expression of a SET is evaluated for the rows that are changed,
// and for no other. How many rows were changed shows whether that is so.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "simulate/generator.h"
#include "simulate/row_table.h"

namespace assay {

constexpr std::size_t kRowsOfAnInsert = 1000;

// What differs between databases.
struct SqlDialect {
  bool numbered_parameters = false;  // $1 instead of ?
  bool on_duplicate_key = false;     // instead of ON CONFLICT; a plain INSERT may fail and not abort
  bool returning = true;             // UPDATE ... RETURNING
  std::string_view integer, text;    // types
  std::string_view after_table{};    // what follows the columns in CREATE TABLE
};

// What can be asked of a table of rows.
enum class RowStatement : std::uint8_t {
  Read,    // k
  Write,   // k and all columns
  Insert,  // the same; changes nothing where there is a row
  Delete,  // k
  Scan,    // first and last k
  SelectByValue,
  SelectByV1,  // low, high
  SelectByV2,
  UpdateByV1,  // shift, low, high
  UpdateByV2,
};
RowStatement select_by(RowColumn column);
RowStatement update_by(RowColumn column);
bool returns_rows(RowStatement statement);  // also where UPDATE has no RETURNING

// A column that keys live in.
struct SqlColumn {
  std::string table;  // with what stands before its name
  std::string_view name;
  const Table& of;
};

class SqlText {
 public:
  using Execute = std::function<Result<void>(const std::string& sql)>;

  // `prefix` stands before the names of tables.
  SqlText(const SqlDialect& dialect, std::string prefix, DataKind data,
          std::shared_ptr<const TableLayout> layout);

  const TableLayout& layout() const { return *layout_; }
  DataKind data() const { return data_; }
  // None where keys are rows.
  const std::vector<SqlColumn>& columns() const { return columns_; }

  // Makes the tables, with their first rows.
  Result<void> create(const Execute& execute) const;
  Result<void> drop(const Execute& execute) const;

  std::string read(const SqlColumn& column) const;
  std::string update(const SqlColumn& column) const;
  // Makes the row if there is none; otherwise the column becomes what `otherwise` says, where {0} is the
  // column and {1} the value that was to be inserted.
  std::string upsert(const SqlColumn& column, std::string_view value, std::string_view otherwise) const;
  // The value that a parameter of that number stands for.
  std::string parameter(std::size_t number) const;

  // By number of RowStatement; none where keys are no rows, and empty ones for columns that there are not.
  std::vector<std::string> row_statements() const;
  bool returns_updated_rows() const { return dialect_.returning; }

 private:
  Result<void> create_rows(const RowTable& rows, const Execute& execute) const;
  std::string insert_row(const RowTable& rows, std::string_view otherwise) const;
  std::string update_by_predicate(const RowTable& rows, RowColumn by) const;
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
