// What the transactions of a replay saw and did, as a history: a key for each cell of a row, and one for the
// row itself.
//
// A query that did not give a row has still read something of it: that it was not there. This is known only
// when the row's every version would have been given, so it is decided at the end, when all versions are
// known. What is not certain is left out: the history says less than what happened, never more.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "collect/sql_session.h"
#include "history/history.h"
#include "sql/program.h"

namespace assay::cli {

using CellValue = std::optional<std::string>;  // nullopt: NULL
using RowKey = std::vector<std::string>;

// `'7'::bigint`, as statements say a value of this type.
std::string sql_literal(const CellValue& value, sql::Type type);

// By one transaction, on its own thread.
class ReplayRecord {
 public:
  struct Entry {
    enum class Kind : std::uint8_t { Read, Write, Insert, Delete, SeesRow, Missed };
    Kind kind;
    sql::TableId table;
    RowKey key{};
    sql::ColumnId column{};       // of Read and Write
    CellValue value{};            // of Read and Write
    std::string made_by{};        // of Read; of Write the version it replaced: xmin of the row
    std::string condition{};      // of Missed: what the rows given fulfil, over bare column names
    std::vector<RowKey> given{};  // of Missed
  };
  struct Version {
    sql::TableId table;
    RowKey key;
    SqlRow values;  // all columns
  };

  std::vector<Entry> entries;
  std::vector<Version> versions;  // that this transaction made
  std::string number;             // of the transaction, as xmin has it; empty when it wrote nothing
  bool committed = false;
};

// `calculator` answers whether versions of rows fulfil conditions.
Result<History> replayed_history(const sql::Application& application, const analysis::FoundAnomaly& anomaly,
                                 const std::vector<SqlRow>& initial_rows,
                                 const std::vector<ReplayRecord>& records, SqlSession& calculator);

}  // namespace assay::cli
