// The timeline: sessions as rows, transactions as bars on a canvas, so that thousands cost what the visible
// ones cost. What is pinned is spelt out below the canvas, for eyes and for screen readers; pointer and
// keyboard (pointer.ts, keys.ts) call the same few verbs.

import { html } from "../dom";
import type { Timeline, Violation } from "../report";
import { count, plural } from "../words";
import { describeEntry } from "./inspector";
import { followKeys } from "./keys";
import { Model, type Entry } from "./model";
import { overviewHeight, paintOverview } from "./overview";
import { paint } from "./paint";
import { followOverview, followPointer } from "./pointer";
import { axisHeight, gutter, readPalette, rowHeight, type Palette, type Scene } from "./scene";
import { View } from "./view";

const tallest = axisHeight + 16 * rowHeight;
const zoomStep = 0.6;
const shortestSpan = { time: 100, order: 4 }; // nanoseconds, places
const around = 5; // transactions a row to leave on each side of a violation

function sharp(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

function hint(): HTMLElement {
  return html(
    "p",
    { class: "quiet hint" },
    "Hover a transaction to see what it read and from whom; click to pin it. Drag to move, ",
    html("kbd", {}, "Ctrl"),
    " + wheel to zoom; or the arrow keys, ",
    html("kbd", {}, "+"),
    " ",
    html("kbd", {}, "−"),
    ".",
  );
}

export class TimelineView {
  readonly element: HTMLElement;
  readonly model: Model;
  readonly scene: Scene;
  readonly canvas = html("canvas", {
    tabindex: 0,
    role: "application",
    "aria-label":
      "Timeline. Arrow keys move between transactions and sessions, " +
      "plus and minus zoom, 0 shows all, V goes to the violation, Escape unpins.",
  });
  private readonly overview = html("canvas", { class: "overview", "aria-hidden": true });
  private readonly track = html("div", { class: "track" }, this.canvas);
  private readonly scroller = html("div", { class: "scroller" }, this.track);
  private readonly tip = html("div", { class: "tip", hidden: true });
  private readonly pinnedPlace = html("div", { class: "pinned", "aria-live": "polite" });
  private palette: Palette = readPalette();
  private drawing = false;
  private inPlace = false;

  constructor(
    timeline: Timeline,
    private readonly violations: readonly Violation[],
    transactions: number,
  ) {
    this.model = new Model(timeline);
    const { model } = this;
    const full = axisHeight + model.rows.length * rowHeight;
    this.scene = {
      model,
      view: new View(model.length, Math.min(model.length, shortestSpan[timeline.axis])),
      width: 800,
      height: Math.min(full, tallest),
      scrolled: 0,
      violation: null,
      edges: [],
      hovered: null,
      pinned: null,
    };
    this.track.style.height = `${full}px`;
    this.scroller.style.height = `${this.scene.height}px`;
    this.element = this.compose(transactions);
    this.pin(null);
    followPointer(this);
    followOverview(this, this.overview);
    followKeys(this);
    this.watch();
  }

  show(violation: number): void {
    const shown = this.violations[violation]!;
    this.scene.violation = violation;
    this.scene.edges = shown.edges.filter((edge) => edge.on_cycle || shown.cycle.length === 0);
    this.pin(null);
    this.jump();
  }

  locate(transaction: string): void {
    const entry = this.model.byId.get(transaction);
    if (!entry) return;
    this.pin(entry);
    this.element.scrollIntoView({ block: "nearest" });
  }

  pin(entry: Entry | null): void {
    this.scene.pinned = entry;
    this.pinnedPlace.replaceChildren(
      entry ? describeEntry(entry, this.model, Infinity, (id) => this.locate(id)) : hint(),
    );
    if (entry) {
      this.scene.view.reveal(entry.start, entry.end);
      this.scrollTo(entry.row, entry.row);
    }
    this.redraw();
  }

  hover(entry: Entry | null, at: { x: number; y: number } | null): void {
    const { scene, tip } = this;
    if (entry !== scene.hovered) {
      scene.hovered = entry;
      tip.hidden = entry === null;
      if (entry) tip.replaceChildren(describeEntry(entry, this.model, 10, null));
      this.redraw();
    }
    if (!entry || !at) return;
    const box = this.element.getBoundingClientRect();
    const left = at.x - box.left;
    const fits = left + 14 + tip.offsetWidth <= box.width;
    tip.style.left = `${Math.max(0, fits ? left + 14 : left - 14 - tip.offsetWidth)}px`;
    tip.style.top = `${at.y - box.top + 16}px`;
  }

  jump(): void {
    const { model } = this;
    const involved = this.involved();
    if (involved.length === 0) return this.showAll();
    const from = Math.min(...involved.map((entry) => entry.start));
    const to = Math.max(...involved.map((entry) => entry.end));
    const share = (around * model.rows.length) / model.count;
    const margin = Math.max((to - from) * 0.4, model.length * share);
    this.scene.view.show(from - margin, to + margin);
    const rows = involved.map((entry) => entry.row);
    this.scrollTo(Math.min(...rows), Math.max(...rows));
    this.redraw();
  }

  zoom(inwards: boolean, at?: number): void {
    this.magnify(inwards ? zoomStep : 1 / zoomStep, at);
  }

  magnify(factor: number, at?: number): void {
    const { view } = this.scene;
    view.zoom(factor, at ?? (view.from + view.to) / 2);
    this.redraw();
  }

  showAll(): void {
    this.scene.view.show(0, this.model.length);
    this.redraw();
  }

  // Where the keyboard begins when nothing is pinned.
  firstEntry(): Entry | null {
    const { view } = this.scene;
    return (
      this.involved()[0] ??
      this.model.rows.flatMap((row) => this.model.visible(row, view.from, view.to))[0] ??
      null
    );
  }

  timeAt(x: number): number {
    const { view, width } = this.scene;
    return view.from + ((x - gutter) / (width - gutter)) * view.span;
  }

  redraw(): void {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      this.draw();
    });
  }

  private draw(): void {
    const { scene, palette } = this;
    paint(sharp(this.canvas, scene.width, scene.height), scene, palette);
    paintOverview(
      sharp(this.overview, scene.width, overviewHeight),
      this.model,
      scene.view,
      scene.width,
      scene.violation,
      palette,
    );
  }

  private involved(): Entry[] {
    return this.scene.violation === null ? [] : this.model.involved(this.scene.violation);
  }

  // Brings the rows into sight, the first of them at any rate; whole rows only.
  private scrollTo(first: number, last: number): void {
    const { scroller } = this;
    const rows = (this.scene.height - axisHeight) / rowHeight;
    const top = scroller.scrollTop / rowHeight;
    if (first >= top && last + 1 <= top + rows) return;
    scroller.scrollTop = Math.floor(Math.max(0, Math.min(first, (first + last + 1 - rows) / 2))) * rowHeight;
  }

  private watch(): void {
    this.scroller.addEventListener("scroll", () => {
      this.scene.scrolled = this.scroller.scrollTop;
      this.redraw();
    });
    new ResizeObserver(() => {
      this.scene.width = Math.max(240, this.scroller.clientWidth);
      // Rows can be scrolled only once the page holds them.
      if (!this.inPlace) this.jump();
      this.inPlace = true;
      this.redraw();
    }).observe(this.scroller);
    for (const query of ["(prefers-color-scheme: dark)", "print"])
      matchMedia(query).addEventListener("change", () => {
        // At once: a page that is being printed has no further frames.
        this.palette = readPalette();
        this.draw();
      });
  }

  private compose(transactions: number): HTMLElement {
    const { model } = this;
    const button = (label: string, title: string, act: () => void) =>
      html("button", { type: "button", title, click: act }, label);
    const all = plural(transactions, "transaction");
    const shown = model.count < transactions ? `${count(model.count)} of ${all}` : all;
    return html(
      "section",
      { class: "timeline", "aria-label": "Timeline" },
      html(
        "header",
        {},
        html("h2", {}, "Timeline"),
        html(
          "span",
          { class: "quiet" },
          `${shown} in ${plural(model.rows.length, "session")}, by ${model.timed ? "time" : "order"}`,
        ),
        html(
          "div",
          { class: "controls" },
          this.violations.length > 0 && button("Jump to the violation", "Key V", () => this.jump()),
          button("−", "Zoom out", () => this.zoom(false)),
          button("+", "Zoom in", () => this.zoom(true)),
          button("All", "Show the whole history (key 0)", () => this.showAll()),
        ),
      ),
      this.overview,
      this.scroller,
      this.tip,
      this.pinnedPlace,
    );
  }
}
