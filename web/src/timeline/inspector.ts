// A transaction in words: what it did, what it read and from whom.

import { html } from "../dom";
import { plural } from "../words";
import type { Entry, Model } from "./model";
import { duration } from "./view";

function span(entry: Entry, model: Model): string {
  if (!model.timed) return `place ${entry.start + 1}`;
  return entry.open
    ? `from ${duration(entry.start)}, no answer`
    : `${duration(entry.start)} to ${duration(entry.end)}`;
}

export function describeEntry(
  entry: Entry,
  model: Model,
  most: number,
  go: ((id: string) => void) | null,
): HTMLElement {
  const source = (from: string) =>
    go && model.byId.has(from)
      ? html("button", { type: "button", class: "link data", click: () => go(from) }, from)
      : html("span", { class: "data" }, from);
  const shown = entry.operations.slice(0, most);
  return html(
    "div",
    { class: "entry" },
    html(
      "p",
      { class: "head" },
      html("b", { class: "data" }, entry.id),
      " ",
      html(
        "span",
        { class: "quiet" },
        "session ",
        html("span", { class: "data" }, model.rows[entry.row]!.session),
        ` · ${entry.outcome} · ${span(entry, model)}`,
      ),
      entry.violations.length > 0 && html("span", { class: "involved" }, " in the violation"),
    ),
    html(
      "ul",
      {},
      ...shown.map((operation) =>
        html(
          "li",
          {},
          html("span", { class: "data" }, operation.text),
          operation.from !== null && html("span", { class: "quiet" }, " from ", source(operation.from)),
        ),
      ),
    ),
    entry.operations.length > shown.length &&
      html(
        "p",
        { class: "quiet" },
        `and ${plural(entry.operations.length - shown.length, "more operation")}`,
      ),
  );
}
