// Checks certificates through the C interface.
#include <assay/assay_c.h>

#include "api/calls.h"
#include "api/handles.h"
#include "certify/certify_text.h"

using namespace assay;
using namespace assay::api;

extern "C" {

assay_status assay_certify(const assay_history* history, const char* certificate, size_t size,
                           assay_claims** claims, assay_error** error) {
  return guarded(error, [&]() -> Result<void> {
    require(claims != nullptr, "there is no place for the claims");
    *claims = nullptr;
    require(history != nullptr && (certificate != nullptr || size == 0),
            "there is no history or no certificate to check");
    const CertifiedText found =
        certify_text(*history->history, size == 0 ? "" : std::string_view(certificate, size));
    switch (found.answer) {
      case CertifiedText::Answer::Certified: break;
      case CertifiedText::Answer::Refuted: throw Problem{ASSAY_REFUTED, found.problem};
      case CertifiedText::Answer::Nothing: throw Problem{ASSAY_UNCHECKED, found.problem};
      case CertifiedText::Answer::Unreadable: return found.problem;
    }
    auto shown = std::make_unique<assay_claims>();
    for (const Section& section : found.certificate.sections)
      shown->claims.push_back({id(section.level).data(),
                               section.evidence.index() == 0 ? ASSAY_HOLDS : ASSAY_VIOLATED, section.skew});
    *claims = shown.release();
    return {};
  });
}

void assay_claims_free(assay_claims* claims) { delete claims; }

size_t assay_claims_count(const assay_claims* claims) {
  return claims == nullptr ? 0 : claims->claims.size();
}

assay_status assay_claims_get(const assay_claims* claims, size_t index, assay_claim* claim) {
  if (claim == nullptr || index >= assay_claims_count(claims)) return ASSAY_MISUSE;
  *claim = claims->claims[index];
  return ASSAY_OK;
}

}  // extern "C"
