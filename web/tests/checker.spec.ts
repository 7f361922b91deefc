// Reports that the checker itself wrote, from histories of the repository and from a recorded bug: what it
// writes and what the page reads are the same.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { edge, evidence, expect, test, type ReportPage } from "./report_page";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = fileURLToPath(new URL("../test-results/checker/", import.meta.url));
const recorded = "../shared/histories/bugs/dgraph.bincode";

// The path of the report on a violated level.
function judged(history: string, level: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  const path = `${folder}${name}.html`;
  const assay = process.env["ASSAY"] ?? `${root}build/test/assay`;
  const done = spawnSync(assay, ["check", "--quiet", "--level", level, "--report", path, history], {
    cwd: root,
    encoding: "utf8",
  });
  expect(done.status, done.stderr || String(done.error)).toBe(1);
  return path;
}

// The parts that every report of a violation has, used as a reader would.
async function look(report: ReportPage): Promise<void> {
  await expect(report.locator(".lattice .current")).toHaveCount(1);
  await expect(report.locator(".card").first()).toBeVisible();
  await report.locator(".card").first().click();
  await expect(report.locator(".pinned")).toBeVisible();
  await report.getByRole("button", { name: "Jump to the violation" }).click();
  await report.locator(".picture [data-edge]").first().press("Enter");
  await expect(report.locator(".evidence .step.selected").first()).toBeVisible();
}

test("shows a lost update as the checker wrote it", async ({ report }) => {
  await report.show(judged("examples/lost-update.hist", "si", "lost-update"));
  await expect(report.getByRole("heading", { level: 1 })).toHaveText("Lost update on balance");
  await look(report);
  const inferred = evidence(report, "e1");
  await edge(report, "e1").press("Enter");
  await edge(report, "e1").press("Enter");
  await expect(inferred.locator("> .opened > .reason > .forced li")).toHaveText([
    "deposit-10 r(balance,100)",
  ]);
  await expect(report.locator(".command code")).toContainText("examples/lost-update.hist");
});

test("shows a value of two writers case by case", async ({ report }) => {
  await report.show(judged("examples/read-skew-of-either-writer.hist", "ser", "either-writer"));
  await expect(report.locator(".cases > .question")).toHaveText(
    "customer read status=ordered, which first and second wrote.",
  );
  const cases = report.locator(".cases > .case");
  await expect(cases.locator("> summary")).toHaveText(["If it is from first", "If it is from second"]);
  await expect(cases.first().locator(".step > p")).toHaveText([
    "customer read status=ordered from first.",
    "customer read invoice-1=missing, the initial value, which first overwrote with sent.",
  ]);
  await cases.first().locator("> summary").hover();
  await expect(report.locator(".picture .edge.elsewhere")).toHaveCount(2);
  await cases.first().locator("> summary").click();
  await expect(cases.first().locator(".step").first()).toBeHidden();
  await look(report); // an edge that is chosen opens the case that it is in
  await expect(cases.first().locator(".step").first()).toBeVisible();
});

test("opens cases within cases", async ({ report }) => {
  await report.show(judged("examples/toggle-out-of-turn.hist", "ra", "toggle"));
  await expect(report.locator(".evidence > .cases > .case > .cases > .question")).toHaveText([
    "look read flag=0, which clear wrote and flag had from the start.",
  ]);
  await expect(report.locator(".case .refuted")).toHaveCount(3);
  await look(report);
});

test("counts updates where no cycle is needed", async ({ report }) => {
  await report.show(judged("tests/corpus/duplicates/three-updates-of-two-writers.hist", "ser", "crowded"));
  await expect(report.locator(".sentences").first()).toContainText("They can have read only 2 versions");
  await expect(report.locator(".evidence")).toContainText("there are more updates than versions");
  await expect(report.locator(".picture .edge")).toHaveCount(0);
});

test("shows a recorded bug of a large history", async ({ report }) => {
  test.skip(!existsSync(`${root}${recorded}`), "no recorded histories beside the project");
  const path = judged(recorded, "si", "recorded");
  expect(statSync(path).size).toBeLessThan(1_000_000);
  await report.show(path);
  await look(report);
});
