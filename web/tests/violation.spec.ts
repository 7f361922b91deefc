// What the page says of a violation, and what it says when there is none.

import { lostUpdate } from "./fixtures/lost-update";
import { allHolds, allKinds, several } from "./fixtures/variations";
import { writeSkew } from "./fixtures/write-skew";
import { wrongRead } from "./fixtures/wrong-read";
import { edge, evidence, expect, pixelsOf, test } from "./report_page";

test("names the anomaly and tells its story", async ({ report }) => {
  await report.open("lost-update", lostUpdate);
  await expect(report).toHaveTitle("Lost update on x · counters.jsonl · Assay");
  await expect(report.getByRole("heading", { level: 1 })).toHaveText("Lost update on x");
  await expect(report.locator(".lead")).toHaveText("Violates snapshot isolation: lost-update.");
  await expect(report.locator(".sentences p")).toHaveText(lostUpdate.violations[0]!.sentences);
  await expect(report.locator(".chip.violated")).toHaveText(lostUpdate.violations[0]!.rules_out);
  await expect(report.locator(".chip.holds")).toHaveText(["pc"]);
});

test("draws every level of the lattice with its verdict", async ({ report }) => {
  await report.open("lost-update", lostUpdate);
  for (const level of lostUpdate.levels) {
    const node = report.locator(`.lattice [data-level="${level.id}"]`);
    await expect(node).toHaveClass(new RegExp(`\\blevel ${level.verdict}\\b`));
    await expect(node).toHaveAttribute(
      "aria-label",
      new RegExp(`^${level.id}, .*: ${level.verdict.replace("-", " ")}`),
    );
  }
  await expect(report.locator(".lattice .current")).toHaveAttribute("data-level", "si");
  await expect(report.locator(".lattice .implies")).toHaveCount(
    lostUpdate.levels.flatMap((level) => level.implies).length,
  );
  const above = async (id: string) =>
    (await report.locator(`.lattice [data-level="${id}"]`).boundingBox())!.y;
  expect(await above("ser")).toBeLessThan(await above("si"));
  expect(await above("si")).toBeLessThan(await above("rc"));
});

test("shows the transactions as cards whose operations that matter stand out", async ({ report }) => {
  await report.open("write-skew", writeSkew);
  await expect(report.locator(".card")).toHaveCount(4);
  const card = report.locator('.card[data-transaction="T4"]');
  await expect(card.locator(".matters > text:not(.source)")).toHaveText(["r(x,1)", "w(z,4)"]);
  await expect(card.locator(".matters .source").first()).toHaveText("← T1");
  await expect(card.locator(".fold")).toHaveText("3 other operations");
  await expect(card.locator(".where")).toHaveText("S3 · 1");
});

test("labels edges with kind and key and tells inferred from observed", async ({ report }) => {
  await report.open("write-skew", writeSkew);
  await expect(edge(report, "e1").locator("text")).toHaveText("∴ rw x");
  await expect(edge(report, "e2").locator("text")).toHaveText("rw z");
  const dash = (id: string) =>
    edge(report, id)
      .locator("path.line")
      .evaluate((line) => getComputedStyle(line).strokeDasharray);
  expect(await dash("e2")).not.toBe(await dash("e3"));
});

test("tells the five kinds of edges apart without colour", async ({ report }) => {
  await report.open("all-kinds", allKinds);
  const shapes = await report.locator(".picture .edge.on-cycle").evaluateAll((edges) =>
    edges.map((edge) => {
      const line = edge.querySelector("path.line")!;
      const { strokeDasharray, strokeWidth } = getComputedStyle(line);
      const arrow = document.querySelector(`${line.getAttribute("marker-end")!.slice(4, -1)} path`)!;
      return `${strokeDasharray} ${strokeWidth} ${arrow.getAttribute("d")}`;
    }),
  );
  expect(new Set(shapes).size).toBe(5);
  await expect(report.locator(".graph .legend b")).toHaveText(["wr", "ww", "rw", "so", "rt", "∴"]);
  await expect(report.locator('.card.bare[data-transaction="initial"]')).toHaveCount(1);
});

