// Puts the page together: the first screen with the verdict and the lattice, the violation that is shown, the
// timeline of the whole history, the facts. Several violations share the page through a row of tabs.

import "./style/base.css";
import "./style/page.css";
import "./style/lattice.css";
import "./style/violation.css";
import "./style/timeline.css";
import "./style/facts.css";
import { html, svg } from "./dom";
import { Emphasis } from "./emphasis";
import { listFacts } from "./facts";
import { headline } from "./headline";
import { drawLattice, verdictGlyph } from "./lattice";
import { readReport, type Report, type Verdict, type Violation } from "./report";
import { tabs } from "./tabs";
import { TimelineView } from "./timeline/timeline";
import { violationGraph, violationStory } from "./violation";
import { plural, verdictWord } from "./words";

function masthead(report: Report): HTMLElement {
  const { history } = report;
  return html(
    "header",
    { class: "masthead" },
    html("span", { class: "mark" }, "Assay"),
    html("span", { class: "data file" }, history.name),
    html(
      "span",
      { class: "quiet" },
      [
        plural(history.transactions, "transaction"),
        plural(history.sessions, "session"),
        plural(history.keys, "key"),
      ].join(" · "),
    ),
  );
}

function verdictLegend(): HTMLElement {
  const entry = (verdict: Verdict) =>
    html(
      "li",
      {},
      svg("svg", { viewBox: "-8 -8 16 16", width: 13, height: 13 }, verdictGlyph(verdict)),
      verdictWord[verdict],
    );
  return html(
    "ul",
    { class: "legend" },
    ...(["holds", "violated", "undecided", "not-asked"] as const).map(entry),
  );
}

function calm(report: Report): HTMLElement {
  const { remarks, title, verdict } = headline(report);
  return html(
    "div",
    { class: "summary" },
    html("h1", { class: verdict }, title),
    html("div", { class: "sentences" }, ...remarks.map((remark) => html("p", {}, remark))),
  );
}

function baseName(report: Report): string {
  const file = report.history.name.split(/[\\/]/).pop() ?? "";
  return file.replace(/\.[^.]*$/, "").replace(/[^\w.-]+/g, "-") || "history";
}

function build(report: Report): Node[] {
  const { violations, levels } = report;
  const summary = html("div", { class: "summary-place" });
  const place = html("div", { class: "violation-place" });
  const timeline = new TimelineView(report.timeline, violations, report.history.transactions);

  const show = (index: number) => {
    const violation = violations[index] as Violation;
    const emphasis = new Emphasis();
    emphasis.onLocate((transaction) => timeline.locate(transaction));
    summary.replaceChildren(
      html(
        "div",
        { class: "summary" },
        html("h1", { class: "violated" }, violation.title),
        violationStory(violation, levels),
      ),
    );
    place.replaceChildren(violationGraph(violation, emphasis, baseName(report)));
    lattice.mark(violation.level);
    timeline.show(index);
    document.title = `${violation.title} · ${report.history.name} · Assay`;
  };
  const switcher =
    violations.length > 1
      ? tabs(
          "Violations",
          violations.map((violation, i) => ({
            label: `${i + 1}  ${violation.level}`,
            detail: violation.title,
          })),
          show,
        )
      : null;
  const turnTo = (level: string) => {
    const index = violations.findIndex((violation) => violation.level === level);
    if (index < 0) return null;
    return () => (switcher ? switcher.choose(index) : place.scrollIntoView({ block: "start" }));
  };
  const lattice = drawLattice(levels, turnTo);

  if (violations.length === 0) {
    summary.append(calm(report));
    document.title = `${headline(report).title} · ${report.history.name} · Assay`;
  } else if (switcher) switcher.choose(0);
  else show(0);

  return [
    masthead(report),
    html(
      "div",
      { class: "first" },
      html("div", { class: "left" }, switcher?.element, summary),
      html("aside", { "aria-label": "Verdicts by level" }, lattice.element, verdictLegend()),
    ),
    place,
    timeline.element,
    listFacts(report),
    html(
      "footer",
      {},
      html("span", { class: "isolated" }, `${report.tool.name} ${report.tool.version}`),
      " · one file, complete: it asks the network for nothing",
    ),
  ];
}

const page = document.getElementById("page")!;
readReport()
  .then((report) => page.replaceChildren(...build(report)))
  .catch((error: unknown) => {
    page.replaceChildren(
      html("h1", {}, "This report cannot be shown"),
      html("p", {}, error instanceof Error ? error.message : String(error)),
    );
  });
