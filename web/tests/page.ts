// Makes a report as the checker does, by replacing the placeholder in the built page, and opens it from the disk.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Report } from "../src/report";

export const builtPage = fileURLToPath(new URL("../dist/report.html", import.meta.url));
const folder = fileURLToPath(new URL("../test-results/pages/", import.meta.url));
const placeholder = "/*ASSAY_DATA*/null";

export function render(report: Report): string {
  // A "<" can stand only inside a JSON string, where this spells the same character.
  const data = JSON.stringify(report).replace(/</g, "\\u003c");
  return readFileSync(builtPage, "utf8").replace(placeholder, () => data);
}

export function written(name: string, report: Report): { path: string; url: string; bytes: number } {
  mkdirSync(folder, { recursive: true });
  const path = `${folder}${name}.html`;
  const content = render(report);
  writeFileSync(path, content);
  return { path, url: pathToFileURL(path).href, bytes: Buffer.byteLength(content) };
}
