// The timeline's keys. They do all that the pointer does.

import type { TimelineView } from "./timeline";

export function followKeys(timeline: TimelineView): void {
  const { model, scene } = timeline;
  timeline.canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { pinned, hovered } = scene;
    switch (event.key) {
      case "ArrowLeft":
      case "ArrowRight":
      case "ArrowUp":
      case "ArrowDown":
      case "Home":
      case "End":
        timeline.pin(pinned ? (model.neighbour(pinned, event.key) ?? pinned) : timeline.firstEntry());
        break;
      case "Enter":
      case " ":
        timeline.pin(hovered ?? pinned ?? timeline.firstEntry());
        break;
      case "Escape":
        timeline.pin(null);
        break;
      case "+":
      case "=":
        timeline.zoom(true, pinned?.start);
        break;
      case "-":
        timeline.zoom(false, pinned?.start);
        break;
      case "0":
        timeline.showAll();
        break;
      case "v":
      case "V":
        timeline.jump();
        break;
      default:
        return;
    }
    event.preventDefault();
  });
}
