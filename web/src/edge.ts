// How an edge is drawn. Its kind shows in colour, dash and arrowhead, and its label says kind and key; one
// that was inferred carries a therefore-sign.

import type { Ruler } from "./card";
import { asButton, html, svg } from "./dom";
import { smooth, type Point } from "./layout";
import type { Edge, EdgeKind } from "./report";
import { edgeMeaning, shortened } from "./words";

const labelHeight = 20;
const longestKey = 16;

const arrowheads: Record<EdgeKind, string> = {
  wr: "M0 0L10 5L0 10Z",
  ww: "M0 5L5 0L10 5L5 10Z",
  rw: "M0 0L10 5L0 10L3.5 5Z",
  so: "M1 1L9 5L1 9",
  rt: "M1 1L9 5L1 9M5 1V9",
};

export function kindsOf(edges: readonly Edge[]): EdgeKind[] {
  return (Object.keys(arrowheads) as EdgeKind[]).filter((kind) => edges.some((edge) => edge.kind === kind));
}

export function arrowhead(kind: EdgeKind): SVGMarkerElement {
  const size = { refX: 9.5, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse" };
  return svg(
    "marker",
    { id: `arrow-${kind}`, viewBox: "0 0 10 10", orient: "auto", ...size },
    svg("path", { class: `arrowhead ${kind}`, d: arrowheads[kind] }),
  );
}

export function edgeLabel(edge: { kind: string; key: string | null }): string {
  return edge.key === null ? edge.kind : `${edge.kind} ${shortened(edge.key, longestKey)}`;
}

function labelText(edge: Edge): string {
  return edge.inferred ? `∴ ${edgeLabel(edge)}` : edgeLabel(edge);
}

export function labelSize(edge: Edge, ruler: Ruler): { labelWidth: number; labelHeight: number } {
  return { labelWidth: ruler.width(labelText(edge), 12, 600) + 16, labelHeight };
}

export function drawEdge(
  edge: Edge,
  { points, label }: { points: readonly Point[]; label: Point },
  width: number,
  select: () => void,
): SVGGElement {
  const path = smooth(points);
  const promise = edge.inferred ? ", inferred: show why" : "";
  const role = edge.on_cycle ? "on-cycle" : "";
  const pill = { x: label.x - width / 2, y: label.y - labelHeight / 2, width, height: labelHeight };
  return svg(
    "g",
    {
      class: `edge ${edge.kind} ${edge.inferred ? "inferred" : "observed"} ${role}`,
      "data-edge": edge.id,
      ...asButton(`${edge.from} to ${edge.to}, ${edgeLabel(edge)}${promise}`, select),
    },
    svg("title", {}, edge.sentence),
    svg("path", { class: "reach", d: path }),
    svg("path", { class: `line ${edge.kind}`, d: path, "marker-end": `url(#arrow-${edge.kind})` }),
    svg("rect", { class: "pill", rx: labelHeight / 2, ...pill }),
    svg("text", { x: label.x, y: label.y, dy: "0.35em" }, labelText(edge)),
  );
}

export function legend(edges: readonly Edge[]): HTMLElement {
  const sample = (kind: EdgeKind) =>
    html(
      "li",
      {},
      svg(
        "svg",
        { class: "sample", width: 34, height: 12, "aria-hidden": true },
        svg("path", { class: `line ${kind}`, d: "M1 6H33", "marker-end": `url(#arrow-${kind})` }),
      ),
      html("b", {}, kind),
      " ",
      edgeMeaning[kind],
    );
  return html(
    "ul",
    { class: "legend", "aria-label": "Kinds of edges" },
    ...kindsOf(edges).map(sample),
    edges.some((edge) => edge.inferred) &&
      html("li", {}, html("b", {}, "∴"), " inferred: select it to see why"),
  );
}
