// Makes a report as the checker does, by replacing the placeholder in the built page, and opens it from the
// disk.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Report } from "../src/report";

export const builtPage = fileURLToPath(new URL("../dist/report.html", import.meta.url));
// A folder for each worker: two must not write the same file.
const folder = fileURLToPath(
  new URL(`../test-results/pages/${process.env["TEST_PARALLEL_INDEX"] ?? "0"}/`, import.meta.url),
);
const placeholder = "/*ASSAY_DATA*/null";

// A "<" can stand only inside a JSON string, where this spells the same character.
export function plain(data: unknown): string {
  return JSON.stringify(data).replace(/</g, "\\u003c");
}

export function packed(report: Report): string {
  return JSON.stringify(gzipSync(JSON.stringify(report)).toString("base64"));
}

export function written(name: string, data: string): { path: string; url: string; bytes: number } {
  mkdirSync(folder, { recursive: true });
  const path = `${folder}${name}.html`;
  const content = readFileSync(builtPage, "utf8").replace(placeholder, () => data);
  writeFileSync(path, content);
  return { path, url: pathToFileURL(path).href, bytes: Buffer.byteLength(content) };
}
