// What the page says first. Without a violation it names the strongest levels that hold, calmly, and what
// stayed undecided.

import type { Level, Report, Verdict } from "./report";
import { capitalised, listed, plainName, plural } from "./words";

function withVerdict(levels: readonly Level[], verdict: Verdict): Level[] {
  return levels.filter((level) => level.verdict === verdict);
}

// Those that no other level of the set implies.
export function strongest(set: readonly Level[], all: readonly Level[]): Level[] {
  const rows = new Map(all.map((level) => [level.id, level]));
  const implied = new Set<string>();
  const visit = (id: string): void => {
    if (implied.has(id)) return;
    implied.add(id);
    rows.get(id)?.implies.forEach(visit);
  };
  for (const level of set) level.implies.forEach(visit);
  return set.filter((level) => !implied.has(level.id));
}

function sentence(levels: readonly Level[], one: string, many: string): string {
  return `${capitalised(listed(levels.map(plainName)))} ${levels.length === 1 ? one : many}`;
}

export function headline(report: Report): { title: string; remarks: string[]; verdict: Verdict } {
  const { levels } = report;
  const { transactions, sessions } = report.history;
  const violated = withVerdict(levels, "violated");
  const undecided = withVerdict(levels, "undecided");
  const holding = strongest(withVerdict(levels, "holds"), levels);
  const remarks = undecided.map(
    (level) => `${capitalised(plainName(level))} is undecided: ${level.reason ?? "a limit was reached"}.`,
  );
  if (violated.length > 0)
    return { title: sentence(violated, "is violated", "are violated"), remarks, verdict: "violated" };
  if (holding.length > 0) {
    const rest = holding.length === 1 ? "it implies" : "they imply";
    remarks.unshift(
      `${plural(transactions, "transaction")} in ${plural(sessions, "session")} were checked, ` +
        `and no violation was found. Every level that ${rest} holds too.`,
    );
    return { title: sentence(holding, "holds", "hold"), remarks, verdict: "holds" };
  }
  return {
    title: undecided.length > 0 ? sentence(undecided, "is undecided", "are undecided") : "No level was asked",
    remarks,
    verdict: undecided.length > 0 ? "undecided" : "not-asked",
  };
}
