// The levels as a lattice, the strongest on top, each with its verdict. A verdict shows as a glyph's shape
// and a frame as well as a colour. A violated level that the report explains is a button that turns to it.

import { asButton, svg } from "./dom";
import { layOut, smooth } from "./layout";
import type { Level, Verdict } from "./report";
import { capitalised, plainName, seconds, verdictWord } from "./words";

const width = 118;
const height = 28;

// Drawn around the origin, six units to each side.
export function verdictGlyph(verdict: Verdict): SVGGElement {
  const shape = {
    holds: svg("circle", { r: 6 }),
    violated: svg("rect", { x: -6, y: -6, width: 12, height: 12, rx: 1.5 }),
    undecided: svg("path", { d: "M0-7.5L7.5 0L0 7.5L-7.5 0Z" }),
    "not-asked": svg("circle", { r: 2.5 }),
  }[verdict];
  const mark = {
    holds: "M-3 0.3L-0.9 2.5L3-2.2",
    violated: "M-2.8-2.8L2.8 2.8M2.8-2.8L-2.8 2.8",
    undecided: "M-3 0H3",
    "not-asked": "",
  };
  return svg(
    "g",
    { class: `glyph ${verdict}`, "aria-hidden": true },
    shape,
    mark[verdict] !== "" && svg("path", { class: "mark", d: mark[verdict] }),
  );
}

export function describe(level: Level): string {
  let text = `${level.id}, ${plainName(level)}: ${verdictWord[level.verdict]}`;
  if (level.anomaly !== null) text += ` (${level.anomaly})`;
  if (level.reason !== null) text += `: ${level.reason}`;
  if (level.seconds !== null) text += `, ${seconds(level.seconds)}`;
  return text;
}

export interface Lattice {
  element: SVGSVGElement;
  mark(level: string): void; // the level whose violation the page shows
}

export function drawLattice(
  levels: readonly Level[],
  explained: (level: string) => (() => void) | null,
): Lattice {
  const known = new Set(levels.map((level) => level.id));
  const boxes = levels.map((level) => ({ id: level.id, width, height }));
  const links = levels.flatMap((level) =>
    level.implies
      .filter((weaker) => known.has(weaker))
      .map((weaker) => ({
        id: `${level.id}>${weaker}`,
        from: level.id,
        to: weaker,
        labelWidth: 0,
        labelHeight: 0,
        weight: 1,
      })),
  );
  const layout = layOut(boxes, links, { direction: "TB", between: 18, layers: 14 });

  const nodes = new Map<string, SVGGElement>();
  for (const level of levels) {
    const corner = layout.boxes.get(level.id)!;
    const show = level.verdict === "violated" ? explained(level.id) : null;
    const place = { class: `level ${level.verdict}`, transform: `translate(${corner.x} ${corner.y})` };
    const meaning = show
      ? asButton(`${describe(level)}. Show why.`, show)
      : { role: "img", "aria-label": describe(level) };
    const glyph = verdictGlyph(level.verdict);
    glyph.setAttribute("transform", `translate(15 ${height / 2})`);
    nodes.set(
      level.id,
      svg(
        "g",
        { ...place, ...meaning, "data-level": level.id },
        svg("title", {}, capitalised(describe(level))),
        svg("rect", { class: "frame", width, height, rx: 4 }),
        glyph,
        svg("text", { x: 28, y: height / 2, dy: "0.35em" }, level.id),
      ),
    );
  }
  const lines = links.map((link) =>
    svg("path", { class: "implies", d: smooth(layout.links.get(link.id)!.points) }),
  );
  const element = svg(
    "svg",
    {
      class: "lattice",
      role: "group",
      "aria-label": "Isolation levels, the strongest on top, and their verdicts",
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      width: layout.width,
      height: layout.height,
    },
    ...lines,
    ...nodes.values(),
  );
  return {
    element,
    mark: (current) => nodes.forEach((node, id) => node.classList.toggle("current", id === current)),
  };
}
