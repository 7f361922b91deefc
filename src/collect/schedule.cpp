#include "collect/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include "history_io/byte_source.h"

namespace assay {
namespace {

constexpr std::string_view kHermitage[] = {
    "G0 | W1[x] W2[x] W1[y] C1 W2[y] C2 R3[x] R3[y] C3",
    "G1a | W1[x] R2[x] A1 R2[x] C2",
    "G1b | W1[x] R2[x] W1[x] C1 R2[x] C2",
    "G1c | W1[x] W2[y] R1[y] R2[x] C1 C2",
    "OTV | W1[x] W1[y] W2[x] C1 R3[x] R3[y] W2[y] R3[x] R3[y] C2 C3",
    "PMP | init - | PR1{v=0} I2[x] C2 PR1{v=0} C1",
    "PMP-write | init x,y | PW1{w>=0} PR2{v=0} PW2{v=0} C1 PR2{v=0} C2",
    "P4 | R1[x] R2[x] W1[x] W2[x] C1 C2",
    "G-single | R1[x] R2[x] R2[y] W2[x] W2[y] C2 R1[y] C1",
    "G-single-predicate | init x,y | PR1{v=0} W2[x] C2 PR1{v>0} C1",
    "G-single-write | init x,y | R1[x] PR2{k>=0} W2[x] W2[y] C2 PW1{v=0} R1[y] C1",
    "G2-item | R1[x] R1[y] R2[x] R2[y] W1[x] W2[y] C1 C2",
    "G2 | init - | PR1{v=0} PR2{v=0} I1[x] I2[y] C1 C2",
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

// The key of R1[x0] is x, that of R1[k31] k3: one digit is the number of a version.
std::string key_of(std::string_view bracket) {
  if (!bracket.empty() && bracket.back() >= '0' && bracket.back() <= '9') bracket.remove_suffix(1);
  return std::string(bracket);
}

struct StepName {
  std::string_view name;
  ScheduleStep::Kind kind;
  char opening;  // of what follows the number; 0: nothing
};
constexpr StepName kSteps[] = {
    {"R", ScheduleStep::Kind::Read, '['},    {"W", ScheduleStep::Kind::Write, '['},
    {"I", ScheduleStep::Kind::Insert, '['},  {"D", ScheduleStep::Kind::Delete, '['},
    {"PR", ScheduleStep::Kind::Select, '{'}, {"PW", ScheduleStep::Kind::Update, '{'},
    {"C", ScheduleStep::Kind::Commit, 0},    {"A", ScheduleStep::Kind::Abort, 0},
};

bool narrow(ScheduleRange& range, std::string_view op, std::int64_t constant) {
  if (op == "=" || op == ">" || op == ">=") range.low = std::max(range.low, constant + (op == ">" ? 1 : 0));
  if (op == "=" || op == "<" || op == "<=") range.high = std::min(range.high, constant - (op == "<" ? 1 : 0));
  return op == "=" || op == ">" || op == ">=" || op == "<" || op == "<=";
}

// k>0 and k<2: comparisons of one column.
std::optional<ScheduleRange> parse_range(std::string text) {
  std::erase(text, ' ');
  std::optional<ScheduleRange> range;
  for (std::string_view rest = text; !rest.empty();) {
    if (range && rest.starts_with("and")) rest.remove_prefix(3);
    const std::size_t column = std::string_view("kvw").find(rest.front());
    const std::size_t constant = std::min(rest.find_first_of("0123456789"), rest.size());
    std::int64_t number = 0;
    const char* const end = rest.data() + rest.size();
    const auto [stop, problem] = std::from_chars(rest.data() + constant, end, number);
    if (column == std::string_view::npos || problem != std::errc()) return std::nullopt;
    const auto chosen = static_cast<ScheduleRange::Column>(column);
    if (range && range->column != chosen) return std::nullopt;
    if (!range) range = ScheduleRange{.column = chosen};
    if (!narrow(*range, rest.substr(1, constant - 1), number)) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
  }
  return range;
}

Result<void> add_step(Schedule& schedule, std::string_view word) {
  const std::string_view name = word.substr(0, std::min(word.find_first_of("0123456789"), word.size()));
  const auto found = std::ranges::find(kSteps, name, &StepName::name);
  const auto refused = [&] {
    return error(fmt::format("{}: {} is no step", schedule.name, word),
                 "R1[x], W1[x], I1[x], D1[x], PR1{v=0}, PW1{k>0 and k<2}, C1 or A1");
  };
  if (found == std::end(kSteps)) return refused();
  std::size_t client = 0;
  const char* const end = word.data() + word.size();
  const char* const rest = std::from_chars(word.data() + name.size(), end, client).ptr;
  std::string_view argument(rest, static_cast<std::size_t>(end - rest));
  if (client == 0 || client > 64) return refused();
  ScheduleStep step{found->kind, client - 1};
  if (found->opening == 0) {
    if (!argument.empty()) return refused();
  } else {
    if (argument.size() < 3 || argument.front() != found->opening ||
        argument.back() != (found->opening == '[' ? ']' : '}'))
      return refused();
    argument = argument.substr(1, argument.size() - 2);
    if (found->opening == '{') {
      const auto range = parse_range(std::string(argument));
      if (!range)
        return error(fmt::format("{}: {} is no condition", schedule.name, argument), "k>0 and k<2, v=0");
      if (step.kind == ScheduleStep::Kind::Update && range->column == ScheduleRange::Column::K)
        return error(fmt::format("{}: rows are updated by v or w", schedule.name), "PW1{v=0}");
      step.range = *range;
    } else {
      const std::string key = key_of(argument);
      if (key.empty()) return error(fmt::format("{}: {} names no key", schedule.name, word));
      step.key = key_number(schedule, key);
    }
  }
  using enum ScheduleStep::Kind;
  schedule.rows |= step.kind == Insert || step.kind == Delete || step.kind == Select || step.kind == Update;
  schedule.clients = std::max(schedule.clients, client);
  schedule.steps.push_back(step);
  return {};
}

// Blanks inside {...} do not separate steps.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false, apart = true;
  for (const char c : text) {
    inside = c == '{' || (inside && c != '}');
    const bool blank = (c == ' ' || c == '\t') && !inside;
    if (!blank && apart) words.emplace_back();
    if (!blank) words.back() += c;
    apart = blank;
  }
  return words;
}

// Without a column for them, all rows are there but those that the schedule inserts.
Result<void> choose_initial_rows(Schedule& schedule, std::string_view column) {
  constexpr std::string_view kInit = "init ";
  if (!column.starts_with(kInit)) {
    schedule.initial = schedule.keys;
    for (const ScheduleStep& step : schedule.steps)
      if (step.kind == ScheduleStep::Kind::Insert) std::erase(schedule.initial, schedule.keys[step.key]);
    return {};
  }
  std::istringstream names{std::string(trimmed(column.substr(kInit.size())))};
  for (std::string name; std::getline(names, name, ',');)
    if (name != "-")
      schedule.initial.push_back(schedule.keys[key_number(schedule, std::string(trimmed(name)))]);
  return {};
}

Result<void> check_names_of_rows(const Schedule& schedule) {
  for (std::size_t key = 0; key < schedule.keys.size(); ++key)
    if (schedule.number(key) < 0)
      return error(fmt::format("{}: no row can be called {}", schedule.name, schedule.keys[key]),
                   "x, y, z, k3, k4, ...");
  return {};
}

bool has_sql(std::string_view steps) { return steps.find('?') != std::string_view::npos; }

}  // namespace

Result<Schedule> parse_schedule(std::string_view line) {
  Schedule schedule;
  const std::size_t first = line.find('|');
  if (first == std::string_view::npos) return error("no schedule", "NAME | R1[x] W2[x] C1 C2");
  schedule.name = trimmed(line.substr(0, first));
  const std::size_t last = line.rfind('|');
  for (const std::string& word : words_of(line.substr(last + 1))) ASSAY_TRY(add_step(schedule, word));
  if (schedule.steps.empty()) return error(fmt::format("{} has no steps", schedule.name));
  if (!schedule.rows) return schedule;
  ASSAY_TRY(
      choose_initial_rows(schedule, last == first ? "" : trimmed(line.substr(first + 1, last - first - 1))));
  ASSAY_TRY(check_names_of_rows(schedule));
  return schedule;
}

std::int64_t Schedule::number(std::size_t key) const {
  const std::string& name = keys[key];
  if (name.size() == 1 && name[0] >= 'x' && name[0] <= 'z') return name[0] - 'x';
  std::int64_t number = -1;
  const char* const end = name.data() + name.size();
  if (name[0] != 'k' || std::from_chars(name.data() + 1, end, number).ptr != end || number > 99) return -1;
  return number;
}

Result<ScheduleFile> read_schedules(const std::string& path) {
  auto source = ByteSource::open(path);
  if (!source) return std::move(source).error();
  ScheduleFile file;
  for (std::string_view line; source->next_line(line);) {
    if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
    if (has_sql(line.substr(line.rfind('|') + 1))) {
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
