// The page is safe to open and to pass on: nothing in a history becomes markup, nothing leaves the page.

import { readFileSync } from "node:fs";
import { hostile, image, longNames, script } from "./fixtures/variations";
import { lostUpdate } from "./fixtures/lost-update";
import { writeSkew } from "./fixtures/write-skew";
import { builtPage, written } from "./page";
import { edge, evidence, expect, test } from "./report_page";

test("shows hostile names as text", async ({ report }) => {
  await report.open("hostile", hostile);
  await expect(report.getByRole("heading", { level: 1 })).toContainText(`${script} ${image}`);
  await report.locator(".picture [data-edge]").first().press("Enter");
  await report.locator(".evidence .opened .why").click();
  await expect(report.locator(".reads").last()).toContainText(script);
  await report.locator(".card").first().click();
  await expect(report.locator(".pinned")).toContainText(image);
  // The data and the program, and no other.
  await expect(report.locator("script")).toHaveCount(2);
  await expect(report.locator("img")).toHaveCount(0);
});

test("shortens long names in drawings only", async ({ report }) => {
  await report.open("long-names", longNames);
  const operation = report.locator('.card[data-transaction="T1"] [data-operation="0"]');
  const text = (await operation.locator("text").first().textContent())!;
  expect(text).toContain("…");
  expect(text.length).toBeLessThan(40);
  await expect(operation.locator("title")).toContainText(
    "account-balance-account-balance-account-balance-account-balance-x",
  );
});

test("asks the network for nothing and could not", async ({ report }) => {
  const requests: string[] = [];
  report.on("request", (request) => requests.push(request.url()));
  const { path } = await report.open("write-skew", writeSkew);
  await edge(report, "e1").press("Enter");
  await evidence(report, "e1").locator(".opened .why").click();
  await report.locator(".track canvas").press("ArrowRight");
  expect(requests).toEqual([`file://${path}`]);
  const policy = await report.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
});

test("runs no script but its own", async ({ page }) => {
  // What would stand in the page if the data's writer had forgotten to escape it.
  const { url } = written("unescaped", `null${"</script><script>window.hurt = true</script><script>"}`);
  await page.goto(url);
  expect(await page.locator("script:not([id])").first().textContent()).toBe("window.hurt = true");
  await expect(page.getByRole("heading")).toHaveText("This report cannot be shown");
  expect(await page.evaluate(() => "hurt" in window)).toBe(false);
});

test("says so when the data is missing or of another schema", async ({ report }) => {
  await report.open("empty", "/*ASSAY_DATA*/null");
  await expect(report.locator("main")).toContainText("This is the empty page");
  await report.open("schema-2", '{"schema": 2}');
  await expect(report.locator("main")).toContainText("not 2");
});

test("holds the data's placeholder once, alone in its element", () => {
  const page = readFileSync(builtPage, "utf8");
  expect(page.split("/*ASSAY_DATA*/null")).toHaveLength(2);
  expect(page).toContain('<script id="assay-data" type="application/json">/*ASSAY_DATA*/null</script>');
  expect(Buffer.byteLength(page)).toBeLessThan(150_000);
});

test("hands out the sub-history and the picture", async ({ report }) => {
  const saved = async (label: string) => {
    const [download] = await Promise.all([
      report.waitForEvent("download"),
      report.getByRole("button", { name: label, exact: true }).click(),
    ]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
  };
  await report.open("lost-update", lostUpdate);
  expect(await saved(".hist")).toEqual({
    name: "counters-lost-update.hist",
    text: "S1: r(x,0) w(x,1)\nS2: r(x,0) w(x,2)\n",
  });
  expect((await saved(".jsonl")).text).toBe(lostUpdate.violations[0]!.subhistory.jsonl);
  const drawn = await saved(".svg");
  expect(drawn.name).toBe("counters-lost-update.svg");
  expect(drawn.text).toContain("r(x,0)");
  expect(drawn.text).not.toContain("var(--");
  await report.open("write-skew", writeSkew);
  expect((await saved(".svg")).text).toBe(writeSkew.violations[0]!.svg);
});

test("shows every focus", async ({ report }) => {
  await report.open("write-skew", writeSkew);
  const seen = new Set<string>();
  for (let i = 0; i < 60; ++i) {
    await report.keyboard.press("Tab");
    const focus = await report.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const frame = element.querySelector(".pill, .paper, .frame") ?? element;
      const style = getComputedStyle(frame);
      const shown = style.outlineStyle !== "none" || parseFloat(style.strokeWidth) > 2;
      return { name: element.getAttribute("aria-label") ?? element.textContent ?? "", shown };
    });
    if (!focus) break;
    expect(focus, focus.name).toMatchObject({ shown: true });
    seen.add(focus.name);
  }
  const all = [...seen].join("\n");
  for (const part of [
    "ser, serializable",
    "T4: r(x,1)",
    "T4 to T2, rw x, inferred",
    "why?",
    "Timeline",
    "Jump to the violation",
    ".jsonl",
    "copy",
  ])
    expect(all).toContain(part);
});
