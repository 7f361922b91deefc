#include "verdict/certify.h"

#include <fmt/format.h>

#include <algorithm>

#include "history/digest.h"
#include "history/statements.h"
#include "isolation/point_rules.h"
#include "verdict/certify_cases.h"
#include "verdict/certify_order.h"
#include "verdict/certify_reads.h"
#include "verdict/certify_statements.h"
#include "verdict/statement_views.h"

namespace assay {
namespace {

// What the statements say beyond the reads that the certificate names.
Result<void> certify_rest(const History& history, const Items& items, const Section& section) {
  const auto& truths = items.completion.truths;
  if (section.completion.truths.size() != truths_of(history).open.size())
    return error("a took or left line is missing: which rows an update-maybe changed must be known");
  for (const TxnId t : history.transactions())
    for (const OpId op : history.operations(t))
      if (history.outcome(t) == Outcome::Committed && history.kind(op) == OpKind::UpdateMaybe &&
          !fits_count(history, op, truths))
        return error(fmt::format("statement {} changed another number of rows", called(history, op)));
  const Execution& execution = std::get<Execution>(section.evidence);
  const Level level = level_of(section.level, execution.order);
  if (const auto rules = point_rules(level); rules && rules->total)
    return certify_statements(history, truths, execution.order);
  const auto unexplained = unexplained_reads(history, items, level, execution, 1);
  if (!unexplained) return unexplained.error();
  if (unexplained->empty()) return {};
  return error(fmt::format(
      "{} holds only if more is known of what statement {} met at key {}: a read line is missing", id(level),
      called(history, unexplained->front().op), history.display(unexplained->front().key)));
}

Result<void> certify_items(const History& history, const Section& section) {
  const auto has_total_order = [&] {
    const auto rules = point_rules(section.level);
    return rules && rules->total;
  };
  const bool has_rows = !section.completion.rows.empty() ||
                        std::ranges::any_of(section.other_cases,
                                            [](const Case& other) { return !other.completion.rows.empty(); });
  if (has_rows && (!has_total_order() || std::holds_alternative<Execution>(section.evidence)))
    return error("row lines are for proofs about levels whose order is replayed");
  const auto items = itemize_asked(history, section.completion);
  if (!items) return items.error();
  ASSAY_TRY(certify(items->history, section));
  if (std::holds_alternative<Execution>(section.evidence)) return certify_rest(history, *items, section);
  for (const Case& other : section.other_cases) {
    const auto other_items = itemize_asked(history, other.completion);
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
  const bool rows = has_rows_or_predicates(history);
  for (const Section& section : certificate.sections)
    ASSAY_TRY(rows ? certify_items(history, section) : certify(history, section));
  return {};
}

Result<void> certify(const History& history, const Section& section) {
  auto result = std::visit(
      [&](const auto& evidence) { return certify(history, section.level, evidence, section.skew); },
      section.evidence);
  if (!result && !is_unchecked(result.error()))
    result.error().what = fmt::format("level {}: {}", id(section.level), result.error().what);
  return result;
}

}  // namespace assay
