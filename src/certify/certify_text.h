// From the text of a certificate to what it certifies about a history, or why it certifies nothing.
#pragma once

#include <string_view>

#include "base/result.h"
#include "history/history.h"
#include "verdict/certificate.h"

namespace assay {

struct CertifiedText {
  enum class Answer {
    Certified,  // each section shows what it claims
    Refuted,    // one does not
    Nothing,    // it is about another history, is about no level, or could not be checked
    Unreadable,
  };
  Answer answer = Answer::Certified;
  Error problem{};  // unless it is certified
  Certificate certificate{};
};

CertifiedText certify_text(const History& history, std::string_view text);

}  // namespace assay
