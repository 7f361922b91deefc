// Whether the evidence of a certificate shows what it claims.
//
// The checker believes nothing but the history and docs/certificates.md. It shares no code with what searches
// for the evidence, but the history itself (what was read from a file: operations, values, predicates as they
// were written), the tables of levels (src/isolation) and the data types of the evidence (src/verdict). What
// rows and predicates mean, who can have written what was read, what update-maybes did, what an order
// explains and which point precedes another in real time are written here a second time. So a verdict is as
// right as this folder, and a defect of the search does not hide itself. tests/architecture holds the folder
// to the headers that it may reach.
//
// An error says which line or point is wrong, and why; also when the history has operations that certificates
// do not speak about.
//
// parse.h                the text of a certificate
// predicate_tree.h       what a predicate says of a row; meaning.cpp: histories of rows that mean nothing
// outcomes.h, items.h    rows and predicates as reads and writes of single keys
// reads.h                who can have written what was read
// order.h                a level holds: the order is replayed (ser, si, pc and their kind), and held against
//                        clocks; weak_order.cpp, direct_views.cpp, past_reads.cpp: the same for rc, ra, cc,
//                        psi
// statements.h           the same for what statements with predicates found, on a version_table.h
// proof_lines.cpp        a level is violated: each line of the proof follows from earlier ones
// proof_operands.h       what lines may name
// open_lines.h           the lines that they may follow from
// shown_lists.h          what list reads show of a transaction
// cases.h                the cases of a proof leave none out
//
// Time is linear in the history and the certificate, but for orders of cc and psi: transactions times
// sessions; and for statements: each is a pass over the keys of the table.
#pragma once

#include "base/result.h"
#include "history/history.h"
#include "verdict/certificate.h"

namespace assay {

// The digest first, then every section.
Result<void> certify(const History& history, const Certificate& certificate);

Result<void> certify(const History& history, const Section& section);
// Of a history without rows and predicates.
Result<void> certify(const History& history, Level level, const Execution& execution, std::int64_t skew = 0);
Result<void> certify(const History& history, Level level, const Proof& proof, std::int64_t skew = 0);

// The certificate could not be checked: a limit of the checker was reached, or it has no rules for what is
// claimed. So the certificate may be right, unlike one with any other error.
Error unchecked(std::string why);
bool is_unchecked(const Error& problem);

}  // namespace assay
