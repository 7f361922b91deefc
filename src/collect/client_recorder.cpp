#include "collect/client_recorder.h"

#include <charconv>

namespace assay {
namespace {

void print_number(std::int64_t number, std::string& text) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace

void ClientRecorder::begin(std::int64_t instant) {
  instants_ = {.begin = instant};
  operations_.clear();
  written_ = false;
}

void ClientRecorder::key(std::string_view opening, StoreKey key) {
  operations_ += operations_.empty() ? '[' : ',';
  operations_ += opening;
  if (const std::string name = workload_.name(key); name.empty()) print_number(key.value, operations_);
  else print_json_string(name, operations_);
  operations_ += ',';
}

void ClientRecorder::operation(std::string_view opening, StoreKey key, std::int64_t value) {
  this->key(opening, key);
  print_number(value, operations_);
  operations_ += ']';
}

void ClientRecorder::read_list(StoreKey key, std::span<const std::int64_t> elements) {
  this->key("[\"r\",", key);
  operations_ += '[';
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) operations_ += ',';
    print_number(elements[i], operations_);
  }
  operations_ += "]]";
}

Result<void> ClientRecorder::committing(std::int64_t instant) {
  instants_.committing = instant;
  return write_operations();
}

Result<void> ClientRecorder::write_operations() {
  line_.clear();
  for (const auto& at : {instants_.begin, instants_.began, instants_.committing}) {
    if (at) print_number(*at, line_);
    else line_ += '-';
    line_ += ' ';
  }
  line_ += operations_.empty() ? "[" : operations_;
  line_ += "]\n";
  written_ = true;
  return journal_.append(line_);
}

Result<void> ClientRecorder::end(Outcome outcome, std::int64_t instant) {
  if (!written_) ASSAY_TRY(write_operations());
  if (outcome == Outcome::Unknown) return journal_.append("u\n");
  line_ = outcome == Outcome::Committed ? "c " : "a ";
  print_number(instant, line_);
  line_ += '\n';
  return journal_.append(line_);
}

}  // namespace assay
