#include "verdict/certify.h"

#include <fmt/format.h>

#include "history/digest.h"

namespace assay {

Result<void> certify(const History& history, const Certificate& certificate) {
  if (const std::uint64_t actual = digest(history); actual != certificate.history)
    return error(
        fmt::format("the certificate is about another history: its digest is {:016x}, this one's {:016x}",
                    certificate.history, actual));
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
