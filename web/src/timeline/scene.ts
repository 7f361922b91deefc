// What there is to paint, its measures and its colours.

import type { Edge } from "../report";
import type { Entry, Model } from "./model";
import type { View } from "./view";

export const rowHeight = 26;
export const axisHeight = 24;
export const gutter = 92;
export const inset = 5; // between a bar and its row

const colours = [
  "ink",
  "muted",
  "rule",
  "panel",
  "stripe",
  "bar",
  "violated",
  "soft",
  "focus",
  "wr",
  "ww",
  "rw",
  "so",
  "rt",
  "mono",
] as const;

export type Palette = Record<(typeof colours)[number], string>;

// The style sheet's colours (and its one font), for a canvas knows no variables.
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    colours.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  ) as Palette;
}

export interface Scene {
  model: Model;
  view: View;
  width: number;
  height: number;
  scrolled: number;
  violation: number | null;
  edges: readonly Edge[];
  hovered: Entry | null;
  pinned: Entry | null;
}

export function place(scene: Scene, entry: Entry): { x: number; y: number; width: number } {
  const scale = (scene.width - gutter) / scene.view.span;
  const x = gutter + (entry.start - scene.view.from) * scale;
  return {
    x,
    y: axisHeight + entry.row * rowHeight - scene.scrolled,
    width: Math.max(2.5, (entry.end - entry.start) * scale - 1),
  };
}
