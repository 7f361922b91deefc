// Arrows between bars: the edges of the violation that is shown, and from whom the transaction looked at has
// read.

import type { Entry } from "./model";
import { inset, place, rowHeight, type Palette, type Scene } from "./scene";

const dashes: Record<string, number[]> = { wr: [], ww: [], rw: [6, 4], so: [1.5, 3.5], rt: [8, 3, 2, 3] };

function paintArrow(
  context: CanvasRenderingContext2D,
  scene: Scene,
  from: Entry,
  to: Entry,
  lane: number,
  halo: string,
): void {
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
  const controls = {
    x1: start.x,
    y1: start.y + bend,
    x2: end.x,
    y2: down === 0 ? end.y + bend : end.y - bend,
  };
  if (down === 0) {
    start.y -= middle - inset;
    end.y -= middle - inset;
  }
  const path = new Path2D(
    `M${start.x} ${start.y}C${controls.x1} ${controls.y1} ${controls.x2} ${controls.y2} ${end.x} ${end.y}`,
  );
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

export function paintArrows(context: CanvasRenderingContext2D, scene: Scene, palette: Palette): void {
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
