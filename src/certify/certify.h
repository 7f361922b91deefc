// Checks whether the evidence of a certificate proves what the certificate claims.
//
// The checker relies only on the history and docs/certificates.md. It shares no code with the search for
// evidence, except the history itself (operations, values and predicates as the file has them), the tables of
// levels (src/isolation) and the data types of evidence (src/verdict). It implements a second time what rows
// and predicates mean, which transactions can have written what was read, what update-maybes did, what an
// order explains, and which point precedes another in real time. So a verdict is as right as this folder, and
// a defect of the search cannot hide itself. tests/architecture restricts the headers that the folder may
// reach.
//
// An error says which line or point is wrong and why, or that the history has operations which certificates
// do not cover.
//
// parse.h                the text of a certificate
// predicate_tree.h       evaluates predicates on rows; meaning.cpp: refuses histories without a meaning
// outcomes.h, items.h    rows and predicates as reads and writes of single keys
// reads.h                which transactions can have written what was read
// order.h                a level holds: replays the order (ser, si, pc and their variants), and compares it
//                        with clocks; weak_order.cpp, direct_views.cpp, past_reads.cpp: for rc, ra, cc,
//                        psi
// statements.h           the same for the results of statements with predicates, on a version_table.h
// proof_lines.cpp        a level is violated: checks that each line of the proof follows from earlier ones
// proof_operands.h       the transactions, reads and edges that a line may name
// open_lines.h           the lines that later lines may refer to
// shown_lists.h          the elements of a transaction that list reads show
// cases.h                checks that the cases of a proof are complete
//
// The time is linear in the history and the certificate, with two exceptions. Orders of cc and psi take
// transactions times sessions. Each statement takes a pass over the keys of the table.
#pragma once

#include "base/result.h"
#include "history/history.h"
#include "verdict/certificate.h"

namespace assay {

// Checks the digest first, then every section.
Result<void> certify(const History& history, const Certificate& certificate);

Result<void> certify(const History& history, const Section& section);
// For histories without rows and predicates.
Result<void> certify(const History& history, Level level, const Execution& execution, std::int64_t skew = 0);
Result<void> certify(const History& history, Level level, const Proof& proof, std::int64_t skew = 0);

// The certificate could not be checked: the checker reached a limit, or has no rules for the claim. So it may
// be right, unlike a certificate with any other error.
Error unchecked(std::string why);
bool is_unchecked(const Error& problem);

}  // namespace assay
