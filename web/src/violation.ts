// One violation: what it is called, what it rules out, the story in sentences, and below them the graph
// beside the evidence. The page shows one at a time; switching builds the other anew.

import { html } from "./dom";
import { downloadButton, standalone } from "./download";
import type { Emphasis } from "./emphasis";
import { drawGraph } from "./graph";
import { listEvidence } from "./reasons";
import type { Level, Violation } from "./report";
import { plainName, plural } from "./words";

function chips(
  caption: string,
  kind: string,
  ids: readonly string[],
  levels: readonly Level[],
): HTMLElement | null {
  if (ids.length === 0) return null;
  const chip = (id: string) => {
    const level = levels.find((candidate) => candidate.id === id);
    return html("li", { class: `chip ${kind}`, title: level ? plainName(level) : null }, id);
  };
  return html(
    "div",
    { class: "chips" },
    html("span", { class: "caption" }, caption),
    html("ul", {}, ...ids.map(chip)),
  );
}

export function violationStory(violation: Violation, levels: readonly Level[]): HTMLElement {
  const level = levels.find((candidate) => candidate.id === violation.level);
  return html(
    "div",
    { class: "story" },
    html(
      "p",
      { class: "lead" },
      "Violates ",
      html("strong", {}, level ? plainName(level) : violation.level),
      ": ",
      html("span", { class: "anomaly" }, violation.anomaly),
      ".",
    ),
    html("div", { class: "sentences" }, ...violation.sentences.map((sentence) => html("p", {}, sentence))),
    chips("rules out", "violated", violation.rules_out, levels),
    chips("still hold", "holds", violation.still_hold, levels),
  );
}

function extent(violation: Violation): string {
  const sessions = new Set(violation.transactions.map((transaction) => transaction.session)).size;
  return `${plural(violation.transactions.length, "transaction")} of ${plural(sessions, "session")}`;
}

export function violationGraph(violation: Violation, emphasis: Emphasis, baseName: string): HTMLElement {
  const graph = drawGraph(violation, emphasis);
  const name = (ending: string) => `${baseName}-${violation.anomaly}.${ending}`;
  return html(
    "section",
    { class: "violation", "aria-label": "Dependency graph" },
    html(
      "header",
      {},
      html("h2", {}, "Why it cannot be otherwise"),
      html("span", { class: "quiet" }, extent(violation)),
      html(
        "div",
        { class: "downloads" },
        html("span", { class: "caption" }, "download"),
        downloadButton(".hist", name("hist"), "text/plain", () => violation.subhistory.hist),
        downloadButton(".jsonl", name("jsonl"), "application/x-ndjson", () => violation.subhistory.jsonl),
        downloadButton(
          ".svg",
          name("svg"),
          "image/svg+xml",
          () => violation.svg ?? standalone(graph.picture()),
        ),
      ),
    ),
    html("div", { class: "columns" }, graph.element, listEvidence(violation, emphasis)),
  );
}
