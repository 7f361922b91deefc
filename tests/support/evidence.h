// Whether the evidence of a verdict stands: what every test of the checker asks. Undecided has none, and is
// an error.
#pragma once

#include "certify/certify.h"
#include "certify/parse.h"
#include "history/digest.h"
#include "verdict/verdict.h"

namespace assay::test {

inline Result<void> certify(const History& history, Level level, const Verdict& verdict,
                            std::int64_t skew = 0) {
  if (!row(level).needs_instants()) skew = 0;  // other levels know of none
  if (const auto* holds = std::get_if<Holds>(&verdict)) return assay::certify(history, level, *holds, skew);
  if (const auto* fell = std::get_if<Violated>(&verdict))
    return assay::certify(history, level, fell->proof, skew);
  return error("undecided");
}

// By way of the text that a user would have.
inline Result<void> certify_as_text(const History& history, const Section& section) {
  const auto parsed = parse_certificate(print({digest(history), {section}}, history), history);
  return parsed ? certify(history, *parsed) : Result<void>(parsed.error());
}

}  // namespace assay::test
