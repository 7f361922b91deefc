// The timeline's pointer: hovering shows, a click pins, dragging and sideways wheels move, Ctrl and wheel or
// a double click zoom. A plain wheel is left to the page.

import type { Entry } from "./model";
import { axisHeight, gutter, rowHeight } from "./scene";
import type { TimelineView } from "./timeline";

const dragFrom = 4; // pixels that make a click a drag
const reach = 3; // pixels beside a bar that still mean it

export function followPointer(timeline: TimelineView): void {
  const { canvas, model, scene } = timeline;
  const { view } = scene;
  const perPixel = () => view.span / (scene.width - gutter);

  const entryAt = (event: MouseEvent): Entry | null => {
    if (event.offsetX < gutter || event.offsetY < axisHeight) return null;
    const row = Math.floor((event.offsetY - axisHeight + scene.scrolled) / rowHeight);
    return model.at(row, timeline.timeAt(event.offsetX), reach * perPixel());
  };

  let drag: { x: number; from: number; moved: boolean } | null = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drag = { x: event.clientX, from: view.from, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) return timeline.hover(entryAt(event), { x: event.clientX, y: event.clientY });
    const by = event.clientX - drag.x;
    if (!drag.moved && Math.abs(by) < dragFrom) return;
    drag.moved = true;
    timeline.hover(null, null);
    view.pan(drag.from - by * perPixel() - view.from);
    timeline.redraw();
  });
  canvas.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) timeline.pin(entryAt(event));
    drag = null;
  });
  canvas.addEventListener("pointercancel", () => (drag = null));
  canvas.addEventListener("pointerleave", () => timeline.hover(null, null));
  canvas.addEventListener("dblclick", (event) => timeline.zoom(true, timeline.timeAt(event.offsetX)));
  canvas.addEventListener(
    "wheel",
    (event) => {
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.ctrlKey || event.metaKey)
        timeline.magnify(Math.exp(event.deltaY * 0.004), timeline.timeAt(event.offsetX));
      else if (event.shiftKey || Math.abs(sideways) > Math.abs(event.deltaY)) view.pan(sideways * perPixel());
      else return;
      event.preventDefault();
      timeline.redraw();
    },
    { passive: false },
  );
}

export function followOverview(timeline: TimelineView, overview: HTMLCanvasElement): void {
  const { model, scene } = timeline;
  const { view } = scene;
  const move = (event: PointerEvent) => {
    if (event.buttons !== 1) return;
    const at = ((event.offsetX - gutter) / (scene.width - gutter)) * model.length;
    view.show(at - view.span / 2, at + view.span / 2);
    timeline.redraw();
  };
  overview.addEventListener("pointerdown", (event) => {
    overview.setPointerCapture(event.pointerId);
    move(event);
  });
  overview.addEventListener("pointermove", move);
}
