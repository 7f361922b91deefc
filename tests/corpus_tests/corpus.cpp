#include "corpus_tests/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "history_io/format.h"
#include "support/paths.h"

namespace assay::test {
namespace {

const std::filesystem::path kRepository = source_dir();

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> found;
  for (std::string word; in >> word;) found.push_back(word);
  return found;
}

Result<ExpectedAnomaly> parse_anomaly(std::string_view text) {
  for (const std::string_view suffix : {"", "-session", "-realtime"}) {
    if (!text.ends_with(suffix)) continue;
    if (const auto found = find_anomaly(text.substr(0, text.size() - suffix.size())))
      return ExpectedAnomaly{*found, std::string(suffix)};
  }
  return error(fmt::format("no anomaly is called '{}'", text));
}

struct Expectation {
  bool explained = false;  // there is a sentence
  std::map<Level, bool> holds;
  std::optional<ExpectedAnomaly> anomaly;
};

Result<void> add_levels(Expectation& expected, std::string_view text, bool holds) {
  const auto named = words(text);
  if (named.empty()) return error("a list without levels", "leave the line out");
  for (const std::string& word : named) {
    const auto level = find_level(word);
    if (!level || id(*level) != word) return error(fmt::format("no level has the id '{}'", word));
    if (!expected.holds.emplace(*level, holds).second) return error(fmt::format("{} is named twice", word));
  }
  return {};
}

// What the verdict about one level says about another.
bool decides(Level named, bool holds, Level other) {
  return holds ? implies(named, other) : implies(other, named);
}

// Adds the verdicts that follow from those that are named.
Result<void> add_implied(Expectation& expected, const std::vector<Level>& judged) {
  const auto named = expected.holds;
  for (const auto& [level, holds] : named) {
    if (std::ranges::find(judged, level) == judged.end())
      return error(fmt::format("{} cannot be judged without begin and end", id(level)));
    for (const Level other : judged) {
      if (other == level || !decides(level, holds, other)) continue;
      const auto found = named.find(other);
      if (found == named.end()) expected.holds[other] = holds;
      else if (found->second == holds)
        return error(fmt::format("{} need not be named: {} says it", id(other), id(level)));
      else return error(fmt::format("{} and {} contradict each other", id(level), id(other)));
    }
  }
  return {};
}

Result<void> add_anomaly(Expectation& expected, std::string_view text) {
  const auto named = words(text);
  if (named.size() != 1 || expected.anomaly) return error("a case has one anomaly or none");
  auto anomaly = parse_anomaly(named.front());
  if (!anomaly) return std::move(anomaly).error();
  expected.anomaly = *std::move(anomaly);
  return {};
}

// `comment` is without its '#'.
Result<void> add_comment(Expectation& expected, std::string_view comment) {
  comment.remove_prefix(std::min(comment.find_first_not_of(' '), comment.size()));
  const auto word_end = std::ranges::find_if_not(comment, [](char c) { return c >= 'a' && c <= 'z'; });
  const std::string_view word(comment.begin(), word_end);
  if (word.empty() || word.size() == comment.size() || comment[word.size()] != ':') {
    expected.explained |= !comment.empty();
    return {};
  }
  const std::string_view rest = comment.substr(word.size() + 1);
  if (word == "holds") return add_levels(expected, rest, true);
  if (word == "violated") return add_levels(expected, rest, false);
  if (word == "anomaly") return add_anomaly(expected, rest);
  return error(fmt::format("'{}:' is no expectation", word), "there are holds, violated and anomaly");
}

Result<Expectation> parse_expectation(std::string_view text) {
  Expectation expected;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);)
    if (line.starts_with('#')) ASSAY_TRY(add_comment(expected, std::string_view(line).substr(1)));
  if (!expected.explained) return error("no sentence says what is to be seen");
  return expected;
}

// A level that came later is not among them: its own files and the oracle say what it means.
const LevelSet& decided_by_every_file() {
  using enum Level;
  static const LevelSet levels{Rc,  Ra,        Cc,       Pc,  Psi,      Si,       AdyaSi,
                               Gsi, SessionSi, StrongSi, Ser, PlainSer, StrictSer};
  return levels;
}

Result<void> check_levels(Expectation& expected, const std::vector<Level>& judged) {
  ASSAY_TRY(add_implied(expected, judged));
  for (const Level level : judged)
    if (decided_by_every_file().contains(level) && !expected.holds.contains(level))
      return error(fmt::format("nothing is said about {}", id(level)));
  const bool violated = std::ranges::any_of(expected.holds, [](const auto& entry) { return !entry.second; });
  if (expected.anomaly && !violated) return error("an anomaly that violates nothing");
  return {};
}

Error in_file(Error error, const std::string& path) {
  error.file = path;
  return error;
}

bool is_timed(const History& history) {
  for (const TxnId t : history.transactions()) {
    const Instants at = history.instants(t);
    if (history.outcome(t) == Outcome::Committed && !(at.begin && at.end)) return false;
  }
  return history.has_instants();
}

}  // namespace

std::vector<Level> judged_levels(const History& history) {
  const bool timed = is_timed(history);
  std::vector<Level> judged;
  for (const LevelRow& row : levels())
    if (timed || !row.needs_instants()) judged.push_back(row.level);
  return judged;
}

Result<CorpusCase> parse_case(std::string path, std::string_view text) {
  auto expected = parse_expectation(text);
  if (!expected) return in_file(std::move(expected).error(), path);
  auto history = read_history(ByteSource::from_memory(path, std::string(text)), find_format("hist"));
  if (!history) return std::move(history).error();
  if (auto checked = check_levels(*expected, judged_levels(*history)); !checked)
    return in_file(std::move(checked).error(), path);
  return CorpusCase{std::move(path), *std::move(history), std::move(expected->holds),
                    std::move(expected->anomaly)};
}

std::vector<std::string> corpus_paths() {
  std::vector<std::string> paths;
  for (const char* folder : {"tests/corpus", "examples"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRepository / folder))
      if (entry.path().extension() == ".hist")
        paths.push_back(std::filesystem::relative(entry.path(), kRepository).string());
  std::ranges::sort(paths);
  return paths;
}

Result<CorpusCase> read_case(const std::string& path) {
  std::ifstream in(kRepository / path);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return in_file(error("cannot be read"), path);
  return parse_case(path, text.str());
}

}  // namespace assay::test
