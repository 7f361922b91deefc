#include "cli/command.h"

#include <cstdio>

#include "history_io/byte_sink.h"

namespace assay::cli {

Exit fail(const Error& problem) {
  warn(problem.describe());
  return Exit::Bad;
}

void warn(const std::string& message) { std::fprintf(stderr, "assay: %s\n", message.c_str()); }

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

Result<void> write_text(const std::string& file, std::string_view text) {
  auto sink = ByteSink::create(file);
  if (!sink) return std::move(sink).error();
  sink->write(text);
  return sink->close();
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace assay::cli
