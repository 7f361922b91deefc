#include "collect/client_recorder.h"

#include <algorithm>

#include "collect/print_row.h"

namespace assay {

void ClientRecorder::begin(std::int64_t instant) {
  instants_ = {.begin = instant};
  operations_.truncate(0);
  written_ = false;
}

void ClientRecorder::open_operation(std::string_view opening, StoreKey key) {
  operations_.push_back(operations_.empty() ? '[' : ',');
  print_text(opening, operations_);
  if (named_) {
    std::string name;
    print_json_string(names_.name(key), name);
    print_text(name, operations_);
  } else {
    print_number(key.value, operations_);
  }
  operations_.push_back(',');
}

void ClientRecorder::operation(std::string_view opening, StoreKey key, std::int64_t value) {
  if (!journal_) return;
  open_operation(opening, key);
  print_number(value, operations_);
  operations_.push_back(']');
}

void ClientRecorder::read_list(StoreKey key, std::span<const std::int64_t> elements) {
  if (!journal_) return;
  open_operation("[\"r\",", key);
  operations_.push_back('[');
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) operations_.push_back(',');
    print_number(elements[i], operations_);
  }
  print_text("]]", operations_);
}

void ClientRecorder::answered(const Asked& asked, const RowAnswer& answer) {
  if (!journal_) return;
  switch (asked.action) {
    case RowAction::None:
      if (asked.write) return row_operation("[\"w\",", asked.key, asked.value);
      return row_operation("[\"r\",", asked.key, answer.rows.empty() ? kNoRow : answer.rows.front().value);
    case RowAction::Insert:
      if (!answer.met_a_row) row_operation("[\"insert\",", asked.key, asked.value);
      return;
    case RowAction::Delete:
      open_operation("[\"delete\",", asked.key);
      return print_text(answer.met_a_row ? "true]" : "false]", operations_);
    case RowAction::Scan:
      open_operation("[\"scan\",", asked.key);
      print_number(asked.last.value, operations_);
      return close_found(answer.rows);
    case RowAction::Select: filter("[\"select\",", asked.filter); return close_found(answer.rows);
    case RowAction::Update: filter("[\"update\",", asked.filter); return close_with(answer.rows);
  }
}

void ClientRecorder::row_operation(std::string_view opening, StoreKey key, std::int64_t row) {
  open_operation(opening, key);
  print_row(row, two_columns_, operations_);
  operations_.push_back(']');
}

void ClientRecorder::filter(std::string_view opening, const RowFilter& filter) {
  operations_.push_back(operations_.empty() ? '[' : ',');
  print_text(opening, operations_);
  print_text("[\"between\",\"", operations_);
  print_text(name_of(filter.column), operations_);
  print_text("\",", operations_);
  print_number(filter.low, operations_);
  operations_.push_back(',');
  print_number(filter.high, operations_);
  operations_.push_back(']');
}

void ClientRecorder::close_with(std::span<const StoreWrite> rows) {
  print_text(",[", operations_);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    print_text(i == 0 ? "[" : ",[", operations_);
    print_number(rows[i].key.value, operations_);
    operations_.push_back(',');
    print_row(rows[i].value, two_columns_, operations_);
    operations_.push_back(']');
  }
  print_text("]]", operations_);
}

void ClientRecorder::close_found(std::span<const StoreWrite> rows) {
  found_.assign(rows.begin(), rows.end());
  if (!std::ranges::is_sorted(found_, {}, &StoreWrite::key))
    std::ranges::stable_sort(found_, {}, &StoreWrite::key);
  again_.clear();
  std::size_t kept = 0;
  for (const StoreWrite& row : found_) {
    if (kept > 0 && found_[kept - 1].key == row.key) again_.push_back(row);
    else found_[kept++] = row;
  }
  found_.resize(kept);
  close_with(found_);
  for (const StoreWrite& row : again_) row_operation("[\"r\",", row.key, row.value);
}

Result<void> ClientRecorder::committing(std::int64_t instant) {
  instants_.committing = instant;
  return write_operations();
}

Result<void> ClientRecorder::write_operations() {
  if (!journal_) return {};
  line_.clear();
  for (const auto& at : {instants_.begin, instants_.began, instants_.committing}) {
    if (at) print_number(*at, line_);
    else line_ += '-';
    line_ += ' ';
  }
  if (operations_.empty()) operations_.push_back('[');
  print_text("]\n", operations_);
  written_ = true;
  ASSAY_TRY(journal_->append(line_));
  return journal_->append({operations_.data(), operations_.size()});
}

Result<void> ClientRecorder::end(Outcome outcome, std::int64_t instant) {
  if (!journal_) return {};
  if (!written_) ASSAY_TRY(write_operations());
  if (outcome == Outcome::Unknown) return journal_->append("u\n");
  line_ = outcome == Outcome::Committed ? "c " : "a ";
  print_number(instant, line_);
  line_ += '\n';
  return journal_->append(line_);
}

}  // namespace assay
