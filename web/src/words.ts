// How numbers, levels and kinds of edges are put into words, in one place so that all parts of the page
// say the same.

import type { EdgeKind, Level, Verdict } from "./report";

// What the transaction at an edge's tail did.
export const edgeMeaning: Record<EdgeKind, string> = {
  wr: "wrote what the other read",
  ww: "wrote what the other overwrote",
  rw: "read what the other overwrote",
  so: "came first in their session",
  rt: "ended before the other began",
};

export const verdictWord: Record<Verdict, string> = {
  holds: "holds",
  violated: "violated",
  undecided: "undecided",
  "not-asked": "not asked",
};

export function count(n: number): string {
  return n.toLocaleString("en-US");
}

export function plural(n: number, one: string): string {
  return `${count(n)} ${one}${n === 1 ? "" : "s"}`;
}

export function seconds(s: number): string {
  if (s >= 100) return `${s.toFixed(0)} s`;
  if (s >= 1) return `${s.toFixed(2)} s`;
  if (s >= 0.001) return `${(s * 1000).toFixed(s >= 0.1 ? 0 : 1)} ms`;
  return `${(s * 1e6).toFixed(0)} µs`;
}

export function plainName(level: Level): string {
  return level.name.replace(/-/g, " ");
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}

// For drawings, which have room for one line: long keys and values keep their two ends, which is where they
// differ, and a character that would turn or hide its neighbours shows as one that does not.
export function shortened(text: string, length: number): string {
  const characters = Array.from(text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\ufffd"));
  if (characters.length <= length) return characters.join("");
  const head = Math.ceil((length - 1) * 0.6);
  const tail = length - 1 - head;
  return `${characters.slice(0, head).join("")}…${characters.slice(characters.length - tail).join("")}`;
}
