// The history laid out for looking things up: rows of transactions ordered by start, on an axis that begins
// at zero. Finding what lies under a pointer is a binary search in one row.

import type { Outcome, Timeline } from "../report";

export interface Entry {
  id: string;
  row: number;
  place: number; // in its row
  start: number;
  end: number;
  open: boolean; // its answer never came
  outcome: Outcome;
  violations: readonly number[];
  operations: readonly { text: string; from: string | null }[];
}

export interface Row {
  session: string;
  entries: Entry[];
}

// "r(x,0) from T4": the writer follows the operation.
function splitSource(text: string): { text: string; from: string | null } {
  const at = text.lastIndexOf(") from ");
  return at < 0 ? { text, from: null } : { text: text.slice(0, at + 1), from: text.slice(at + 7) };
}

export class Model {
  readonly rows: Row[] = [];
  readonly byId = new Map<string, Entry>();
  readonly length: number;
  readonly timed: boolean;

  constructor(timeline: Timeline) {
    this.timed = timeline.axis === "time";
    let first = Infinity;
    let last = -Infinity;
    for (const session of timeline.sessions)
      for (const { start, end } of session.transactions) {
        first = Math.min(first, start);
        last = Math.max(last, start + 1, end ?? start);
      }
    if (first > last) [first, last] = [0, 1];
    this.length = last - first;

    timeline.sessions.forEach((session, row) => {
      const ordered = [...session.transactions].sort((a, b) => a.start - b.start);
      const entries = ordered.map((transaction, place): Entry => {
        const start = transaction.start - first;
        const next = ordered[place + 1];
        // An open transaction is drawn up to the session's next one, and a point has the width of one place.
        const open = transaction.end === null;
        const end =
          transaction.end === null ? (next ? next.start - first : this.length) : transaction.end - first;
        return {
          id: transaction.id,
          row,
          place,
          start,
          end: end > start ? end : start + (this.timed ? 0 : 0.8),
          open,
          outcome: transaction.outcome,
          violations: transaction.violations,
          operations: transaction.operations.map(splitSource),
        };
      });
      this.rows.push({ session: session.id, entries });
      for (const entry of entries) this.byId.set(entry.id, entry);
    });
  }

  get count(): number {
    return this.byId.size;
  }

  // The place of the first entry of the row that starts after `time`.
  private after(row: Row, time: number): number {
    let low = 0;
    let high = row.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row.entries[middle]!.start <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  visible(row: Row, from: number, to: number): Entry[] {
    // One before the first that starts in sight may reach into it.
    return row.entries.slice(Math.max(0, this.after(row, from) - 1), this.after(row, to));
  }

  at(row: number, time: number, tolerance: number): Entry | null {
    const found = this.rows[row];
    if (!found) return null;
    const after = this.after(found, time);
    const candidates = [found.entries[after - 1], found.entries[after]].filter(
      (entry) => entry !== undefined,
    );
    const distance = (entry: Entry) => Math.max(0, entry.start - time, time - entry.end);
    const nearest = candidates.sort((a, b) => distance(a) - distance(b))[0];
    return nearest && distance(nearest) <= tolerance ? nearest : null;
  }

  neighbour(entry: Entry, key: string): Entry | null {
    const own = this.rows[entry.row]!.entries;
    switch (key) {
      case "ArrowLeft":
        return own[entry.place - 1] ?? null;
      case "ArrowRight":
        return own[entry.place + 1] ?? null;
      case "Home":
        return own[0] ?? null;
      case "End":
        return own[own.length - 1] ?? null;
    }
    const step = key === "ArrowUp" ? -1 : 1;
    for (let row = entry.row + step; row >= 0 && row < this.rows.length; row += step) {
      const nearest = this.at(row, (entry.start + entry.end) / 2, Infinity);
      if (nearest) return nearest;
    }
    return null;
  }

  involved(violation: number): Entry[] {
    return this.rows.flatMap((row) => row.entries.filter((entry) => entry.violations.includes(violation)));
  }
}
