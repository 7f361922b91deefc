// The report's data as the checker writes it (schema 1), and how the page gets at it. Ids, keys and
// values are strings as the history's file spells them; the page shows them and never interprets them.

export type Verdict = "holds" | "violated" | "undecided" | "not-asked";
export type Outcome = "committed" | "aborted" | "unknown";
export type EdgeKind = "wr" | "ww" | "rw" | "so" | "rt";

export interface Level {
  id: string;
  name: string;
  implies: string[]; // directly
  verdict: Verdict;
  anomaly: string | null;
  seconds: number | null;
  reason: string | null; // why it is undecided
}

export interface Operation {
  text: string;
  kind: string;
  key: string;
  value: string;
  from: string | null; // the writer read from
  matters: boolean;
}

export interface Transaction {
  id: string;
  session: string;
  position: number;
  outcome: Outcome;
  matters: boolean;
  operations: Operation[];
}

export interface ForcingRead {
  transaction: string;
  operation: number; // index in that transaction's operations
  text: string;
}

export interface Step {
  from: string;
  to: string;
  kind: EdgeKind;
  key: string | null;
  sentence: string;
  reason: Reason | null;
}

// Why an order that nobody observed holds all the same.
export interface Reason {
  sentence: string;
  reads: ForcingRead[];
  supposed: string | null; // the alternative that the steps refute
  steps: Step[];
}

export interface Edge extends Step {
  id: string;
  inferred: boolean;
  on_cycle: boolean;
}

// Whom a read is from is not known: each case ends in a cycle, or in cases again.
export interface Cases {
  question: string;
  cases: { supposed: string; cycle: string[]; cases: Cases | null }[];
}

export interface Violation {
  level: string;
  anomaly: string;
  title: string;
  rules_out: string[];
  still_hold: string[];
  keys: string[];
  sentences: string[];
  transactions: Transaction[];
  edges: Edge[];
  cycle: string[]; // ids of edges, in order; empty when single reads are wrong, or where there are cases
  cases: Cases | null;
  subhistory: { hist: string; jsonl: string };
  svg: string | null;
}

export interface TimelineTransaction {
  id: string;
  outcome: Outcome;
  start: number;
  end: number | null; // null: the answer never came
  violations: number[];
  operations: string[];
}

export interface Timeline {
  axis: "time" | "order"; // nanoseconds, or positions
  sessions: { id: string; transactions: TimelineTransaction[] }[];
}

export interface Report {
  schema: 1;
  tool: { name: string; version: string; command: string; seed: number | string | null };
  history: {
    name: string;
    format: string;
    digest: string;
    sessions: number;
    transactions: number;
    committed: number;
    aborted: number;
    unknown: number;
    operations: number;
    reads: number;
    writes: number;
    keys: number;
    instants: boolean;
    note: string; // what the recording says of itself: database, level, workload, seed, faults
  };
  stages: { name: string; seconds: number }[];
  levels: Level[];
  violations: Violation[];
  timeline: Timeline;
}

// A long history may come as a string instead: the same JSON, compressed with gzip, in base64.
async function unpacked(base64: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(plain).text());
}

export async function readReport(): Promise<Report> {
  const text = document.getElementById("assay-data")?.textContent ?? "";
  if (text.startsWith("/*"))
    throw new Error("This is the empty page; the checker puts a report's data into it.");
  const found: unknown = JSON.parse(text);
  const data = (typeof found === "string" ? await unpacked(found) : found) as Report;
  if (data?.schema !== 1)
    throw new Error(`This page reads schema 1 of the report, not ${String(data?.schema)}.`);
  return data;
}
