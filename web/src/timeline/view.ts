// Which stretch of the axis is in sight, and its ticks.

export class View {
  from = 0;
  to: number;

  constructor(
    private readonly length: number,
    private readonly shortest: number,
  ) {
    this.to = length;
  }

  get span(): number {
    return this.to - this.from;
  }

  show(from: number, to: number): void {
    const span = Math.min(Math.max(to - from, this.shortest), this.length);
    const middle = (from + to) / 2;
    this.from = Math.min(Math.max(0, middle - span / 2), this.length - span);
    this.to = this.from + span;
  }

  pan(by: number): void {
    this.show(this.from + by, this.to + by);
  }

  // `at` stays where it is on the screen.
  zoom(factor: number, at: number): void {
    const span = Math.min(Math.max(this.span * factor, this.shortest), this.length);
    const from = at - ((at - this.from) / this.span) * span;
    this.show(from, from + span);
  }

  reveal(start: number, end: number): void {
    if (start >= this.from && end <= this.to) return;
    const span = Math.max(this.span, (end - start) * 1.5);
    const middle = (start + end) / 2;
    this.show(middle - span / 2, middle + span / 2);
  }
}

const units: readonly [number, string][] = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
  [1, "ns"],
];

export function duration(nanoseconds: number): string {
  const [size, unit] = units.find(([candidate]) => nanoseconds >= candidate) ?? [1, "ns"];
  return `${Number((nanoseconds / size).toPrecision(4))} ${unit}`;
}

// Round steps of 1, 2 or 5, at most `most` of them; all labels of one axis share a unit.
export function ticks(
  from: number,
  to: number,
  most: number,
  timed: boolean,
): { at: number; label: string }[] {
  const raw = Math.max((to - from) / Math.max(1, most), timed ? 1e-3 : 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999) ?? 10);
  const [size, unit] = units.find(([candidate]) => step >= candidate) ?? [1, "ns"];
  const label = (at: number) =>
    timed ? `${(at / size).toLocaleString("en-US")} ${unit}` : at.toLocaleString("en-US");
  const found = [];
  for (let i = Math.ceil(from / step); i * step <= to; ++i)
    found.push({ at: i * step, label: label(i * step) });
  return found;
}
