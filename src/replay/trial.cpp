#include "replay/trial.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "sql/print.h"
#include "sql/script.h"
#include "sql/words.h"

namespace assay::replay {
namespace {

using Files = std::vector<sql::SourceFile>;

// Nobody writes a statement with more places where it could end.
constexpr std::size_t kMostPlaces = 60;

analysis::FoundAnomaly raised(analysis::FoundAnomaly anomaly, const analysis::Advice::Raise& raise) {
  for (analysis::Call& call : anomaly.calls)
    if (std::ranges::count(raise.programs, call.program) > 0) call.level = raise.level;
  for (analysis::FoundAnomaly& other : anomaly.others) other = raised(std::move(other), raise);
  return anomaly;
}

Trial replayed(Stage& stage, const sql::Application& application,
               const std::vector<analysis::FoundAnomaly>& anomalies, Result<void>& problem) {
  for (const analysis::FoundAnomaly& anomaly : anomalies) {
    const auto result = stage.replay(application, anomaly);
    if (!result) {
      problem = result.error();
      return {};
    }
    if (result->kind == Replayed::Kind::Confirmed) return {Trial::Kind::Fails};
    if (result->kind == Replayed::Kind::Impossible) return {Trial::Kind::NotTried, result->why};
  }
  return {Trial::Kind::Prevents};
}

std::string program_text(const sql::Application& application, const std::string& name) {
  const auto program = std::ranges::find(application.programs, name, &sql::Program::name);
  return program == application.programs.end() ? std::string() : sql::to_text(*program, application.schema);
}

// Whether the files are read as the program that is wanted.
bool read_as(const Files& files, const std::string& program, const std::string& wanted) {
  const auto read = sql::read_application(files);
  return read && program_text(*read, program) == wanted;
}

std::size_t start_of(const std::string& text, std::size_t line) {
  std::size_t at = 0;
  for (std::size_t l = 1; l < line && at != text.npos; ++l) at = text.find('\n', at) + 1;
  return std::min(at, text.size());
}

// Where a statement of this line may end, or a body begin.
std::vector<std::size_t> places_from(const std::string& text, std::size_t line) {
  std::vector<std::size_t> places;
  for (std::size_t i = start_of(text, line); i < text.size() && places.size() < kMostPlaces; ++i) {
    const char c = text[i];
    const bool after_word = i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
    const std::string word = sql::lowered(std::string_view(text).substr(i, 5));
    if (c == ';' || c == ')' || c == '$' || c == '\'' || c == '\\' || c == '\n' ||
        (!after_word && word.starts_with("loop")))
      places.push_back(i);
    if (!after_word && word == "begin") places.push_back(i + word.size());
  }
  places.push_back(text.size());
  return places;
}

// Puts one of the insertions into the file at the first place that makes it what is wanted.
std::optional<Files> changed(const Files& files, const sql::Place& place,
                             const std::vector<std::string>& insertions, const std::string& program,
                             const std::string& wanted) {
  for (std::size_t f = 0; f < files.size(); ++f) {
    if (!place.file || files[f].name != *place.file) continue;
    for (const std::size_t at : places_from(files[f].text, place.line))
      for (const std::string& insertion : insertions) {
        Files now = files;
        now[f].text.insert(at, insertion);
        if (read_as(now, program, wanted)) return now;
      }
  }
  return std::nullopt;
}

Files with_unique(Files files, const sql::Application& application, const analysis::Advice::Unique& unique) {
  const sql::Table& table = application.schema[unique.table];
  std::vector<std::string> columns;
  for (const sql::ColumnId column : unique.columns) columns.push_back(sql::quoted_name(table[column].name));
  files.push_back({"advice", fmt::format("ALTER TABLE {} ADD UNIQUE ({});\n", sql::quoted_name(table.name),
                                         fmt::join(columns, ", "))});
  return files;
}

}  // namespace

std::optional<Files> with_locks(Files files, const sql::Application& application,
                                const std::vector<analysis::Promotion>& promotions) {
  for (std::size_t done = 1; done <= promotions.size(); ++done) {
    const analysis::Promotion& promotion = promotions[done - 1];
    if (promotion.kind != analysis::Promotion::Kind::Lock) return std::nullopt;
    const sql::Application wanted =
        analysis::promoted(application, {promotions.begin(), promotions.begin() + std::ptrdiff_t(done)});
    const std::string& name = application.programs[promotion.program].name;
    auto next = changed(files, promotion.place, {" FOR UPDATE "}, name, program_text(wanted, name));
    if (!next) return std::nullopt;
    files = std::move(*next);
  }
  return files;
}

std::optional<Files> with_exclusion(Files files, const sql::Application& application,
                                    const std::vector<std::size_t>& programs) {
  const sql::Application wanted = analysis::excluding_each_other(application, programs);
  for (const std::size_t p : programs) {
    const std::string& name = application.programs[p].name;
    auto next = changed(files, application.programs[p].place,
                        {" PERFORM pg_advisory_xact_lock(1);", "SELECT pg_advisory_xact_lock(1); ",
                         "\nSELECT pg_advisory_xact_lock(1);"},
                        name, program_text(wanted, name));
    if (!next) return std::nullopt;
    files = std::move(*next);
  }
  return files;
}

Result<Trials> try_advice(const std::string& where, const Files& files, const sql::Application& application,
                          const std::vector<analysis::FoundAnomaly>& confirmed,
                          const analysis::Advice& advice, const GoOn& go_on) {
  Trials trials{.anomalies = confirmed.size(), .raise = {}, .hold = {}, .unique = {}, .exclusion = {}};
  Result<void> problem;
  std::size_t done = 0;
  const std::size_t all =
      advice.raise.size() + advice.hold.size() + advice.unique.size() + (advice.exclusion ? 1 : 0);
  const auto run = [&](const std::optional<Files>& changed_files,
                       const std::vector<analysis::FoundAnomaly>& anomalies) -> Trial {
    if (problem && !go_on(done++, all)) problem = error("interrupted");
    if (!problem) return {};
    if (!changed_files) return {Trial::Kind::NotTried, "the text to change was not found"};
    auto stage = Stage::open(where, *changed_files);
    if (!stage) {
      problem = stage.error();
      return {};
    }
    return replayed(*stage, application, anomalies, problem);
  };
  for (const auto& raise : advice.raise) {
    std::vector<analysis::FoundAnomaly> anomalies;
    for (const analysis::FoundAnomaly& anomaly : confirmed) anomalies.push_back(raised(anomaly, raise));
    trials.raise.push_back(run(files, anomalies));
  }
  for (const auto& hold : advice.hold)
    trials.hold.push_back(run(with_locks(files, application, hold.promotions), confirmed));
  for (const auto& unique : advice.unique)
    trials.unique.push_back(run(with_unique(files, application, unique), confirmed));
  if (const auto& exclusion = advice.exclusion)
    trials.exclusion = run(with_exclusion(files, application, exclusion->programs), confirmed);
  if (!problem) return problem.error();
  return trials;
}

}  // namespace assay::replay
