// The test function of these tests: a page that fails its test when it logs an error, throws, or asks for
// anything but the report's own file.

import { pathToFileURL } from "node:url";
import { expect, test as base, type Page } from "@playwright/test";
import type { Report } from "../src/report";
import { plain, written } from "./page";

export { expect };

export interface ReportPage extends Page {
  show(path: string): Promise<void>; // a file that is there already
  open(name: string, report: Report | string): Promise<{ bytes: number; path: string }>;
}

export const test = base.extend<{ report: ReportPage }>({
  report: async ({ page }, use) => {
    const faults: string[] = [];
    let own = "";
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        faults.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
    page.on("dialog", (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (request.url() !== own && !request.url().startsWith("blob:"))
        faults.push(`request: ${request.url()}`);
    });
    const show = async (path: string) => {
      own = pathToFileURL(path).href;
      await page.goto(own);
    };
    const open = async (name: string, report: Report | string) => {
      const file = written(name, typeof report === "string" ? report : plain(report));
      await show(file.path);
      return file;
    };
    await use(Object.assign(page, { open, show }));
    expect(faults).toEqual([]);
  },
});

export function edge(page: Page, id: string) {
  return page.locator(`.picture [data-edge="${id}"]`);
}

export function evidence(page: Page, id: string) {
  return page.locator(`.evidence [data-evidence="${id}"]`);
}

// How many pixels of a screenshot have a colour of the style sheet. Decoded in a page of its own, because the
// report's policy lets it load no picture.
export async function pixelsOf(page: Page, screenshot: Buffer, colour: string): Promise<number> {
  const wanted = await page.evaluate(
    (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(),
    colour,
  );
  const blank = await page.context().newPage();
  const found = await blank.evaluate(
    async ({ data, hex }) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
      context.drawImage(bitmap, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      const rgb = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
      let same = 0;
      for (let i = 0; i < pixels.length; i += 4)
        if (rgb.every((value, channel) => Math.abs(pixels[i + channel]! - value) <= 2)) ++same;
      return same;
    },
    { data: screenshot.toString("base64"), hex: wanted },
  );
  await blank.close();
  return found;
}
