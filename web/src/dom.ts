// Builds elements. A string is only ever inserted as a text node or set as an attribute's value, so that
// nothing a history contains can become markup.

export type Child = Node | string | null | undefined | false;
export type Attributes = Record<
  string,
  string | number | boolean | null | undefined | ((event: never) => void)
>;

function fill(element: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false) element.append(child);
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

// What makes an SVG group a button: reachable by Tab, worked by click, Enter and Space.
export function asButton(label: string, act: () => void): Attributes {
  return {
    role: "button",
    tabindex: 0,
    "aria-label": label,
    click: act,
    keydown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    },
  };
}
