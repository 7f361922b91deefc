#include "cli/command.h"

#include <unistd.h>

#include <cstdio>

#include "history_io/byte_sink.h"

namespace assay::cli {

Exit fail(const Error& problem) {
  warn(problem.describe());
  return Exit::Bad;
}

void warn(const std::string& message) { std::fprintf(stderr, "assay: %s\n", message.c_str()); }

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void show_progress(const std::string& text) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "\r\033[K%s%s", text.empty() ? "" : "assay: ", text.c_str());
  std::fflush(stderr);
}

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
