#include "collect/client_recorder.h"

#include <charconv>
#include <cstring>

namespace assay {
namespace {

constexpr std::size_t kLongestNumber = 20;

void print_number(std::int64_t number, std::string& text) {
  char digits[kLongestNumber];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void print_text(std::string_view bytes, Column<char>& text) {
  std::memcpy(text.append_for_overwrite(bytes.size()), bytes.data(), bytes.size());
}

void print_number(std::int64_t number, Column<char>& text) {
  char* const digits = text.append_for_overwrite(kLongestNumber);
  const char* const end = std::to_chars(digits, digits + kLongestNumber, number).ptr;
  text.truncate(static_cast<std::size_t>(end - text.data()));
}

}  // namespace

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
