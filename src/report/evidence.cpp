#include "report/evidence.h"

#include "history/digest.h"
#include "verdict/certificate.h"

namespace assay {

std::string certificate_text(const Findings& findings) {
  Certificate certificate{digest(findings.history()), {}};
  for (const Finding& finding : findings.levels) {
    if (std::holds_alternative<Undecided>(finding.verdict)) continue;
    if (finding.evidence) {
      certificate.sections.push_back(*finding.evidence);
      certificate.sections.back().found_by = finding.searcher;
      continue;
    }
    Section section{
        finding.level, {}, row(finding.level).needs_instants() ? findings.skew : 0, finding.searcher};
    if (const auto* holds = std::get_if<Holds>(&finding.verdict)) section.evidence = *holds;
    else section.evidence = std::get<Violated>(finding.verdict).proof;
    certificate.sections.push_back(std::move(section));
  }
  return print(certificate, findings.history());
}

}  // namespace assay
