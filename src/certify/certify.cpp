#include "certify/certify.h"

#include <fmt/format.h>

#include <algorithm>

#include "certify/cases.h"
#include "certify/items.h"
#include "certify/order.h"
#include "certify/reads.h"
#include "certify/statements.h"
#include "history/digest.h"
#include "isolation/point_rules.h"

namespace assay {
namespace {

// Checks that no outcome is open, and that committed transactions changed as many rows as they report.
Result<void> certify_outcomes(const History& history, const ItemHistory& items) {
  if (!open_rows(history, items.outcomes).empty())
    return error("a took or left line is missing: which rows an update-maybe changed must be known");
  for (const TxnId t : history.transactions())
    for (const OpId op : history.operations(t))
      if (history.outcome(t) == Outcome::Committed && history.kind(op) == OpKind::UpdateMaybe &&
          !may_have_its_count(history, op, count_rows(history, op, items.outcomes)))
        return error(fmt::format("statement {} changed another number of rows", called(history, op)));
  return {};
}

// Checks what the statements say beyond the reads that the certificate names.
Result<void> certify_statements(const History& history, const ItemHistory& items, Level claimed,
                                const Execution& execution) {
  const Level level = level_of(claimed, execution.order);
  if (has_total_order(level)) return certify_replayed_statements(history, items, execution.order);
  const auto at = positions(items.history, level, execution.order);
  if (!at) return at.error();
  const Reads reads = Reads::of_those_in(items.history, level, *at);
  WeakOrder order{items.history, level, execution.order, execution.from, *at, reads};
  ASSAY_TRY(find_sources(order));
  return certify_weak_statements(history, items, order);
}

Result<void> certify_evidence(const History& history, const Section& section) {
  return std::visit(
      [&](const auto& evidence) { return certify(history, section.level, evidence, section.skew); },
      section.evidence);
}

Result<void> certify_items(const History& history, const Section& section) {
  const auto* execution = std::get_if<Execution>(&section.evidence);
  const bool has_rows = !section.completion.rows.empty() ||
                        std::ranges::any_of(section.other_cases,
                                            [](const Case& other) { return !other.completion.rows.empty(); });
  if (has_rows && (execution || !has_total_order(section.level)))
    return error("row lines are for proofs about levels whose order is replayed");
  const auto items = items_of(history, section.completion);
  if (!items) return items.error();
  ASSAY_TRY(certify_evidence(items->history, section));
  if (execution) {
    ASSAY_TRY(certify_outcomes(history, *items));
    return certify_statements(history, *items, section.level, *execution);
  }
  for (const Case& other : section.other_cases) {
    const auto other_items = items_of(history, other.completion);
    if (!other_items) return other_items.error();
    ASSAY_TRY(certify(other_items->history, section.level, other.proof, section.skew));
  }
  return certify_cases(history, section);
}

constexpr std::string_view kUnchecked = "undecided: ";

}  // namespace

Error unchecked(std::string why) { return error(std::string(kUnchecked) + std::move(why)); }
bool is_unchecked(const Error& problem) { return problem.what.starts_with(kUnchecked); }

Result<void> certify(const History& history, const Certificate& certificate) {
  if (const std::uint64_t actual = digest(history); actual != certificate.history)
    return error(
        fmt::format("the certificate is about another history: its digest is {:016x}, this one's {:016x}",
                    certificate.history, actual));
  for (const Section& section : certificate.sections) ASSAY_TRY(certify(history, section));
  return {};
}

Result<void> certify(const History& history, const Section& section) {
  auto result = has_items(history) ? certify_items(history, section) : certify_evidence(history, section);
  if (!result && !is_unchecked(result.error()))
    result.error().what = fmt::format("level {}: {}", id(section.level), result.error().what);
  return result;
}

}  // namespace assay
