#include "cli/command.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "history_io/byte_sink.h"
#include "report/text.h"

namespace assay::cli {
namespace {

// What was typed, and what is shown for it.
std::vector<std::pair<std::string, std::string>>& shown_words() {
  static std::vector<std::pair<std::string, std::string>> words;
  return words;
}

std::string without_passwords(std::string text) {
  for (const auto& [typed, shown] : shown_words())
    for (std::size_t at = text.find(typed); at != std::string::npos; at = text.find(typed, at + shown.size()))
      text.replace(at, typed.size(), shown);
  return text;
}

}  // namespace

namespace {

constexpr auto kBetweenLogLines = std::chrono::seconds(10);

// For a log: the first line comes after as long as all others, so that short work has none.
void show_now_and_then(const std::string& text) {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point last = Clock::now();
  if (text.empty() || Clock::now() - last < kBetweenLogLines) return;
  last = Clock::now();
  warn(text);
}

}  // namespace

Exit fail(const Error& problem) {
  warn(problem.describe());
  return Exit::Bad;
}

void warn(const std::string& message) {
  std::fprintf(stderr, "assay: %s\n", printable(without_passwords(message)).c_str());
}

void show_as(const std::string& typed, const std::string& shown) {
  if (!typed.empty() && typed != shown) shown_words().emplace_back(typed, shown);
}

void print(const std::string& text) {
  const std::string shown = printable(text, kColours);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
}

void show_progress(const std::string& text) {
  if (isatty(STDERR_FILENO) == 0) return show_now_and_then(text);
  std::fprintf(stderr, "\r\033[K%s%s", text.empty() ? "" : "assay: ", printable(text).c_str());
  std::fflush(stderr);
}

Result<void> write_text(const std::string& file, std::string_view text) {
  auto sink = ByteSink::create(file);
  if (!sink) return std::move(sink).error();
  sink->write(text);
  return sink->close();
}

CLI::Validator at_least_zero() {
  return {[](const std::string& text) {
            return std::strtod(text.c_str(), nullptr) < 0 ? text + " is less than 0" : std::string();
          },
          "", ""};
}

CLI::Validator more_than_zero() {
  return {[](const std::string& text) {
            return std::strtod(text.c_str(), nullptr) <= 0 ? text + " is not more than 0" : std::string();
          },
          "", ""};
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

void add_reading_options(CLI::App& command, ReadOptions& options) {
  command
      .add_option("--jepsen-workload", options.jepsen.workload,
                  "Jepsen workload of the history, where its operations do not say which (docs/jepsen.md)")
      ->check([](const std::string& name) {
        const auto known = check_workload_name(name);
        return known ? std::string() : known.error().describe();
      });
  command
      .add_option("--jepsen-ignore", options.jepsen.ignored,
                  "Names :f of Jepsen operations that change no data, separated by commas")
      ->delimiter(',');
}

}  // namespace assay::cli
