// Why an inferred edge holds: opened from the graph and from the list, down to the reads.

import { writeSkew } from "./fixtures/write-skew";
import { edge, evidence, expect, test } from "./report_page";

const readsOf = "> .reason > .forced > .reads > li";

test("opens an inferred edge down to exactly the reads that refute the alternative", async ({ report }) => {
  await report.open("write-skew", writeSkew);
  await expect(report.locator(".reason")).toHaveCount(0);
  await edge(report, "e1").locator("text").click();
  const opened = evidence(report, "e1").locator("> .opened");
  await expect(opened).toBeVisible();
  await expect(opened.locator(readsOf)).toHaveText(["T4 r(x,1)"]);

  const versionOrder = opened.locator("> .reason > .steps > .step");
  await expect(versionOrder.locator("> p")).toHaveText(["T1 wrote x before T2 did."]);
  await versionOrder.getByRole("button", { name: "why?" }).click();
  const refutation = versionOrder.locator("> .opened");
  await expect(refutation.locator(readsOf)).toHaveText(["T5 r(y,1)", "T5 r(x,2)"]);
  await expect(refutation.locator(".supposed")).toHaveText("Suppose T2 before T1. Then:");
  await expect(refutation.locator(".step > p")).toHaveText([
    "T5 read y=1 from T1.",
    "T5 read x=2 from T2, which T1 would have overwritten.",
  ]);
  await expect(refutation.locator(".refuted")).toBeVisible();
});

test("marks the chosen edge, and closes it on a second click", async ({ report }) => {
  await report.open("write-skew", writeSkew);
  await edge(report, "e1").locator("text").click();
  await expect(edge(report, "e1")).toHaveClass(/\bselected\b/);
  await expect(evidence(report, "e1")).toHaveClass(/\bselected\b/);
  await edge(report, "e1").locator("text").click();
  await expect(evidence(report, "e1").locator("> .opened")).toBeHidden();
  await expect(edge(report, "e1")).not.toHaveClass(/\bselected\b/);
});

test("works from the keyboard alone", async ({ report }) => {
  await report.open("write-skew", writeSkew);
  await edge(report, "e1").focus();
  await report.keyboard.press("Enter");
  const why = evidence(report, "e1").getByRole("button", { name: "why?" });
  await why.focus();
  await report.keyboard.press("Space");
  await expect(evidence(report, "e1").locator(".supposed")).toBeVisible();
  await evidence(report, "e1").locator(".line > .why").first().press("Enter");
  await expect(evidence(report, "e1").locator("> .opened")).toBeHidden();
});

test("points from a read to the operation on its card", async ({ report }) => {
  await report.open("write-skew", writeSkew);
  await edge(report, "e1").press("Enter");
  await evidence(report, "e1").getByRole("button", { name: "T4 r(x,1)" }).hover();
  await expect(report.locator(".operation.pointed > text:not(.source)")).toHaveText(["r(x,1)"]);
  await expect(report.locator('.card[data-transaction="T4"] .operation.pointed')).toHaveCount(1);
});

test("offers no reason for an edge that was observed", async ({ report }) => {
  await report.open("write-skew", writeSkew);
  await edge(report, "e2").locator("text").click();
  await expect(evidence(report, "e2")).toHaveClass(/\bselected\b/);
  await expect(evidence(report, "e2").getByRole("button")).toHaveCount(0);
});
