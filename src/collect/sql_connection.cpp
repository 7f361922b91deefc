#include "collect/sql_connection.h"

#include <fmt/format.h>

namespace assay {

// Parameters in the order in which row_statements() has them.
Reply SqlConnection::ask(const Asked& asked, RowAnswer& answer) {
  RowStatement statement = asked.write ? RowStatement::Write : RowStatement::Read;
  parameters_.clear();
  switch (asked.action) {
    case RowAction::None:
      if (asked.write) add_row(asked.key, asked.value);
      else parameters_ = {asked.key.value};
      break;
    case RowAction::Insert:
      statement = RowStatement::Insert;
      add_row(asked.key, asked.value);
      break;
    case RowAction::Delete:
      statement = RowStatement::Delete;
      parameters_ = {asked.key.value};
      break;
    case RowAction::Scan:
      statement = RowStatement::Scan;
      parameters_ = {asked.key.value, asked.last.value};
      break;
    case RowAction::Select:
      statement = select_by(asked.filter.column);
      parameters_ = {asked.filter.low, asked.filter.high};
      break;
    case RowAction::Update:
      statement = update_by(asked.filter.column);
      parameters_ = {asked.value, asked.filter.low, asked.filter.high};
      break;
  }
  answer_.values.clear();
  answer_.changed = 0;
  const Reply reply = run_on_rows(static_cast<std::size_t>(statement), parameters_, answer_);
  if (reply != Reply::Done) return reply;
  answer.met_a_row = (answer_.changed > 0) == (asked.action == RowAction::Delete);
  take_rows(asked, answer.rows);
  return reply;
}

std::string SqlConnection::several_rows(std::size_t rows) {
  return fmt::format("a read of one key returned {} rows", rows);
}

void SqlConnection::add_row(StoreKey key, std::int64_t row) {
  parameters_.push_back(key.value);
  for (const RowColumn column : sql_->layout().rows()->columns())
    parameters_.push_back(column_of(row, column));
}

void SqlConnection::take_rows(const Asked& asked, std::vector<StoreWrite>& rows) const {
  const bool two = sql_->layout().rows()->has_two_columns();
  const std::size_t width = two ? 3 : 2;
  for (std::size_t i = 0; i + width <= answer_.values.size(); i += width) {
    const std::int64_t* const at = answer_.values.data() + i;
    const StoreKey key(static_cast<std::size_t>(at[0]));
    std::int64_t row =
        two ? two_columns(static_cast<std::uint32_t>(at[1]), static_cast<std::uint32_t>(at[2])) : at[1];
    if (asked.action == RowAction::Update && !sql_->returns_updated_rows())
      row = updated_row(key, row, asked.filter, asked.value);
    rows.push_back({key, row});
  }
}

}  // namespace assay
