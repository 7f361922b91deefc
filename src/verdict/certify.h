// Whether the evidence of a certificate shows what it claims.
//
// Believes nothing but the history and docs/certificates.md, and shares no code with what searches for the
// evidence: a verdict is as right as these few files. An error says which line or point is wrong, and why;
// also when the history has operations that certificates do not speak about yet.
//
// certify_reads.h        who can have written what was read
// certify_order.cpp      a level holds: the order is replayed (ser, si, pc and their kind), and held against
// clocks certify_weak_order.cpp, certify_direct_views.cpp, certify_pasts.cpp: the same for rc, ra, cc, psi
// certify_statements.h   the same for what statements with predicates found
// certify_proof.cpp      a level is violated: each line of the proof follows from earlier ones
// open_lines.h           the lines that it may follow from
// shown_lists.h          what list reads show of a transaction
//
// Time is linear in the history and the certificate, but for orders of cc and psi: transactions times
// sessions.
#pragma once

#include "base/result.h"
#include "history/history.h"
#include "verdict/certificate.h"

namespace assay {

// The digest first, then every section.
Result<void> certify(const History& history, const Certificate& certificate);

Result<void> certify(const History& history, const Section& section);
Result<void> certify(const History& history, Level level, const Execution& execution, std::int64_t skew = 0);
Result<void> certify(const History& history, Level level, const Proof& proof, std::int64_t skew = 0);

}  // namespace assay
