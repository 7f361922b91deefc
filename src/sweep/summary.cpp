#include "sweep/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/escape.h"

namespace assay::sweep {
namespace {

// 0: not judged, 1: violated, 2: undecided, 3: holds. What needs attention comes first.
int rank(const HistoryResult& result) {
  return !result.problem.empty() ? 0 : result.has("violated") ? 1 : result.has("undecided") ? 2 : 3;
}

std::string plural(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string cell_of(const LevelResult& level) {
  const std::string_view mark = level.verdict == "holds"      ? "&#10003;"
                                : level.verdict == "violated" ? "&#10007;"
                                                              : "?";
  return fmt::format("<span class=\"{0}\">{1} {2}</span>{3}", level.verdict, mark, xml_escaped(level.level),
                     level.anomaly.empty() ? "" : " " + xml_escaped(level.anomaly));
}

std::string row_of(const HistoryResult& result) {
  std::string name = xml_escaped(result.input.path);
  if (!result.page.empty()) name = fmt::format("<a href=\"{}\">{}</a>", xml_escaped(result.page), name);
  std::string verdicts;
  for (const LevelResult& level : result.levels)
    verdicts += (verdicts.empty() ? "" : "<br>") + cell_of(level);
  if (!result.problem.empty())
    verdicts = "<span class=\"undecided\">not judged</span> " + xml_escaped(result.problem);
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{:.3f}</td></tr>\n", name,
      verdicts, result.transactions, result.seconds);
}

std::string table_of(std::string_view rows) {
  return fmt::format(
      "<div class=\"wide\"><table><thead><tr><th>history</th><th>verdicts</th><th "
      "class=\"number\">transactions</th><th "
      "class=\"number\">seconds</th></tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
      rows);
}

}  // namespace

Summary summarise(std::span<const HistoryResult> results) {
  Summary summary;
  for (const HistoryResult& result : results) {
    ++summary.histories;
    summary.transactions += result.transactions;
    summary.bytes += result.input.bytes;
    std::size_t* const by_rank[] = {&summary.not_judged, &summary.violated, &summary.undecided,
                                    &summary.hold};
    ++*by_rank[rank(result)];
    std::set<std::string> anomalies;
    for (const LevelResult& level : result.levels) {
      auto of = std::ranges::find(summary.levels, level.level, &Summary::OfLevel::level);
      if (of == summary.levels.end()) of = summary.levels.insert(of, {.level = level.level});
      ++(level.verdict == "holds" ? of->holds : level.verdict == "violated" ? of->violated : of->undecided);
      if (!level.anomaly.empty()) anomalies.insert(level.anomaly);
    }
    for (const std::string& anomaly : anomalies) ++summary.anomalies[anomaly];
  }
  return summary;
}

std::string as_table(const Summary& s) {
  std::string text =
      plural(s.histories, "history", "histories") +
      fmt::format(
          ": {} satisfied what was asked, {} violated, {} undecided, {} not judged; {} transactions\n",
          s.hold, s.violated, s.undecided, s.not_judged, s.transactions);
  if (!s.levels.empty())
    text += fmt::format("{:<14}{:>9}{:>10}{:>11}\n", "level", "holds", "violated", "undecided");
  for (const Summary::OfLevel& of : s.levels)
    text += fmt::format("{:<14}{:>9}{:>10}{:>11}\n", of.level, of.holds, of.violated, of.undecided);
  for (const auto& [anomaly, histories] : s.anomalies)
    text += fmt::format("{}: in {}\n", anomaly, plural(histories, "history", "histories"));
  return text;
}

std::string verdict_lines(const HistoryResult& result, bool all) {
  std::string text;
  for (const LevelResult& level : result.levels)
    if (all || level.verdict != "holds")
      text += fmt::format("{}\t{}\t{}\t{:.3f}\t{}\n", result.input.path, level.level, level.verdict,
                          level.seconds, level.anomaly.empty() ? "-" : level.anomaly);
  return text;
}

std::vector<JunitSuite> junit_suites(std::span<const HistoryResult> results) {
  using Outcome = JunitTest::Outcome;
  std::vector<JunitSuite> suites;
  for (const HistoryResult& result : results) {
    if (!result.problem.empty()) {
      suites.push_back(junit_suite(result.input.path, error(result.problem)));
      continue;
    }
    JunitSuite& suite = suites.emplace_back(JunitSuite{result.input.path, {}, result.notes});
    for (const LevelResult& level : result.levels) {
      JunitTest test{.name = level.level, .seconds = level.seconds};
      if (level.verdict == "violated") {
        test.outcome = Outcome::Failure;
        test.message = fmt::format("{} is violated: {}", level.level, level.anomaly);
        test.type = level.anomaly;
        test.text = level.text;
      } else if (level.verdict != "holds") {
        test.outcome = Outcome::Error;
        test.message = fmt::format("{} is undecided: {}", level.level, level.why);
        test.type = "undecided";
      }
      suite.tests.push_back(std::move(test));
    }
  }
  return suites;
}

std::string index_page(std::span<const HistoryResult> results, const Tool& tool) {
  constexpr std::size_t kMostRows = 5000;  // of each kind: a browser shows as many at once
  std::vector<const HistoryResult*> sorted;
  for (const HistoryResult& result : results) sorted.push_back(&result);
  std::ranges::stable_sort(sorted, {}, [](const HistoryResult* result) { return rank(*result); });
  std::string open, holding;
  std::size_t open_rows = 0, holding_rows = 0;
  for (const HistoryResult* result : sorted) {
    const bool holds = rank(*result) == 3;
    if (++(holds ? holding_rows : open_rows) > kMostRows) continue;
    (holds ? holding : open) += row_of(*result);
  }
  const auto more = [](std::size_t rows) {
    return rows <= kMostRows ? ""
                             : fmt::format("<p>and {} more, in the file of results</p>\n", rows - kMostRows);
  };
  std::string body = "<pre>" + xml_escaped(as_table(summarise(results))) + "</pre>\n";
  if (open_rows > 0)
    body += "<h2>Violated, undecided or not judged</h2>\n" + table_of(open) + more(open_rows);
  if (holding_rows > 0)
    body += fmt::format("<h2>Satisfied</h2>\n<details{}><summary>{}</summary>\n{}{}</details>\n",
                        open_rows == 0 ? " open" : "", plural(holding_rows, "history", "histories"),
                        table_of(holding), more(holding_rows));
  return static_page("Assay: a sweep", "Many histories, judged", body, tool);
}

}  // namespace assay::sweep
