// Draws the part of the timeline that is in sight on a canvas. Its cost follows what is visible, not the
// history's length.

import { shortened } from "../words";
import { paintArrows } from "./arrows";
import type { Entry } from "./model";
import { axisHeight, gutter, inset, place, rowHeight, type Palette, type Scene } from "./scene";
import { ticks } from "./view";

const narrowest = 12; // a bar narrower than this has no room for any label

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
  context.fillStyle = involved
    ? hollow
      ? palette.soft
      : palette.violated
    : hollow
      ? palette.panel
      : palette.bar;
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
  if (width > narrowest)
    paintLabel(context, entry, involved, x, x + width - 4, y + rowHeight / 2 + 0.5, palette);
}

// The id where it fits, and after it as many operations as do.
function paintLabel(
  context: CanvasRenderingContext2D,
  entry: Entry,
  involved: boolean,
  x: number,
  right: number,
  y: number,
  palette: Palette,
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
    for (const entry of model.visible(model.rows[row]!, view.from, view.to))
      paintBar(context, scene, entry, palette);
  paintArrows(context, scene, palette);
  context.restore();
}
