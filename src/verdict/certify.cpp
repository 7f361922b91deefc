#include "verdict/certify.h"

#include <fmt/format.h>

#include <algorithm>

#include "history/digest.h"
#include "history/statements.h"
#include "isolation/point_rules.h"
#include "verdict/certify_statements.h"

namespace assay {
namespace {

// Where no order says what a statement met, every read that could be wrong must be among those that the certificate explains.
Result<void> certify_rest(const History& history, const Certificate& certificate, const Section& section) {
  const auto* execution = std::get_if<Execution>(&section.evidence);
  if (execution == nullptr) return {};
  const auto rules = point_rules(section.level);
  if (rules && rules->total) return certify_statements(history, execution->order);
  const auto all = all_invisible_reads(history, SIZE_MAX);
  if (!std::ranges::includes(certificate.reads, *all))
    return error(fmt::format("{} holds only if all reads of its statements are looked at, and some have no read line", id(section.level)));
  return {};
}

Result<void> certify_items(const History& history, const Certificate& certificate) {
  const auto items = itemize_asked(history, certificate.reads);
  if (!items) return items.error();
  for (const Section& section : certificate.sections) {
    ASSAY_TRY(certify(items->history, section));
    ASSAY_TRY(certify_rest(history, certificate, section));
  }
  return {};
}

}  // namespace

Result<void> certify(const History& history, const Certificate& certificate) {
  if (const std::uint64_t actual = digest(history); actual != certificate.history)
    return error(
        fmt::format("the certificate is about another history: its digest is {:016x}, this one's {:016x}",
                    certificate.history, actual));
  if (has_rows_or_predicates(history)) return certify_items(history, certificate);
  for (const Section& section : certificate.sections) ASSAY_TRY(certify(history, section));
  return {};
}

Result<void> certify(const History& history, const Section& section) {
  auto result = std::visit(
      [&](const auto& evidence) { return certify(history, section.level, evidence, section.skew); },
      section.evidence);
  if (!result) result.error().what = fmt::format("level {}: {}", id(section.level), result.error().what);
  return result;
}

}  // namespace assay
