// Places boxes and edges on the plane with dagre (layers, few crossings); the only file that knows it.
// Everything comes back in plain coordinates with the origin at the drawing's upper left corner.

import dagre from "@dagrejs/dagre";

export interface Point {
  x: number;
  y: number;
}

export interface Box {
  id: string;
  width: number;
  height: number;
}

export interface Link {
  id: string;
  from: string;
  to: string;
  labelWidth: number;
  labelHeight: number;
  weight: number;
}

export interface Spacing {
  direction: "TB" | "LR";
  between: number; // boxes of one layer
  layers: number;
}

export interface Layout {
  width: number;
  height: number;
  boxes: Map<string, Point>; // upper left corners
  links: Map<string, { points: Point[]; label: Point }>; // label: its centre
}

const margin = 10;

export function layOut(boxes: readonly Box[], links: readonly Link[], spacing: Spacing): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({
    rankdir: spacing.direction,
    nodesep: spacing.between,
    edgesep: spacing.between / 2,
    ranksep: spacing.layers,
    marginx: margin,
    marginy: margin,
  });
  for (const box of boxes) graph.setNode(box.id, { width: box.width, height: box.height });
  for (const link of links) {
    const label = { width: link.labelWidth, height: link.labelHeight, labelpos: "c", weight: link.weight };
    graph.setEdge(link.from, link.to, label, link.id);
  }
  dagre.layout(graph);

  const layout: Layout = { width: 0, height: 0, boxes: new Map(), links: new Map() };
  for (const box of boxes) {
    const { x, y } = graph.node(box.id);
    layout.boxes.set(box.id, { x: x - box.width / 2, y: y - box.height / 2 });
  }
  for (const link of links) {
    const placed = graph.edge({ v: link.from, w: link.to, name: link.id });
    const points = placed.points as Point[];
    const middle = points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 };
    layout.links.set(link.id, { points, label: { x: placed.x ?? middle.x, y: placed.y ?? middle.y } });
  }
  layout.width = graph.graph().width ?? 0;
  layout.height = graph.graph().height ?? 0;
  return layout;
}

// A path through the layers' points with its corners rounded away.
export function smooth(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  const at = (p: Point) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`;
  if (rest.length === 1) return `M${at(first)}L${at(rest[0]!)}`;
  let path = `M${at(first)}`;
  for (let i = 0; i + 1 < rest.length; ++i) {
    const bend = rest[i]!;
    const next = rest[i + 1]!;
    const last = i + 2 === rest.length;
    path += `Q${at(bend)} ${at(last ? next : { x: (bend.x + next.x) / 2, y: (bend.y + next.y) / 2 })}`;
  }
  return path;
}
