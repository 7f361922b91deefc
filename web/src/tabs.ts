// A row of tabs: arrows move between them, and the one chosen says so.

import { html } from "./dom";

export interface Tabs {
  element: HTMLElement;
  choose(index: number): void;
}

export function tabs(
  name: string,
  labels: readonly { label: string; detail: string }[],
  chosen: (index: number) => void,
): Tabs {
  const choose = (index: number) => {
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === index));
      button.tabIndex = i === index ? 0 : -1;
    });
    chosen(index);
  };
  const onKey = (event: KeyboardEvent, index: number) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (index + step + buttons.length) % buttons.length;
    choose(next);
    buttons[next]!.focus();
  };
  const buttons = labels.map(({ label, detail }, i) =>
    html(
      "button",
      {
        type: "button",
        role: "tab",
        click: () => choose(i),
        keydown: (event: KeyboardEvent) => onKey(event, i),
      },
      html("b", {}, label),
      html("span", {}, detail),
    ),
  );
  return { element: html("div", { class: "tabs", role: "tablist", "aria-label": name }, ...buttons), choose };
}
