#include "certify/certify_text.h"

#include <fmt/format.h>

#include "certify/certify.h"
#include "certify/parse.h"
#include "history/digest.h"

namespace assay {

CertifiedText certify_text(const History& history, std::string_view text) {
  using enum CertifiedText::Answer;
  const auto about = history_of_certificate(text, history);
  if (!about) return {Unreadable, about.error()};
  if (const std::uint64_t actual = digest(history); *about != actual)
    return {Nothing, error(fmt::format("certifies nothing: it is about another history, with digest "
                                       "{:016x}; this one's is {:016x}",
                                       *about, actual))};
  auto certificate = parse_certificate(text, history);
  if (!certificate) return {Unreadable, certificate.error()};
  if (certificate->sections.empty())
    return {Nothing, error("certifies nothing: it has no section about a level")};
  if (const auto valid = certify(history, *certificate); !valid)
    return {is_unchecked(valid.error()) ? Nothing : Refuted, valid.error()};
  return {Certified, {}, std::move(certificate).value()};
}

}  // namespace assay
