// A transaction as a card: its id, session and outcome, then its operations in program order, each read with
// the writer it read from. What matters to the violation stands out; a long run of operations that do not is
// folded into one line.

import { svg } from "./dom";
import type { Operation, Transaction } from "./report";
import { plural, shortened } from "./words";

const rowHeight = 19;
const headHeight = 28;
const padding = 10;
const gap = 14;
const longestText = 30;
const longestId = 18;
const foldFrom = 3; // so many rows in a run make it worth a fold

type Row =
  | { kind: "operation"; index: number; operation: Operation }
  | { kind: "fold"; hidden: readonly Operation[] };

export interface Card {
  id: string;
  width: number;
  height: number;
  draw(): SVGGElement;
}

// Widths come from a canvas: cheap, and known before anything is in the document.
export class Ruler {
  private readonly context = document.createElement("canvas").getContext("2d")!;
  constructor(private readonly family: string) {}

  width(text: string, size: number, weight = 400): number {
    this.context.font = `${weight} ${size}px ${this.family}`;
    return this.context.measureText(text).width;
  }
}

function foldedRows(operations: readonly Operation[]): Row[] {
  const rows: Row[] = [];
  for (let i = 0; i < operations.length; ) {
    let end = i;
    while (end < operations.length && !operations[end]!.matters) ++end;
    if (end - i >= foldFrom) {
      rows.push({ kind: "fold", hidden: operations.slice(i, end) });
      i = end;
      continue;
    }
    rows.push({ kind: "operation", index: i, operation: operations[i]! });
    ++i;
  }
  return rows;
}

function source(operation: Operation): string {
  return operation.from === null ? "" : `← ${shortened(operation.from, longestId)}`;
}

function where(transaction: Transaction): string {
  const place = `${shortened(transaction.session, longestId)} · ${transaction.position}`;
  return transaction.outcome === "committed" ? place : `${transaction.outcome} · ${place}`;
}

export function transactionCard(transaction: Transaction, ruler: Ruler): Card {
  const rows = foldedRows(transaction.operations);
  const rowWidth = (row: Row) => {
    if (row.kind === "fold") return ruler.width(plural(row.hidden.length, "other operation"), 11.5);
    const from = source(row.operation);
    return (
      ruler.width(shortened(row.operation.text, longestText), 12.5) +
      (from ? gap + ruler.width(from, 11.5) : 0)
    );
  };
  const head =
    ruler.width(shortened(transaction.id, longestId), 13.5, 700) +
    gap +
    ruler.width(where(transaction), 11.5);
  const width = Math.ceil(Math.max(130, head, ...rows.map(rowWidth)) + 2 * padding + 4);
  const height = headHeight + rows.length * rowHeight + (rows.length > 0 ? 8 : 0);

  const drawRow = (row: Row, i: number): SVGGElement => {
    const y = headHeight + 4 + i * rowHeight;
    const middle = rowHeight / 2;
    if (row.kind === "fold")
      return svg(
        "g",
        { class: "operation", transform: `translate(0 ${y})` },
        svg("title", {}, row.hidden.map((operation) => operation.text).join(" ")),
        svg(
          "text",
          { class: "fold", x: padding, y: middle, dy: "0.35em" },
          plural(row.hidden.length, "other operation"),
        ),
      );
    const { operation, index } = row;
    return svg(
      "g",
      {
        class: operation.matters ? "operation matters" : "operation",
        transform: `translate(0 ${y})`,
        "data-operation": index,
      },
      svg("title", {}, operation.from === null ? operation.text : `${operation.text} from ${operation.from}`),
      svg("rect", { class: "band", x: 1, width: width - 2, height: rowHeight }),
      svg("rect", { class: "bar", x: 1, width: 3, height: rowHeight }),
      svg("text", { x: padding, y: middle, dy: "0.35em" }, shortened(operation.text, longestText)),
      svg("text", { class: "source", x: width - padding, y: middle, dy: "0.35em" }, source(operation)),
    );
  };
  return {
    id: transaction.id,
    width,
    height,
    draw: () =>
      svg(
        "g",
        {},
        svg("rect", { class: "paper", width, height, rx: 5 }),
        svg(
          "title",
          {},
          `${transaction.id}, ${transaction.outcome}: number ${transaction.position} of session ${transaction.session}`,
        ),
        svg(
          "text",
          { class: "id", x: padding, y: headHeight / 2, dy: "0.35em" },
          shortened(transaction.id, longestId),
        ),
        svg(
          "text",
          { class: "where", x: width - padding, y: headHeight / 2, dy: "0.35em" },
          where(transaction),
        ),
        svg("path", { class: "rule", d: `M0 ${headHeight}H${width}` }),
        ...rows.map(drawRow),
      ),
  };
}

// The initial transaction, or another that an edge names and the violation does not list.
export function bareCard(id: string, ruler: Ruler): Card {
  const width = Math.ceil(ruler.width(shortened(id, longestId), 13.5, 700) + 2 * padding + 4);
  return {
    id,
    width,
    height: headHeight,
    draw: () =>
      svg(
        "g",
        {},
        svg("rect", { class: "paper", width, height: headHeight, rx: headHeight / 2 }),
        svg("title", {}, id),
        svg(
          "text",
          { class: "id", x: padding + 2, y: headHeight / 2, dy: "0.35em" },
          shortened(id, longestId),
        ),
      ),
  };
}
