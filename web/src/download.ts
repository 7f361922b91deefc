// Files that the page hands out, made from what it holds.

import { html } from "./dom";

function save(name: string, type: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = html("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function downloadButton(
  label: string,
  name: string,
  type: string,
  content: () => string,
): HTMLElement {
  return html(
    "button",
    { type: "button", class: "download", click: () => save(name, type, content()) },
    label,
  );
}

const painted = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "text-anchor",
  "text-decoration",
  "display",
];

// The picture as a file of its own: what the style sheet says becomes attributes.
export function standalone(picture: SVGSVGElement): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const from = [picture, ...picture.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  to.forEach((element, i) => {
    const style = getComputedStyle(from[i]!);
    for (const name of painted) element.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "style", "role", "tabindex", "aria-label"]) element.removeAttribute(name);
  });
  const background = document.createElementNS(copy.namespaceURI!, "rect");
  background.setAttribute("width", "100%");
  background.setAttribute("height", "100%");
  background.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  copy.prepend(background);
  return new XMLSerializer().serializeToString(copy);
}
