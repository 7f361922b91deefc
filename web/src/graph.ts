// The dependency graph of a violation: cards and the edges between them. An edge's kind shows in colour, dash
// and arrowhead, and its label says kind and key; one that was inferred carries a therefore-sign and opens its
// reasons. Of the two directions, downwards and to the right, the one that fits the page's width better is drawn.

import { bareCard, transactionCard, Ruler, type Card } from "./card";
import { asButton, html, svg } from "./dom";
import type { Emphasis } from "./emphasis";
import { layOut, smooth, type Layout, type Link, type Spacing } from "./layout";
import type { Edge, EdgeKind, Violation } from "./report";
import { edgeMeaning, shortened } from "./words";

const labelHeight = 20;
const longestKey = 16;
const tallest = 620; // beyond it a drawing is scaled down or scrolled

export interface Graph {
  element: HTMLElement;
  picture(): SVGSVGElement;
}

const arrowheads: Record<EdgeKind, string> = {
  wr: "M0 0L10 5L0 10Z",
  ww: "M0 5L5 0L10 5L5 10Z",
  rw: "M0 0L10 5L0 10L3.5 5Z",
  so: "M1 1L9 5L1 9",
  rt: "M1 1L9 5L1 9M5 1V9",
};

function marker(kind: EdgeKind): SVGMarkerElement {
  return svg("marker", {
    id: `arrow-${kind}`, viewBox: "0 0 10 10", refX: 9.5, refY: 5, markerWidth: 9, markerHeight: 9,
    markerUnits: "userSpaceOnUse", orient: "auto",
  }, svg("path", { class: `arrowhead ${kind}`, d: arrowheads[kind] }));
}

export function edgeLabel(edge: { kind: string; key: string | null }): string {
  return edge.key === null ? edge.kind : `${edge.kind} ${shortened(edge.key, longestKey)}`;
}

function labelText(edge: Edge): string {
  return edge.inferred ? `∴ ${edgeLabel(edge)}` : edgeLabel(edge);
}

export function legend(kinds: readonly EdgeKind[], inferred: boolean): HTMLElement {
  const sample = (kind: EdgeKind) => html("li", {},
    svg("svg", { class: "sample", width: 34, height: 12, "aria-hidden": true },
      svg("path", { class: `line ${kind}`, d: "M1 6H33", "marker-end": `url(#arrow-${kind})` })),
    html("b", {}, kind), " ", edgeMeaning[kind]);
  return html("ul", { class: "legend", "aria-label": "Kinds of edges" }, ...kinds.map(sample),
    inferred && html("li", {}, html("b", {}, "∴"), " inferred: select it to see why"));
}

