#include "spec_report/pages.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/escape.h"
#include "spec_report/drawings.h"
#include "spec_report/words.h"
#include "synthesis/facts.h"
#include "synthesis/narrate.h"

namespace assay::spec_report {
namespace {

constexpr std::string_view kUndecided = "undecided: ";

std::string paragraph(std::string_view text) { return fmt::format("<p>{}</p>\n", xml_escaped(text)); }
std::string heading(std::string_view text) { return fmt::format("<h2>{}</h2>\n", xml_escaped(text)); }
std::string subheading(std::string_view text) { return fmt::format("<h3>{}</h3>\n", xml_escaped(text)); }

std::string list(const std::vector<std::string>& lines) {
  std::string text = "<ul>\n";
  for (const std::string& line : lines) text += fmt::format("<li>{}</li>\n", xml_escaped(line));
  return text + "</ul>\n";
}

// A row for each session, a column for each transaction. Found histories are numbered along an order that
// explains them, so that what happens further right happens later.
std::string sessions_as_table(const spec::HistoryFacts& facts) {
  std::string rows;
  std::size_t session = 0;
  for (std::uint32_t first = 1; first < facts.transactions; ++first) {
    const auto is_in = [&](std::uint32_t t) {
      return t == first || facts.session_order.contains({first, t});
    };
    const bool begins =
        std::ranges::none_of(facts.session_order, [&](const spec::Row& row) { return row[1] == first; });
    if (!begins) continue;
    rows += fmt::format("<tr><th>S{}</th>", ++session);
    for (std::uint32_t t = 1; t < facts.transactions; ++t)
      rows += is_in(t)
                  ? fmt::format("<td><b>{}</b> <code>{}</code></td>", synthesis::transaction_name(facts, t),
                                xml_escaped(fmt::format("{}", fmt::join(operations_of(facts, t), " "))))
                  : std::string("<td></td>");
    rows += "</tr>\n";
  }
  return "<div class=\"wide\"><table>\n" + rows + "</table></div>\n";
}

std::string allowed_part(const spec::Specification& level, const spec::HistoryFacts& facts,
                         const synthesis::Solution::Explanation& explanation, const DrawSvg& draw) {
  std::string text = subheading("Why " + level.name + " allows it");
  text += paragraph(level.witnesses.empty() ? "It has no witnesses, and all that it says holds."
                                            : "With these witnesses, all that it says holds:");
  text += list(describe_witnesses(level, explanation, synthesis::names_of_found(facts)));
  if (const auto svg = draw(as_dot({drawing_of(facts, level, explanation)}))) text += figure(*svg);
  return text;
}

std::string forbidden_part(const spec::Specification& level, const spec::HistoryFacts& facts,
                           const std::string& how) {
  return subheading("Why " + level.name + " forbids it") + paragraph(how) +
         list(why_forbidden(level, facts, synthesis::names_of_found(facts)));
}

std::string history_part(const spec::HistoryFacts& facts) {
  return paragraph(size_in_words(facts)) + sessions_as_table(facts) +
         fmt::format("<pre>{}</pre>\n", xml_escaped(hist_text(facts)));
}

std::string found_part(const synthesis::Problem& problem, const synthesis::Found& found,
                       const std::string& title, const DrawSvg& draw) {
  const spec::HistoryFacts& facts = found.solution.facts;
  std::string text = "<section>\n" + heading(title) + history_part(facts);
  for (std::size_t i = 0; i < problem.allow.size(); ++i)
    text += allowed_part(problem.allow[i], facts, found.solution.allowed[i], draw);
  for (std::size_t i = 0; i < problem.forbid.size(); ++i)
    text += forbidden_part(problem.forbid[i], facts, refuted(found.refutations[i]) + "; for example:");
  return text + "</section>\n";
}

// Each level with what its file says of it: its source, and what was changed.
std::string levels_part(const std::vector<spec::Specification>& levels, const synthesis::Lattice& lattice) {
  std::string rows;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    std::size_t first = i;
    while (first > 0 && !(lattice.equivalent(first, i) && lattice.is_first_of_its_kind(first))) --first;
    rows += fmt::format("<tr id=\"{}\"><td>{}</td><td>{}</td><td>{}</td></tr>\n", anchor_of_level(i),
                        xml_escaped(levels[i].name), xml_escaped(levels[i].about),
                        first == i ? "" : xml_escaped("equivalent to " + levels[first].name));
  }
  return "<section>\n" + heading("The levels") +
         "<table><thead><tr><th>level</th><th>what its file says</th><th></th></tr></thead><tbody>\n" + rows +
         "</tbody></table>\n</section>\n";
}

std::string looked_at(const synthesis::Scope& scope) {
  return fmt::format("Looked at: histories of up to {}.", in_words(scope));
}

}  // namespace

