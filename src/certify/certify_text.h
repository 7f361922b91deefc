// Parses a certificate, makes sure that it is about the given history, and checks each of its sections.
#pragma once

#include <string_view>

#include "base/result.h"
#include "history/history.h"
#include "verdict/certificate.h"

namespace assay {

struct CertifiedText {
  enum class Answer {
    Certified,  // the evidence of every section is right
    Refuted,    // the evidence of some section is wrong
    Nothing,    // the certificate is about another history or no level, or a limit stopped the checker
    Unreadable,
  };
  Answer answer = Answer::Certified;
  Error problem{};  // why, unless the answer is Certified
  Certificate certificate{};
};

CertifiedText certify_text(const History& history, std::string_view text);

}  // namespace assay
