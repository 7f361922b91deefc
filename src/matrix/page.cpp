// The matrix as a page: the table, and below it every witness that a cell of it links to. No script, so that
// it opens anywhere; all text is escaped.
#include <fmt/format.h>

#include "matrix/matrix.h"
#include "report/escape.h"

namespace assay {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay: what databases keep</title>
<style>
:root { --ink: #1c2329; --faint: #5b6770; --paper: #fff; --line: #d8dee3; --good: #1a7f4b; --good-back: #e6f4ec;
        --bad: #b3261e; --bad-back: #fbe9e7; --open-back: #f3f0e2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8eb; --faint: #98a4ad; --paper: #14191d; --line: #333d45; --good: #6fd19c; --good-back: #16301f;
          --bad: #ff9b92; --bad-back: #3a1a18; --open-back: #332f1c; } }
body { margin: 2rem auto; max-width: 84rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
       background: var(--paper); }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; padding-top: .75rem; border-top: 1px solid var(--line); }
p, footer { color: var(--faint); margin: .25rem 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; }
th, td { padding: .375rem .4rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
td.mark { text-align: center; padding: 0; }
td.mark > * { display: block; padding: .375rem .5rem; text-decoration: none; }
.kept { color: var(--good); background: var(--good-back); }
.broken { color: var(--bad); background: var(--bad-back); font-weight: 600; }
.unsettled { color: var(--faint); background: var(--open-back); }
a.broken:hover, a.broken:focus { outline: 2px solid var(--bad); outline-offset: -2px; }
.open { color: var(--faint); background: var(--open-back); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.claim-broken { color: var(--bad); font-weight: 600; }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 6px; font-size: .8125rem; }
figure { margin: 1rem 0; padding: 1rem; overflow-x: auto; background: #fff; border: 1px solid var(--line); border-radius: 6px; }
figure svg { max-width: 100%; height: auto; }
:target { scroll-margin-top: 1rem; outline: 2px solid var(--bad); outline-offset: 6px; border-radius: 2px; }
</style>
</head>
<body>
<h1>What databases keep</h1>
)";

std::string anchor(std::size_t row, std::size_t witness) {
  return fmt::format("w{}-{}", row + 1, witness + 1);
}

std::string cell(const MatrixRow& row, std::size_t place, const LevelRecord& record) {
  if (!record.broken_by)
    return record.held ? "<td class=\"mark\"><span class=\"kept\" title=\"kept\">&#10003;</span></td>"
                       : "<td class=\"mark\"><span class=\"open\" title=\"not decided\">?</span></td>";
  const bool unsettled = row.is_unsettled(record);
  return fmt::format(R"(<td class="mark"><a class="{0}" href="#{1}" title="{0}: {2}">{3}</a></td>)",
                     unsettled ? "unsettled" : "broken", anchor(place, *record.broken_by),
                     xml_escaped(row.witnesses[*record.broken_by].anomaly), unsettled ? "~" : "&#10007;");
}

std::string html_table(const Matrix& matrix) {
  std::string text =
      "<div "
      "class=\"wide\"><table>\n<thead><tr><th>database</th><th>isolation</th><th>data</th><th>claims</th>";
  for (const LevelRow& level : levels())
    text += fmt::format(R"(<th title="{}">{}</th>)", xml_escaped(level.name), level.id);
  text += "<th class=\"number\">transactions</th></tr></thead>\n<tbody>\n";
  for (std::size_t place = 0; place < matrix.rows.size(); ++place) {
    const MatrixRow& row = matrix.rows[place];
    text += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td{}>{}{}</td>", xml_escaped(row.database),
                        xml_escaped(row.isolation), name_of(row.data),
                        row.broke_its_claim() ? " class=\"claim-broken\"" : "",
                        row.claims ? id(*row.claims) : "-", row.broke_its_claim() ? ", broken" : "");
    for (const LevelRecord& record : row.levels) text += cell(row, place, record);
    text += fmt::format("<td class=\"number\">{}</td></tr>\n", row.transactions);
  }
  return text + "</tbody></table></div>\n";
}

std::string section(const MatrixRow& row, std::size_t place, std::size_t number) {
  const Witness& witness = row.witnesses[number];
  std::string text = fmt::format("<section id=\"{}\">\n<h2>{}, {}: {}</h2>\n<p>{} {}</p>\n<pre>{}</pre>\n",
                                 anchor(place, number), xml_escaped(row.database), xml_escaped(row.isolation),
                                 xml_escaped(witness.anomaly), witness.unsettled ? "unsettled at" : "breaks",
                                 row.broken_with(number), xml_escaped(witness.text));
  // Graphviz writes a prologue that belongs to a file of its own.
  if (witness.svg && witness.svg->find("<svg") != std::string::npos)
    text += fmt::format("<figure>{}</figure>\n", witness.svg->substr(witness.svg->find("<svg")));
  text += fmt::format("<details><summary>The transactions as a .hist file</summary><pre>{}</pre></details>\n",
                      xml_escaped(witness.story["subhistory"]["hist"].get<std::string>()));
  return text + "</section>\n";
}

}  // namespace

std::string as_html(const Matrix& matrix, const Tool& tool) {
  std::string text(kHead);
  text +=
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
  return text + fmt::format("<footer>assay {}: {}</footer>\n</body>\n</html>\n", xml_escaped(tool.version),
                            xml_escaped(tool.command));
}

}  // namespace assay
