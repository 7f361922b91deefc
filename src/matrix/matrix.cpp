#include "matrix/matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/dot.h"
#include "report/text.h"

namespace assay {
namespace {

constexpr std::size_t kMostDrawn = 10;  // transactions

std::string_view mark(const MatrixRow& row, const LevelRecord& record) {
  return row.is_unsettled(record) ? "~" : record.broken_by ? "x" : record.held ? "+" : "?";
}

std::string claim(const MatrixRow& row) {
  if (!row.claims) return "-";
  return std::string(id(*row.claims)) + (row.broke_its_claim() ? " (broken)" : "");
}

std::string text_table(const Matrix& matrix) {
  std::vector<std::vector<std::string>> lines{{"database", "isolation", "data", "claims"}};
  for (const LevelRow& level : levels()) lines[0].emplace_back(level.id);
  lines[0].emplace_back("transactions");
  for (const MatrixRow& row : matrix.rows) {
    auto& line = lines.emplace_back(
        std::vector{row.database, row.isolation, std::string(name_of(row.data)), claim(row)});
    for (const LevelRecord& record : row.levels) line.emplace_back(mark(row, record));
    line.push_back(std::to_string(row.transactions));
  }
  std::vector<std::size_t> widths(lines[0].size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      text += fmt::format("{:<{}}{}", line[i], i + 1 < line.size() ? widths[i] : 0,
                          i + 1 < line.size() ? "  " : "\n");
  }
  return text;
}

Witness witness(const Findings& findings, std::size_t story, bool unsettled, const WitnessRun& run) {
  const Explanation& told = findings.stories[story];
  // Nobody could read a large one.
  std::optional<std::string> svg;
  if (told.part.transaction_count() <= kMostDrawn) svg = try_draw_svg(as_dot(findings, story));
  // Its heading begins with the levels of this run.
  const auto text = [&](bool colours) {
    const std::string whole = as_text(findings, story, {.colours = colours, .full = false});
    return whole.substr(whole.find(": ") + 2);
  };
  return {told.name,
          told.part.transaction_count(),
          text(false),
          text(true),
          violation(findings, story),
          std::move(svg),
          run,
          unsettled};
}

// The first lines of a long explanation.
std::string beginning(const std::string& text) {
  constexpr std::size_t kMostLines = 30;
  std::size_t end = 0;
  for (std::size_t lines = 0; lines < kMostLines && end < text.size(); ++lines)
    end = text.find('\n', end) + 1;
  const auto left = std::count(text.begin() + static_cast<std::ptrdiff_t>(end), text.end(), '\n');
  return text.substr(0, end) +
         (left > 0 ? fmt::format("  ... {} more lines, in --report and --json\n", left) : "");
}

Json row_json(const MatrixRow& row) {
  Json kept = Json::array(), broken = Json::object(), unsettled = Json::object(), undecided = Json::array(),
       witnesses = Json::array();
  for (const LevelRecord& record : row.levels) {
    if (record.broken_by)
      (row.is_unsettled(record) ? unsettled : broken)[std::string(id(record.level))] = *record.broken_by;
    else (record.held ? kept : undecided).push_back(id(record.level));
  }
  for (std::size_t i = 0; i < row.witnesses.size(); ++i) {
    const WitnessRun& run = row.witnesses[i].run;
    Json& shown = witnesses.emplace_back(row.witnesses[i].story);
    shown["run"] = {{"workload", run.workload}, {"seed", run.seed}, {"command", row.command(i)}};
  }
  return {{"database", row.database},
          {"isolation", row.isolation},
          {"data", name_of(row.data)},
          {"claims", row.claims ? Json(id(*row.claims)) : Json()},
          {"keeps_its_claim", !row.broke_its_claim()},
          {"transactions", row.transactions},
          {"runs", row.runs},
          {"seconds", row.seconds},
          {"kept", kept},
          {"broken", broken},
          {"unsettled", unsettled},
          {"undecided", undecided},
          {"witnesses", witnesses}};
}

}  // namespace

std::string_view name_of(MatrixData data) { return data == MatrixData::Keys ? "keys" : "rows"; }

std::string_view why_unsettled() {
  return "Assay takes a key for one object, also where its row is deleted and inserted again. To the server "
         "that is "
         "another row. A violation in a run that deletes and inserts rows may rest on this difference, so it "
         "does "
         "not show that the server broke its claim.";
}

std::string MatrixRow::broken_with(std::size_t witness) const {
  std::string text;
  for (const LevelRecord& record : levels)
    if (record.broken_by == witness) text += (text.empty() ? "" : ", ") + std::string(id(record.level));
  return text;
}

// What a part breaks is broken, also where judging the whole run took too long.
void MatrixRow::add(const Findings& findings, bool unsettled, const WitnessRun& run) {
  std::vector<std::optional<std::size_t>> places(findings.stories.size());  // among the witnesses
  for (const Finding& finding : findings.levels) {
    if (std::holds_alternative<Holds>(finding.verdict))
      std::ranges::find(levels, finding.level, &LevelRecord::level)->held = true;
    if (!finding.story) continue;
    const std::size_t size = findings.stories[*finding.story].part.transaction_count();
    const std::vector<Level>& fallen = findings.stories[*finding.story].rules_out;
    for (LevelRecord& record : levels) {
      if (std::ranges::find(fallen, record.level) == fallen.end()) continue;
      if (is_broken(record) && unsettled) continue;
      const bool as_good = record.broken_by && is_unsettled(record) == unsettled;
      if (as_good && witnesses[*record.broken_by].transactions <= size) continue;
      auto& place = places[*finding.story];
      if (!place) {
        place = witnesses.size();
        witnesses.push_back(witness(findings, *finding.story, unsettled, run));
      }
      record.broken_by = place;
    }
  }
}

std::string MatrixRow::command(std::size_t witness) const {
  const std::string broken = broken_with(witness);
  return fmt::format("assay run {} --isolation {} {} --seed {} --check {} --until-violation", address,
                     isolation, witnesses[witness].run.workload, witnesses[witness].run.seed,
                     broken.substr(0, broken.find(',')));
}

bool MatrixRow::broke_its_claim() const {
  return std::ranges::any_of(levels, [&](const LevelRecord& record) {
    return is_broken(record) && claims && implies(*claims, record.level);
  });
}

std::string as_text(const Matrix& matrix, bool witnesses, bool colours) {
  std::string text = text_table(matrix) + "+ kept by every run, x broken, ? not decided, ~ unsettled\n";
  const bool any_unsettled = std::ranges::any_of(matrix.rows, [](const MatrixRow& row) {
    return std::ranges::any_of(row.levels,
                               [&](const LevelRecord& record) { return row.is_unsettled(record); });
  });
  if (any_unsettled) text += fmt::format("~ {}\n", why_unsettled());
  if (!witnesses) return text;
  for (const MatrixRow& row : matrix.rows)
    for (std::size_t i = 0; i < row.witnesses.size(); ++i)
      if (!row.broken_with(i).empty())
        text += fmt::format("\n{}, {}{} {}\n{}", row.database, row.isolation,
                            row.witnesses[i].unsettled ? ": unsettled at" : " breaks", row.broken_with(i),
                            beginning(colours ? row.witnesses[i].coloured : row.witnesses[i].text)) +
                fmt::format("  again: {}\n", row.command(i));
  return text;
}

std::string as_json(const Matrix& matrix) {
  Json rows = Json::array();
  for (const MatrixRow& row : matrix.rows) rows.push_back(row_json(row));
  return dump({{"schema", 1}, {"matrix", rows}, {"missing", matrix.missing}});
}

}  // namespace assay
