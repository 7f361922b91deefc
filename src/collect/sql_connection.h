// Operations on rows in SQL: which statement, with which parameters, and what its answer means. An adapter
// only runs statements.
#pragma once

#include "collect/database.h"
#include "collect/sql_text.h"

namespace assay {

struct SqlAnswer {
  std::vector<std::int64_t> values;  // of the rows that came back: key and columns, one row after the other
  std::uint64_t changed = 0;         // rows
};

class SqlConnection : public Connection {
 public:
  Reply ask(const Asked& asked, RowAnswer& answer) final;

 protected:
  explicit SqlConnection(std::shared_ptr<const SqlText> sql) : sql_(std::move(sql)) {}

  // Runs the statement with this number of sql_->row_statements(). `answer` is empty before.
  virtual Reply run_on_rows(std::size_t statement, std::span<const std::int64_t> parameters,
                            SqlAnswer& answer) = 0;

  // The problem of a read by a whole primary key that shows more than one row. Nobody can say which of them
  // was read.
  static std::string several_rows(std::size_t rows);

  const std::shared_ptr<const SqlText> sql_;

 private:
  void add_row(StoreKey key, std::int64_t row);
  void take_rows(const Asked& asked, std::vector<StoreWrite>& rows) const;

  std::vector<std::int64_t> parameters_;  // scratch
  SqlAnswer answer_;                      // scratch
};

}  // namespace assay
