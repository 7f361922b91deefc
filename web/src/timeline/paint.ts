// Draws the part of the timeline that is in sight on a canvas. Its cost follows what is visible, not the
// history's length.

import type { Edge } from "../report";
import { shortened } from "../words";
import type { Entry, Model } from "./model";
import { ticks, type View } from "./view";

export const rowHeight = 26;
export const axisHeight = 24;
export const gutter = 92;
const inset = 5;
const narrowest = 12; // a bar narrower than this has no room for any label

export type Palette = Record<
  "ink" | "muted" | "rule" | "panel" | "stripe" | "bar" | "violated" | "soft" | "focus" | "wr" | "ww" | "rw" | "so" | "rt" | "mono", string>;

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const names = ["ink", "muted", "rule", "panel", "stripe", "bar", "violated", "soft", "focus", "wr", "ww", "rw", "so", "rt", "mono"] as const;
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Palette;
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

const dashes: Record<string, number[]> = { wr: [], ww: [], rw: [6, 4], so: [1.5, 3.5], rt: [8, 3, 2, 3] };

export function place(scene: Scene, entry: Entry): { x: number; y: number; width: number } {
  const scale = (scene.width - gutter) / scene.view.span;
  const x = gutter + (entry.start - scene.view.from) * scale;
  return {
    x, y: axisHeight + entry.row * rowHeight - scene.scrolled,
    width: Math.max(2.5, (entry.end - entry.start) * scale - 1),
  };
}

function paintAxis(context: CanvasRenderingContext2D, scene: Scene, palette: Palette): void {
  const { view, width, height } = scene;
  const scale = (width - gutter) / view.span;
  context.font = `11px ${palette.mono}`;
  context.textBaseline = "middle";
  for (const tick of ticks(view.from, view.to, (width - gutter) / 110, scene.model.timed)) {
    const x = Math.round(gutter + (tick.at - view.from) * scale) + 0.5;
    context.strokeStyle = palette.rule;
    context.beginPath();
    context.moveTo(x, axisHeight - 5);
    context.lineTo(x, height);
    context.stroke();
    context.fillStyle = palette.muted;
    const half = context.measureText(tick.label).width / 2;
    context.textAlign = "center";
    if (x - half > gutter - 20 && x + half < width) context.fillText(tick.label, x, axisHeight / 2 - 2);
  }
}

function paintBar(context: CanvasRenderingContext2D, scene: Scene, entry: Entry, palette: Palette): void {
  const { x, y, width } = place(scene, entry);
  const top = y + inset;
  const height = rowHeight - 2 * inset;
  const involved = scene.violation !== null && entry.violations.includes(scene.violation);
  const elsewhere = !involved && entry.violations.length > 0;
  context.beginPath();
  context.roundRect(x, top, width, height, Math.min(2.5, width / 2));
  const hollow = entry.outcome !== "committed";
  context.fillStyle = involved ? (hollow ? palette.soft : palette.violated) : hollow ? palette.panel : palette.bar;
  context.fill();
  if (hollow || elsewhere) {
    context.strokeStyle = involved || elsewhere ? palette.violated : palette.muted;
    context.setLineDash(entry.open || entry.outcome === "unknown" ? [3, 2] : []);
    context.stroke();
    context.setLineDash([]);
  }
  if (entry.outcome === "aborted" && width > 6) {
    context.strokeStyle = involved ? palette.violated : palette.muted;
    context.beginPath();
    context.moveTo(x, top + height);
    context.lineTo(x + Math.min(width, height), top);
    context.stroke();
  }
  if (entry === scene.pinned || entry === scene.hovered) {
    context.strokeStyle = palette.focus;
    context.lineWidth = entry === scene.pinned ? 2 : 1.25;
    context.strokeRect(x - 2, top - 2, width + 4, height + 4);
    context.lineWidth = 1;
  }
  context.fillStyle = involved && !hollow ? palette.panel : palette.ink;
  if (width > narrowest) paintLabel(context, entry, involved, x, x + width - 4, y + rowHeight / 2 + 0.5, palette);
}

// The id where it fits, and after it as many operations as do.
function paintLabel(
  context: CanvasRenderingContext2D, entry: Entry, involved: boolean, x: number, right: number, y: number, palette: Palette,
): void {
  const left = Math.max(x, gutter) + (entry.outcome === "aborted" && x >= gutter ? 17 : 5);
  const id = shortened(entry.id, 24);
  context.textAlign = "left";
  context.font = `${involved ? 700 : 400} 11px ${palette.mono}`;
  const used = context.measureText(id).width;
  if (left + used > right) return;
  context.fillText(id, left, y);
  context.font = `11px ${palette.mono}`;
  context.globalAlpha = 0.8;
  let from = left + used + 12;
  for (const operation of entry.operations) {
    const text = shortened(operation.text, 40);
    const width = context.measureText(text).width;
    if (from + width > right) break;
    context.fillText(text, from, y);
    from += width + 7;
  }
  context.globalAlpha = 1;
}

