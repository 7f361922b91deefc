// The rest of a bug report: every verdict as a table, the history in figures, where the time went, and how to
// get the same result again.

import { html, svg, type Child } from "./dom";
import { verdictGlyph } from "./lattice";
import type { Report } from "./report";
import { count, plainName, plural, seconds, verdictWord } from "./words";

function section(title: string, ...content: Child[]): HTMLElement {
  return html("section", { class: "fact" }, html("h2", {}, title), ...content);
}

function verdicts(report: Report): HTMLElement {
  const asked = report.levels.filter((level) => level.verdict !== "not-asked");
  const row = (level: Report["levels"][number]) =>
    html(
      "tr",
      { class: level.verdict },
      html(
        "td",
        {},
        svg("svg", { viewBox: "-8 -8 16 16", width: 14, height: 14 }, verdictGlyph(level.verdict)),
      ),
      html("th", { scope: "row", title: plainName(level) }, level.id),
      html(
        "td",
        {},
        verdictWord[level.verdict],
        level.anomaly !== null && html("span", { class: "data" }, ` ${level.anomaly}`),
        level.reason !== null && html("span", { class: "quiet" }, ` ${level.reason}`),
      ),
      html("td", { class: "number" }, level.seconds === null ? "" : seconds(level.seconds)),
    );
  const rest = report.levels.length - asked.length;
  return section(
    "Verdicts",
    html("table", { class: "verdicts" }, html("tbody", {}, ...asked.map(row))),
    rest > 0 && html("p", { class: "quiet" }, `${plural(rest, "level")} not asked.`),
  );
}

function history(report: Report): HTMLElement {
  const h = report.history;
  const outcomes = [
    [h.committed, "committed"],
    [h.aborted, "aborted"],
    [h.unknown, "unknown"],
  ] as const;
  const rows: [string, string, string?][] = [
    ["file", h.name],
    ["format", h.format],
    ["sessions", count(h.sessions)],
    [
      "transactions",
      count(h.transactions),
      outcomes
        .filter(([n]) => n > 0)
        .map(([n, name]) => `${count(n)} ${name}`)
        .join(", "),
    ],
    ["operations", count(h.operations), `${plural(h.reads, "read")}, ${plural(h.writes, "write")}`],
    ["keys", count(h.keys)],
    [
      "instants",
      h.instants ? "yes" : "no",
      h.instants ? "real-time levels can be judged" : "real-time levels cannot be judged",
    ],
    ["digest", h.digest],
    ...(h.note ? [["recorded", h.note] as [string, string]] : []),
  ];
  return section(
    "History",
    html(
      "dl",
      {},
      ...rows.flatMap(([name, value, note]) => [
        html("dt", {}, name),
        html(
          "dd",
          {},
          html("span", { class: "data" }, value),
          note && html("span", { class: "quiet note" }, note),
        ),
      ]),
    ),
  );
}

function stages(report: Report): HTMLElement {
  const total = report.stages.reduce((sum, stage) => sum + stage.seconds, 0);
  const longest = Math.max(...report.stages.map((stage) => stage.seconds), 1e-9);
  const row = (name: string, time: number, share: number | null) => {
    const bar = html("span", { class: "bar" });
    bar.style.width = `${(share ?? 0) * 100}%`;
    return html(
      "tr",
      { class: share === null ? "total" : null },
      html("th", { scope: "row" }, name),
      html("td", { class: "share" }, share !== null && bar),
      html("td", { class: "number" }, seconds(time)),
    );
  };
  return section(
    "Time",
    html(
      "table",
      { class: "stages" },
      html(
        "tbody",
        {},
        ...report.stages.map((stage) => row(stage.name, stage.seconds, stage.seconds / longest)),
        row("total", total, null),
      ),
    ),
  );
}

function reproduce(report: Report): HTMLElement {
  const { command, version, name, seed } = report.tool;
  const text = html("code", {}, command);
  const copied = html(
    "button",
    {
      type: "button",
      class: "copy",
      click: () => {
        getSelection()?.selectAllChildren(text);
        navigator.clipboard?.writeText(command).then(
          () => (copied.textContent = "copied"),
          () => {},
        );
      },
    },
    "copy",
  );
  return section(
    "Reproduce",
    html("div", { class: "command" }, html("pre", {}, text), copied),
    html(
      "dl",
      {},
      html("dt", {}, "version"),
      html("dd", { class: "data" }, `${name} ${version}`),
      html("dt", {}, "seed"),
      html(
        "dd",
        {},
        seed === null
          ? html("span", { class: "quiet" }, "none: nothing was drawn at random")
          : html("span", { class: "data" }, String(seed)),
      ),
    ),
  );
}

export function listFacts(report: Report): HTMLElement {
  return html(
    "div",
    { class: "facts" },
    html("div", {}, verdicts(report), stages(report)),
    html("div", {}, history(report), reproduce(report)),
  );
}