export function drawGraph(violation: Violation, emphasis: Emphasis): Graph {
  const ruler = new Ruler(getComputedStyle(document.documentElement).getPropertyValue("--mono"));
  const cards: Card[] = violation.transactions.map((transaction) => transactionCard(transaction, ruler));
  const listed = new Map(violation.transactions.map((transaction) => [transaction.id, transaction]));
  for (const id of new Set(violation.edges.flatMap((edge) => [edge.from, edge.to])))
    if (!listed.has(id)) cards.push(bareCard(id, ruler));
  const links: Link[] = violation.edges.map((edge) => ({
    id: edge.id, from: edge.from, to: edge.to, labelWidth: ruler.width(labelText(edge), 12, 600) + 16, labelHeight,
    weight: edge.on_cycle ? 3 : 1,
  }));

  const drawCard = (card: Card, layout: Layout) => {
    const corner = layout.boxes.get(card.id)!;
    const transaction = listed.get(card.id);
    const group = card.draw();
    group.setAttribute("class", `card ${transaction?.outcome ?? "bare"} ${transaction?.matters === false ? "aside" : ""}`);
    group.setAttribute("transform", `translate(${corner.x} ${corner.y})`);
    group.setAttribute("data-transaction", card.id);
    if (!transaction) return group;
    const story = transaction.operations.map((operation) => operation.text).join(" ");
    return svg("g", asButton(`${card.id}: ${story}. Show in the timeline.`, () => emphasis.locate(card.id)), group);
  };

  const drawEdge = (edge: Edge, layout: Layout) => {
    const { points, label } = layout.links.get(edge.id)!;
    const width = ruler.width(labelText(edge), 12, 600) + 16;
    const path = smooth(points);
    const toggle = () => emphasis.selectEdge(emphasis.edge === edge.id ? null : edge.id);
    return svg("g", {
      class: `edge ${edge.kind} ${edge.inferred ? "inferred" : "observed"} ${edge.on_cycle ? "on-cycle" : ""}`,
      "data-edge": edge.id,
      ...asButton(`${edge.from} to ${edge.to}, ${edgeLabel(edge)}${edge.inferred ? ", inferred: show why" : ""}`, toggle),
    },
      svg("title", {}, edge.sentence),
      svg("path", { class: "reach", d: path }),
      svg("path", { class: `line ${edge.kind}`, d: path, "marker-end": `url(#arrow-${edge.kind})` }),
      svg("rect", {
        class: "pill", x: label.x - width / 2, y: label.y - labelHeight / 2, width, height: labelHeight, rx: labelHeight / 2,
      }),
      svg("text", { x: label.x, y: label.y, dy: "0.35em" }, labelText(edge)));
  };

  const kinds = (Object.keys(arrowheads) as EdgeKind[]).filter((kind) => violation.edges.some((edge) => edge.kind === kind));
  const frame = html("div", { class: "canvas" });
  const element = html("div", { class: "graph" }, frame,
    kinds.length > 0 && legend(kinds, violation.edges.some((edge) => edge.inferred)));
  let picture = svg("svg");
  let drawn: Spacing["direction"] | null = null;

  const show = () => {
    for (const edge of picture.querySelectorAll("[data-edge]")) {
      edge.classList.toggle("selected", edge.getAttribute("data-edge") === emphasis.edge);
      edge.classList.toggle("near", edge.getAttribute("data-edge") === emphasis.near);
    }
    picture.classList.toggle("choosing", emphasis.edge !== null);
    picture.querySelectorAll(".operation.pointed").forEach((operation) => operation.classList.remove("pointed"));
    for (const read of emphasis.reads)
      for (const card of picture.querySelectorAll("[data-transaction]"))
        if (card.getAttribute("data-transaction") === read.transaction)
          card.querySelector(`[data-operation="${read.operation}"]`)?.classList.add("pointed");
  };

  const layouts = (["LR", "TB"] as const).map((direction) => ({
    direction, layout: layOut(cards, links, { direction, between: 40, layers: direction === "TB" ? 46 : 56 }),
  }));
  const draw = (available: number) => {
    const scale = ({ layout }: { layout: Layout }) => Math.min(1, available / layout.width, tallest / layout.height);
    const best = layouts.reduce((a, b) => (scale(b) > scale(a) ? b : a));
    if (best.direction === drawn) return;
    drawn = best.direction;
    const { layout } = best;
    picture = svg("svg", {
      class: "picture", role: "group", "aria-label": "Dependency graph of the violation",
      viewBox: `0 0 ${layout.width} ${layout.height}`, width: layout.width, height: layout.height,
    },
      svg("defs", {}, ...kinds.map(marker)),
      ...cards.map((card) => drawCard(card, layout)),
      ...violation.edges.map((edge) => drawEdge(edge, layout)));
    picture.style.minWidth = `${Math.round(layout.width * 0.6)}px`;
    frame.replaceChildren(picture);
    show();
  };

  emphasis.onChange(show);
  new ResizeObserver((entries) => draw(entries[0]!.contentRect.width)).observe(frame);
  return { element, picture: () => picture };
}
