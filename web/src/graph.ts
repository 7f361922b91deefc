// The dependency graph of a violation: transactions as cards and the edges between them. Of the two
// directions, to the right and downwards, the one that fits the page's width better is drawn.

import { bareCard, transactionCard, Ruler, type Card } from "./card";
import { asButton, html, svg } from "./dom";
import { arrowhead, drawEdge, kindsOf, labelSize, legend } from "./edge";
import type { Emphasis } from "./emphasis";
import { layOut, type Layout, type Link } from "./layout";
import type { Transaction, Violation } from "./report";

const tallest = 620; // beyond it a drawing is scaled down
const smallestScale = 0.6; // beyond it a drawing is scrolled
const between = 40;
const layers = { LR: 56, TB: 46 };

export interface Graph {
  element: HTMLElement;
  picture(): SVGSVGElement;
}

function drawCard(
  card: Card,
  transaction: Transaction | undefined,
  layout: Layout,
  emphasis: Emphasis,
): SVGGElement {
  const corner = layout.boxes.get(card.id)!;
  const group = card.draw();
  const aside = transaction?.matters === false ? "aside" : "";
  group.setAttribute("class", `card ${transaction?.outcome ?? "bare"} ${aside}`);
  group.setAttribute("transform", `translate(${corner.x} ${corner.y})`);
  group.setAttribute("data-transaction", card.id);
  if (!transaction) return group;
  const story = transaction.operations.map((operation) => operation.text).join(" ");
  const locate = () => emphasis.locate(card.id);
  return svg("g", asButton(`${card.id}: ${story}. Show in the timeline.`, locate), group);
}

function showEmphasis(picture: SVGSVGElement, emphasis: Emphasis): void {
  picture.classList.toggle("choosing", emphasis.edge !== null);
  for (const edge of picture.querySelectorAll("[data-edge]")) {
    edge.classList.toggle("selected", edge.getAttribute("data-edge") === emphasis.edge);
    edge.classList.toggle("near", edge.getAttribute("data-edge") === emphasis.near);
    const isAside = emphasis.among.length > 0 && !emphasis.among.includes(edge.getAttribute("data-edge")!);
    edge.classList.toggle("elsewhere", isAside);
  }
  for (const card of picture.querySelectorAll("[data-transaction]")) {
    const id = card.getAttribute("data-transaction");
    const pointed = emphasis.reads
      .filter((read) => read.transaction === id)
      .map((read) => String(read.operation));
    for (const operation of card.querySelectorAll("[data-operation]"))
      operation.classList.toggle("pointed", pointed.includes(operation.getAttribute("data-operation")!));
  }
}

export function drawGraph(violation: Violation, emphasis: Emphasis): Graph {
  const { edges } = violation;
  const ruler = new Ruler(getComputedStyle(document.documentElement).getPropertyValue("--mono"));
  const transactions = new Map(violation.transactions.map((transaction) => [transaction.id, transaction]));
  const named = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
  const cards: Card[] = [
    ...violation.transactions.map((transaction) => transactionCard(transaction, ruler)),
    ...[...named].filter((id) => !transactions.has(id)).map((id) => bareCard(id, ruler)),
  ];
  const links: Link[] = edges.map((edge) => ({
    id: edge.id,
    from: edge.from,
    to: edge.to,
    weight: edge.on_cycle ? 3 : 1,
    ...labelSize(edge, ruler),
  }));
  const layouts = (["LR", "TB"] as const).map((direction) =>
    layOut(cards, links, { direction, between, layers: layers[direction] }),
  );

  const paint = (layout: Layout) =>
    svg(
      "svg",
      {
        class: "picture",
        role: "group",
        "aria-label": "Dependency graph of the violation",
        viewBox: `0 0 ${layout.width} ${layout.height}`,
        width: layout.width,
        height: layout.height,
      },
      svg("defs", {}, ...kindsOf(edges).map(arrowhead)),
      ...cards.map((card) => drawCard(card, transactions.get(card.id), layout, emphasis)),
      ...edges.map((edge) =>
        drawEdge(edge, layout.links.get(edge.id)!, labelSize(edge, ruler).labelWidth, () =>
          emphasis.selectEdge(emphasis.edge === edge.id ? null : edge.id),
        ),
      ),
    );

  const frame = html("div", { class: "canvas" });
  let picture = svg("svg");
  let drawn: Layout | null = null;
  const fit = (width: number) => {
    const scale = (layout: Layout) => Math.min(1, width / layout.width, tallest / layout.height);
    const best = layouts.reduce((a, b) => (scale(b) > scale(a) ? b : a));
    if (best === drawn) return;
    drawn = best;
    picture = paint(best);
    picture.style.minWidth = `${Math.round(best.width * smallestScale)}px`;
    frame.replaceChildren(picture);
    showEmphasis(picture, emphasis);
  };
  emphasis.onChange(() => showEmphasis(picture, emphasis));
  new ResizeObserver((entries) => fit(entries[0]!.contentRect.width)).observe(frame);
  return {
    element: html("div", { class: "graph" }, frame, edges.length > 0 && legend(edges)),
    picture: () => picture,
  };
}
