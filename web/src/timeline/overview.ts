// The whole history in one strip: how much was going on, where the violation lies, and a window for what the
// timeline shows. Dragging moves the window.

import type { Model } from "./model";
import { gutter, type Palette } from "./scene";
import type { View } from "./view";

export const overviewHeight = 34;
const bucketWidth = 2;

export function activity(model: Model, buckets: number): number[] {
  const found = new Array<number>(buckets).fill(0);
  for (const row of model.rows)
    for (const entry of row.entries) {
      // A bucket counts what goes on at its middle, and every transaction is in one at least.
      const first = Math.min(buckets - 1, Math.ceil((entry.start / model.length) * buckets - 0.5));
      const last = Math.max(first + 1, Math.ceil((entry.end / model.length) * buckets - 0.5));
      for (let i = first; i < last; ++i) ++found[i]!;
    }
  return found;
}

export function paintOverview(
  context: CanvasRenderingContext2D,
  model: Model,
  view: View,
  width: number,
  violation: number | null,
  palette: Palette,
): void {
  const plot = width - gutter;
  const floor = overviewHeight - 4;
  context.clearRect(0, 0, width, overviewHeight);
  const counts = activity(model, Math.max(1, Math.floor(plot / bucketWidth)));
  const most = Math.max(1, ...counts);
  context.fillStyle = palette.bar;
  counts.forEach((n, i) => {
    const height = (n / most) * (floor - 12);
    context.fillRect(gutter + i * bucketWidth, floor - height, bucketWidth, height);
  });
  context.fillStyle = palette.violated;
  for (const entry of violation === null ? [] : model.involved(violation)) {
    const x = gutter + ((entry.start + entry.end) / 2 / model.length) * plot;
    context.beginPath();
    context.moveTo(x, 9);
    context.lineTo(x - 4, 2);
    context.lineTo(x + 4, 2);
    context.fill();
    context.fillRect(x - 0.5, 8, 1, floor - 8);
  }
  const left = gutter + (view.from / model.length) * plot;
  const span = Math.max(6, (view.span / model.length) * plot);
  context.strokeStyle = palette.focus;
  context.lineWidth = 1.5;
  context.strokeRect(left + 0.75, 0.75, span - 1.5, overviewHeight - 1.5);
  context.fillStyle = palette.muted;
  context.font = `11px ${palette.mono}`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillText("overview", gutter - 10, overviewHeight / 2);
}