std::string find_page(const synthesis::Problem& problem, const synthesis::FindOptions& options,
                      const synthesis::FindResult& result, const Tool& tool, const DrawSvg& draw) {
  std::string body = paragraph(looked_at(options.scope));
  const bool stopped = result.kind == synthesis::FindResult::Kind::Stopped;
  if (stopped) body += paragraph(kUndecided.data() + why_undecided(result.why_stopped, result.finished));
  else if (result.found.empty()) body += paragraph("There is none. Larger histories were not searched.");
  for (std::size_t i = 0; i < result.found.size(); ++i)
    body += found_part(problem, result.found[i],
                       result.found.size() == 1 ? "A history" : fmt::format("History {}", i + 1), draw);
  return static_page("Assay: a history " + as_asked(problem), "A history " + as_asked(problem), body, tool);
}

std::string compare_page(const synthesis::Problem& forward, const synthesis::FindOptions& options,
                         const synthesis::Comparison& comparison, const Tool& tool, const DrawSvg& draw) {
  const std::string &first = forward.allow[0].name, &second = forward.forbid[0].name;
  std::string body = paragraph(looked_at(options.scope));
  if (comparison.relation == synthesis::Relation::Undecided)
    body += paragraph(kUndecided.data() + why_undecided(comparison.why_undecided, comparison.finished));
  const synthesis::Problem backward{forward.forbid, forward.allow};
  for (const bool is_forward : {true, false}) {
    const auto& found = is_forward ? comparison.only_first : comparison.only_second;
    const synthesis::Problem& problem = is_forward ? forward : backward;
    if (found) body += found_part(problem, *found, "A history " + as_asked(problem), draw);
    else if (comparison.relation != synthesis::Relation::Undecided)
      body += paragraph(fmt::format("No such history is {}.", as_asked(problem)));
  }
  const std::string title = fmt::format("{} and {}: {}", first, second, word(comparison.relation));
  return static_page("Assay: " + title, title, body, tool);
}

std::string lattice_page(const std::vector<spec::Specification>& levels,
                         const synthesis::FindOptions& options, const synthesis::Lattice& lattice,
                         const Tool& tool, const DrawSvg& draw) {
  std::string body =
      paragraph(looked_at(options.scope) +
                " A line leads from a level to a stronger one above it. Levels in one box allow "
                "the same histories.");
  if (!lattice.why_undecided.empty()) body += paragraph(kUndecided.data() + lattice.why_undecided);
  if (const auto svg = draw(as_dot({drawing_of(lattice)}, DrawingStyle::Lattice))) body += figure(*svg);
  const std::size_t n = lattice.names.size();
  std::string links, sections;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (!lattice.covers(i, j)) continue;
      const auto separation = lattice.separated_by[j][i];
      const std::string stronger = names_of_kind(lattice, i, " = "),
                        weaker = names_of_kind(lattice, j, " = ");
      links += fmt::format(
          "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", xml_escaped(stronger),
          xml_escaped(weaker),
          separation ? fmt::format("<a href=\"#{}\">a history</a>", anchor_of_pair(i, j)) : "undecided",
          xml_escaped(lattice.proved[i][j] ? "proved " + *lattice.proved[i][j] : ""));
      if (!separation) continue;
      const spec::HistoryFacts& facts = lattice.separations[*separation].facts;
      sections += fmt::format("<section id=\"{}\">\n", anchor_of_pair(i, j)) +
                  heading(fmt::format("Allowed by {}, forbidden by {}", lattice.names[j], lattice.names[i])) +
                  history_part(facts);
      const synthesis::ConcreteAnswer allowed = synthesis::allows(levels[j], facts, options.stop);
      if (allowed.kind == synthesis::ConcreteAnswer::Kind::Allowed)
        sections += allowed_part(levels[j], facts, allowed.explanation, draw);
      sections += forbidden_part(levels[i], facts, "No witness fits; for example:") + "</section>\n";
    }
  if (!links.empty())
    body +=
        "<table><thead><tr><th>stronger</th><th>weaker</th><th>told apart by</th><th>for all "
        "sizes</th></tr></thead><tbody>\n" +
        links + "</tbody></table>\n";
  const std::string title = fmt::format("How {} levels relate", n);
  return static_page("Assay: " + title, title, body + levels_part(levels, lattice) + sections, tool);
}

}  // namespace assay::spec_report
