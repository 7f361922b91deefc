// The matrix as a page: the table, and below it every witness that a cell of it links to. No script, so that
// it opens anywhere; all text is escaped.
#include <fmt/format.h>

#include "matrix/matrix.h"
#include "report/escape.h"
#include "report/page.h"

namespace assay {
namespace {

std::string anchor(std::size_t row, std::size_t witness) {
  return fmt::format("w{}-{}", row + 1, witness + 1);
}

std::string cell(const MatrixRow& row, std::size_t place, const LevelRecord& record) {
  if (!record.broken_by)
    return record.held ? "<td class=\"mark\"><span class=\"holds\" title=\"kept\">&#10003;</span></td>"
                       : "<td class=\"mark\"><span class=\"undecided\" title=\"not decided\">?</span></td>";
  const bool unsettled = row.is_unsettled(record);
  return fmt::format(R"(<td class="mark"><a class="{}" href="#{}" title="{}: {}">{}</a></td>)",
                     unsettled ? "unsettled" : "violated", anchor(place, *record.broken_by),
                     unsettled ? "unsettled" : "broken",
                     xml_escaped(row.witnesses[*record.broken_by].anomaly), unsettled ? "~" : "&#10007;");
}

std::string html_table(const Matrix& matrix) {
  std::string text =
      "<div class=\"wide\"><table "
      "class=\"matrix\">\n<thead><tr><th>database</th><th>isolation</th><th>data</th><th>claims</th>";
  for (const LevelRow& level : levels())
    text += fmt::format(R"(<th title="{}">{}</th>)", xml_escaped(level.name), level.id);
  text += "<th class=\"number\">transactions</th></tr></thead>\n<tbody>\n";
  for (std::size_t place = 0; place < matrix.rows.size(); ++place) {
    const MatrixRow& row = matrix.rows[place];
    text += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td{}>{}{}</td>", xml_escaped(row.database),
                        xml_escaped(row.isolation), name_of(row.data),
                        row.broke_its_claim() ? " class=\"violated\"" : "",
                        row.claims ? id(*row.claims) : "-", row.broke_its_claim() ? ", broken" : "");
    for (const LevelRecord& record : row.levels) text += cell(row, place, record);
    text += fmt::format("<td class=\"number\">{}</td></tr>\n", row.transactions);
  }
  return text + "</tbody></table></div>\n";
}

// So much of a text that a page stays readable; the command of the witness brings the rest.
std::string bounded(std::string_view text) {
  constexpr std::size_t kMostBytes = 20'000;
  if (text.size() <= kMostBytes) return std::string(text);
  const std::string_view shown = text.substr(0, text.rfind('\n', kMostBytes - 1) + 1);
  const std::string_view first = shown.empty() ? text.substr(0, kMostBytes) : shown;
  return fmt::format("{}... {} more bytes, in assay matrix --json\n", first, text.size() - first.size());
}

std::string provenance(const MatrixRow& row, std::size_t number) {
  const WitnessRun& run = row.witnesses[number].run;
  const auto line = [](std::string_view name, std::string_view value) {
    return fmt::format("<tr><th>{}</th><td>{}</td></tr>", name, xml_escaped(value));
  };
  return fmt::format(
      "<table>{}{}{}{}</table>\n<p>This runs it again, until the level breaks:</p>\n<pre>{}</pre>\n",
      line("database", row.database), line("isolation", row.isolation), line("workload", run.workload),
      line("seed", std::to_string(run.seed)), xml_escaped(row.command(number)));
}

std::string section(const MatrixRow& row, std::size_t place, std::size_t number) {
  const Witness& witness = row.witnesses[number];
  std::string text = fmt::format("<section id=\"{}\">\n<h2>{}, {}: {}</h2>\n<p>{} {}</p>\n<pre>{}</pre>\n",
                                 anchor(place, number), xml_escaped(row.database), xml_escaped(row.isolation),
                                 xml_escaped(witness.anomaly), witness.unsettled ? "unsettled at" : "breaks",
                                 row.broken_with(number), xml_escaped(bounded(witness.text)));
  if (witness.svg) text += figure(*witness.svg);
  text += fmt::format("<details><summary>The transactions as a .hist file</summary><pre>{}</pre></details>\n",
                      xml_escaped(bounded(witness.story["subhistory"]["hist"].get<std::string>())));
  text += provenance(row, number);
  return text + "</section>\n";
}

}  // namespace

std::string as_html(const Matrix& matrix, const Tool& tool) {
  std::string text =
      "<p>Every database ran short workloads with eight clients, which recorded what they saw. A level is "
      "kept "
      "when no run broke it; a broken one links to the fewest transactions that show it.</p>\n";
  text += fmt::format("<p>~ is unsettled. {}</p>\n", why_unsettled());
  text += html_table(matrix);
  for (const std::string& missing : matrix.missing)
    text += fmt::format("<p>Left out: {}</p>\n", xml_escaped(missing));
  for (std::size_t place = 0; place < matrix.rows.size(); ++place)
    for (std::size_t number = 0; number < matrix.rows[place].witnesses.size(); ++number)
      if (!matrix.rows[place].broken_with(number).empty()) text += section(matrix.rows[place], place, number);
  return static_page("Assay: what databases keep", "What databases keep", text, tool);
}

}  // namespace assay
