// The evidence: the violation's edges in words, in the order of the cycle; where whom a read is from is not
// known, a cycle for each case. An inferred edge opens into its reason: the reads that force it, the
// supposition they refute, and the steps of that refutation, each of which may open in turn. A reason is built
// when it is opened, so a deep tree costs nothing until it is read.

import { html } from "./dom";
import { edgeLabel } from "./edge";
import type { Emphasis } from "./emphasis";
import type { Cases, Edge, ForcingRead, Reason, Step, Violation } from "./report";
import { plural } from "./words";

function arrow(step: Step): HTMLElement {
  return html(
    "span",
    { class: "arrow" },
    html("b", { class: "data" }, step.from),
    html("span", { class: `kind ${step.kind}` }, edgeLabel(step)),
    html("b", { class: "data" }, step.to),
  );
}

// A button and the block that it opens.
function disclosure(reason: Reason, emphasis: Emphasis, turned: (opened: boolean) => void = () => {}) {
  const block = html("div", { class: "opened" });
  const set = (opened: boolean) => {
    if (opened && block.childElementCount === 0) block.append(reasonBlock(reason, emphasis));
    block.hidden = !opened;
    button.setAttribute("aria-expanded", String(opened));
    button.textContent = opened ? "hide" : "why?";
  };
  const button = html("button", {
    type: "button",
    class: "why",
    click: () => {
      set(block.hidden);
      turned(!block.hidden);
    },
  });
  set(false);
  return { button, block, set };
}

function forcingRead(read: ForcingRead, emphasis: Emphasis): HTMLElement {
  const point = () => emphasis.pointAt([read]);
  const leave = () => emphasis.pointAt([]);
  return html(
    "li",
    {},
    html(
      "button",
      {
        type: "button",
        class: "read",
        title: `Show ${read.transaction} in the timeline`,
        mouseenter: point,
        focus: point,
        mouseleave: leave,
        blur: leave,
        click: () => emphasis.locate(read.transaction),
      },
      html("b", { class: "data" }, read.transaction),
      " ",
      html("span", { class: "data" }, read.text),
    ),
  );
}

function reasonBlock(reason: Reason, emphasis: Emphasis): HTMLElement {
  return html(
    "div",
    { class: "reason" },
    html("p", {}, reason.sentence),
    reason.reads.length > 0 &&
      html(
        "div",
        { class: "forced" },
        html("span", { class: "caption" }, `Forced by ${plural(reason.reads.length, "read")}`),
        html("ul", { class: "reads" }, ...reason.reads.map((read) => forcingRead(read, emphasis))),
      ),
    reason.supposed !== null &&
      html("p", { class: "supposed" }, "Suppose ", html("b", { class: "data" }, reason.supposed), ". Then:"),
    reason.steps.length > 0 &&
      html("ol", { class: "steps" }, ...reason.steps.map((step) => stepItem(step, emphasis))),
    reason.supposed !== null && html("p", { class: "refuted" }, "A contradiction: it was not so."),
  );
}

function stepItem(step: Step, emphasis: Emphasis): HTMLElement {
  const why = step.reason && disclosure(step.reason, emphasis);
  return html(
    "li",
    { class: "step" },
    html("div", { class: "line" }, arrow(step), why?.button),
    html("p", {}, step.sentence),
    why?.block,
  );
}

// The edges of all cycles below.
function edgesOf(cases: Cases): string[] {
  return cases.cases.flatMap((one) => [...one.cycle, ...(one.cases ? edgesOf(one.cases) : [])]);
}

interface Evidence {
  item: HTMLElement;
  open(opened: boolean): void;
}

export function listEvidence(violation: Violation, emphasis: Emphasis): HTMLElement {
  const edges = new Map(violation.edges.map((edge) => [edge.id, edge]));
  const told = new Set([...violation.cycle, ...(violation.cases ? edgesOf(violation.cases) : [])]);
  const others = violation.edges.filter((edge) => !told.has(edge.id));
  const items = new Map<string, Evidence[]>(); // an edge may be told in several cases

  const edgeItem = (edge: Edge) => {
    const why =
      edge.reason &&
      disclosure(edge.reason, emphasis, (opened) => emphasis.selectEdge(opened ? edge.id : null));
    const item = html(
      "li",
      {
        class: "step",
        "data-evidence": edge.id,
        mouseenter: () => emphasis.hoverEdge(edge.id),
        mouseleave: () => emphasis.hoverEdge(null),
      },
      html(
        "div",
        { class: "line" },
        arrow(edge),
        edge.inferred && html("span", { class: "inferred" }, "inferred"),
        why?.button,
      ),
      html("p", {}, edge.sentence),
      why?.block,
    );
    const all = items.get(edge.id) ?? [];
    items.set(edge.id, [...all, { item, open: (opened) => why?.set(opened) }]);
    return item;
  };
  const steps = (ids: readonly string[]) =>
    html("ol", { class: "steps cycle" }, ...ids.map((id) => edgeItem(edges.get(id)!)));

  // A case is open unless it is deep; looking at it brings out its edges in the graph.
  const caseItem = (one: Cases["cases"][number], depth: number): HTMLElement => {
    const ids = [...one.cycle, ...(one.cases ? edgesOf(one.cases) : [])];
    const look = () => emphasis.lookAt(ids);
    const leave = () => emphasis.lookAt([]);
    return html(
      "details",
      { class: "case", open: depth < 2 },
      html("summary", { mouseenter: look, focus: look, mouseleave: leave, blur: leave }, one.supposed),
      one.cases ? caseList(one.cases, depth + 1) : steps(one.cycle),
      one.cases === null && html("p", { class: "refuted" }, "A cycle: it was not so."),
    );
  };
  const caseList = (cases: Cases, depth = 0): HTMLElement =>
    html(
      "div",
      { class: "cases" },
      html("p", { class: "question" }, cases.question),
      ...cases.cases.map((one) => caseItem(one, depth)),
    );

  let selected: string | null = null;
  emphasis.onChange(() => {
    if (emphasis.edge === selected) return;
    const before = selected === null ? [] : (items.get(selected) ?? []);
    selected = emphasis.edge;
    for (const { item, open } of before) {
      item.classList.remove("selected");
      if (selected === null) open(false);
    }
    const chosen = selected === null ? [] : (items.get(selected) ?? []);
    for (const { item, open } of chosen) {
      item.classList.add("selected");
      open(true);
    }
    for (
      let around = chosen[0]?.item.closest("details");
      around;
      around = around.parentElement?.closest("details")
    )
      around.open = true;
    chosen[0]?.item.scrollIntoView({ block: "nearest" });
  });

  return html(
    "div",
    { class: "evidence" },
    violation.cycle.length > 0 && html("h3", {}, "The cycle, step by step"),
    violation.cycle.length > 0 && steps(violation.cycle),
    violation.cases && html("h3", {}, "Case by case"),
    violation.cases && caseList(violation.cases),
    others.length > 0 && html("h3", {}, told.size > 0 ? "Other dependencies" : "Dependencies"),
    others.length > 0 && html("ul", { class: "steps" }, ...others.map(edgeItem)),
    violation.edges.length === 0 &&
      html(
        "p",
        { class: "quiet" },
        ["lost-update", "g-single"].includes(violation.anomaly)
          ? "No cycle is needed: there are more updates than versions that they can have read."
          : "No cycle is needed: the reads that are marked are wrong by themselves.",
      ),
  );
}
