// What the reader is looking at, shared by the graph, the evidence and the timeline: an edge, a case, the reads
// under the pointer, a transaction to show in the timeline. Each part subscribes and draws itself anew; none
// knows the others.

import type { ForcingRead } from "./report";

export class Emphasis {
  edge: string | null = null; // chosen
  near: string | null = null; // the edge whose evidence is under the pointer
  among: readonly string[] = []; // the edges of the case under the pointer
  reads: readonly ForcingRead[] = [];
  private listeners: (() => void)[] = [];
  private locators: ((transaction: string) => void)[] = [];

  selectEdge(id: string | null): void {
    this.edge = id;
    this.tell();
  }

  hoverEdge(id: string | null): void {
    this.near = id;
    this.tell();
  }

  lookAt(edges: readonly string[]): void {
    this.among = edges;
    this.tell();
  }

  pointAt(reads: readonly ForcingRead[]): void {
    this.reads = reads;
    this.tell();
  }

  locate(transaction: string): void {
    for (const locator of this.locators) locator(transaction);
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  onLocate(locator: (transaction: string) => void): void {
    this.locators.push(locator);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