test("lists the cycle in order, and other edges after it", async ({ report }) => {
  await report.open("write-skew", writeSkew);
  await expect(report.locator(".cycle > li > p")).toHaveText([
    "T4 read x=1 from T1, and T2 overwrote it.",
    "T2 read the initial z, which T4 overwrote.",
  ]);
  await expect(report.locator(".evidence ul.steps > li")).toHaveCount(3);
  await evidence(report, "e2").hover();
  await expect(edge(report, "e2")).toHaveClass(/\bnear\b/);
});

test("shows a wrong read without a cycle", async ({ report }) => {
  await report.open("wrong-read", wrongRead);
  await expect(report.getByRole("heading", { level: 1 })).toHaveText("Aborted read of x");
  await expect(report.locator(".evidence")).toContainText("No cycle is needed");
  await expect(report.locator('.card.aborted[data-transaction="T1"] .where')).toHaveText("aborted · S1 · 1");
  await expect(report.locator('.card[data-transaction="T2"] .matters > text:not(.source)')).toHaveText([
    "r(x,1)",
  ]);
});

test("says calmly what holds when nothing is violated", async ({ report }) => {
  await report.open("all-holds", allHolds);
  await expect(report.getByRole("heading", { level: 1 })).toHaveText("Serializable holds");
  await expect(report.locator(".summary")).toContainText("no violation was found");
  await expect(report.locator(".violation")).toHaveCount(0);
  await expect(report.getByRole("button", { name: "Jump to the violation" })).toHaveCount(0);
  expect(await pixelsOf(report, await report.locator(".lattice").screenshot(), "--violated")).toBe(0);
});

test("switches between violations by tab, by arrow key and from the lattice", async ({ report }) => {
  await report.open("several", several);
  const heading = report.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Aborted read of x");
  await report.getByRole("tab", { name: /Lost update/ }).click();
  await expect(heading).toHaveText("Lost update on x");
  await expect(report.locator(".card")).toHaveCount(2);
  await report.keyboard.press("ArrowRight");
  await expect(heading).toHaveText("Write skew on x and z");
  await expect(report.getByRole("tab", { selected: true })).toBeFocused();
  await report.locator('.lattice [data-level="rc"]').press("Enter");
  await expect(heading).toHaveText("Aborted read of x");
  await expect(report.locator(".lattice .current")).toHaveAttribute("data-level", "rc");
});

test("gives the verdicts, the history's figures, the time and the way to reproduce", async ({ report }) => {
  await report.open("lost-update", lostUpdate);
  await expect(report.locator(".verdicts tr")).toHaveCount(9);
  await expect(report.locator(".verdicts")).toContainText("the time limit of 10 s was reached");
  await expect(report.locator(".facts")).toContainText("5 committed, 1 aborted");
  await expect(report.locator(".stages .total")).toContainText("17.5 ms");
  await expect(report.locator(".command code")).toHaveText(
    "assay check --level all --report r.html counters.jsonl",
  );
  await expect(report.locator(".facts")).toContainText("assay 0.1.0");
});

test("follows the colour scheme", async ({ report }) => {
  await report.emulateMedia({ colorScheme: "dark" });
  await report.open("lost-update", lostUpdate);
  const dark = await report.screenshot();
  expect(await pixelsOf(report, dark, "--paper")).toBeGreaterThan(300_000);
  expect(await pixelsOf(report, dark, "--violated")).toBeGreaterThan(500);
  await report.emulateMedia({ colorScheme: "light" });
  const light = await report.screenshot();
  expect(await pixelsOf(report, light, "--paper")).toBeGreaterThan(300_000);
  expect(await pixelsOf(report, light, "--holds")).toBeGreaterThan(200);
  expect(light.equals(dark)).toBe(false);
});

test("fits a narrow window", async ({ report }) => {
  await report.setViewportSize({ width: 700, height: 900 });
  for (const [name, data] of Object.entries({
    "lost-update": lostUpdate,
    "write-skew": writeSkew,
    several,
  })) {
    await report.open(name, data);
    expect(await report.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(700);
  }
});