function paintArrow(context: CanvasRenderingContext2D, scene: Scene, from: Entry, to: Entry, lane: number, halo: string): void {
  const a = place(scene, from);
  const b = place(scene, to);
  const middle = rowHeight / 2;
  // From where the bars are nearest: straight down when they overlap. Lanes part edges of the same two bars.
  const within = (x: number, bar: { x: number; width: number }) => {
    const margin = Math.min(5, bar.width / 2);
    return Math.min(Math.max(x, bar.x + margin), bar.x + bar.width - margin);
  };
  const overlap = (Math.max(a.x, b.x) + Math.min(a.x + a.width, b.x + b.width)) / 2;
  const start = { x: within(overlap + lane, a), y: a.y + middle };
  const end = { x: within(overlap + lane, b), y: b.y + middle };
  const down = end.y > start.y ? 1 : end.y < start.y ? -1 : 0;
  end.y -= down * (middle - inset + 1);
  // Within a row an edge arches over what lies between.
  const bend = down === 0 ? -rowHeight : (end.y - start.y) * 0.6;
  const controls = { x1: start.x, y1: start.y + bend, x2: end.x, y2: down === 0 ? end.y + bend : end.y - bend };
  if (down === 0) {
    start.y -= middle - inset;
    end.y -= middle - inset;
  }
  const path = new Path2D(`M${start.x} ${start.y}C${controls.x1} ${controls.y1} ${controls.x2} ${controls.y2} ${end.x} ${end.y}`);
  const { lineWidth, strokeStyle } = context;
  const dash = context.getLineDash();
  context.setLineDash([]);
  context.lineWidth = lineWidth + 3;
  context.strokeStyle = halo;
  context.stroke(path);
  Object.assign(context, { lineWidth, strokeStyle });
  context.setLineDash(dash);
  context.stroke(path);
  context.setLineDash([]);
  context.beginPath();
  context.arc(start.x, start.y, 2.5, 0, 7);
  context.fill();
  const angle = Math.atan2(end.y - controls.y2, end.x - controls.x2);
  context.beginPath();
  context.moveTo(end.x, end.y);
  context.lineTo(end.x - 8 * Math.cos(angle - 0.4), end.y - 8 * Math.sin(angle - 0.4));
  context.lineTo(end.x - 8 * Math.cos(angle + 0.4), end.y - 8 * Math.sin(angle + 0.4));
  context.fill();
}

function paintArrows(context: CanvasRenderingContext2D, scene: Scene, palette: Palette): void {
  const { model } = scene;
  scene.edges.forEach((edge, i) => {
    const from = model.byId.get(edge.from);
    const to = model.byId.get(edge.to);
    if (!from || !to || from === to) return;
    context.strokeStyle = context.fillStyle = palette[edge.kind] ?? palette.ink;
    context.lineWidth = edge.kind === "ww" ? 2.5 : 1.5;
    context.setLineDash(dashes[edge.kind] ?? []);
    paintArrow(context, scene, from, to, (i % 2 === 0 ? -1 : 1) * 9, palette.panel);
  });
  const shown = scene.hovered ?? scene.pinned;
  context.lineWidth = 1.25;
  context.strokeStyle = context.fillStyle = palette.focus;
  for (const operation of shown?.operations ?? []) {
    const writer = operation.from === null ? undefined : model.byId.get(operation.from);
    if (writer && writer !== shown) paintArrow(context, scene, writer, shown!, 0, palette.panel);
  }
  context.lineWidth = 1;
}

function paintSessions(context: CanvasRenderingContext2D, scene: Scene, palette: Palette): void {
  context.font = `11px ${palette.mono}`;
  context.textAlign = "right";
  context.fillStyle = palette.muted;
  scene.model.rows.forEach((row, i) => {
    const y = axisHeight + i * rowHeight - scene.scrolled;
    if (y > axisHeight - rowHeight && y < scene.height)
      context.fillText(shortened(row.session, 11), gutter - 10, y + rowHeight / 2 + 0.5);
  });
}

export function paint(context: CanvasRenderingContext2D, scene: Scene, palette: Palette): void {
  const { model, view, width, height, scrolled } = scene;
  context.clearRect(0, 0, width, height);
  const first = Math.max(0, Math.floor(scrolled / rowHeight));
  const last = Math.min(model.rows.length, Math.ceil((scrolled + height - axisHeight) / rowHeight));

  context.save();
  context.beginPath();
  context.rect(0, axisHeight, width, height - axisHeight);
  context.clip();
  context.fillStyle = palette.stripe;
  for (let row = first; row < last; ++row)
    if (row % 2 === 0) context.fillRect(0, axisHeight + row * rowHeight - scrolled, width, rowHeight);
  context.textBaseline = "middle";
  paintSessions(context, scene, palette);
  context.restore();

  paintAxis(context, scene, palette);

  context.save();
  context.beginPath();
  context.rect(gutter, axisHeight, width - gutter, height - axisHeight);
  context.clip();
  context.textBaseline = "middle";
  for (let row = first; row < last; ++row)
    for (const entry of model.visible(model.rows[row]!, view.from, view.to)) paintBar(context, scene, entry, palette);
  paintArrows(context, scene, palette);
  context.restore();
}
