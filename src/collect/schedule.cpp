#include "collect/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "history_io/byte_source.h"

namespace assay {
namespace {

constexpr std::string_view kHermitage[] = {
    "G0 | W1[x] W2[x] W1[y] C1 W2[y] C2 R3[x] R3[y] C3",
    "G1a | W1[x] R2[x] A1 R2[x] C2",
    "G1b | W1[x] R2[x] W1[x] C1 R2[x] C2",
    "G1c | W1[x] W2[y] R1[y] R2[x] C1 C2",
    "OTV | W1[x] W1[y] W2[x] C1 R3[x] W2[y] R3[y] C2 R3[y] R3[x] C3",
    "P4 | R1[x] R2[x] W1[x] W2[x] C1 C2",
    "G-single | R1[x] R2[x] R2[y] W2[x] W2[y] C2 R1[y] C1",
    "G2-item | R1[x] R1[y] R2[x] R2[y] W1[x] W2[y] C1 C2",
    "G2-two-edges | R1[x] R1[y] R2[y] W2[y] C2 R3[x] R3[y] C3 W1[x] C1",
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::size_t key_number(Schedule& schedule, const std::string& key) {
  const auto found = std::ranges::find(schedule.keys, key);
  if (found == schedule.keys.end()) schedule.keys.push_back(key);
  return static_cast<std::size_t>(std::ranges::find(schedule.keys, key) - schedule.keys.begin());
}

// The key of R1[x0] is x: the number of a version is not part of it.
std::string key_of(std::string_view bracket) {
  while (!bracket.empty() && bracket.back() >= '0' && bracket.back() <= '9') bracket.remove_suffix(1);
  return std::string(bracket);
}

Result<void> add_step(Schedule& schedule, std::string_view word) {
  using enum ScheduleStep::Kind;
  const std::string_view kinds = "RWCA";
  const std::size_t kind = kinds.find(word.front());
  std::size_t client = 0;
  const char* const end = word.data() + word.size();
  const char* const rest = std::from_chars(word.data() + 1, end, client).ptr;
  const std::string_view bracket(rest, static_cast<std::size_t>(end - rest));
  const bool item = kind < 2 && bracket.size() > 2 && bracket.front() == '[' && bracket.back() == ']';
  if (kind == std::string_view::npos || client == 0 || client > 64 ||
      (!item && !(kind >= 2 && bracket.empty())))
    return error(fmt::format("{}: {} is no step", schedule.name, word), "R1[x], W1[x], C1 or A1");
  ScheduleStep step{std::array{Read, Write, Commit, Abort}[kind], client - 1};
  if (item) {
    const std::string key = key_of(bracket.substr(1, bracket.size() - 2));
    if (key.empty()) return error(fmt::format("{}: {} names no key", schedule.name, word));
    step.key = key_number(schedule, key);
  }
  schedule.clients = std::max(schedule.clients, client);
  schedule.steps.push_back(step);
  return {};
}

bool is_about_single_keys(std::string_view steps) {
  return steps.find_first_of("{?<") == std::string_view::npos && steps.find("D") == std::string_view::npos &&
         steps.find("I") == std::string_view::npos;
}

}  // namespace

Result<Schedule> parse_schedule(std::string_view line) {
  Schedule schedule;
  const std::size_t first = line.find('|');
  if (first == std::string_view::npos) return error("no schedule", "NAME | R1[x] W2[x] C1 C2");
  schedule.name = trimmed(line.substr(0, first));
  std::istringstream words{std::string(line.substr(line.rfind('|') + 1))};
  for (std::string word; words >> word;) ASSAY_TRY(add_step(schedule, word));
  if (schedule.steps.empty()) return error(fmt::format("{} has no steps", schedule.name));
  return schedule;
}

Result<ScheduleFile> read_schedules(const std::string& path) {
  auto source = ByteSource::open(path);
  if (!source) return std::move(source).error();
  ScheduleFile file;
  for (std::string_view line; source->next_line(line);) {
    if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
    if (!is_about_single_keys(line.substr(line.rfind('|') + 1))) {
      file.skipped.emplace_back(trimmed(line.substr(0, line.find('|'))));
      continue;
    }
    auto schedule = parse_schedule(line);
    if (!schedule) return source->at_line(schedule.error().what, schedule.error().remedy);
    file.schedules.push_back(std::move(*schedule));
  }
  if (source->failure()) return *source->failure();
  return file;
}

std::vector<Schedule> hermitage() {
  std::vector<Schedule> schedules;
  for (const std::string_view line : kHermitage) schedules.push_back(parse_schedule(line).value());
  return schedules;
}

}  // namespace assay
