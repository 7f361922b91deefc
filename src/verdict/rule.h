// The rules by which one thing follows from another.
//
// A rule has the same name everywhere: as the cause of an edge in the graph of points, as the reason for a
// choice or a clause of the search, as a literal, and as a line of a proof. Its row says how a certificate
// spells it. docs/certificates.md defines when a line may be used. The checker of certificates implements
// that itself, and takes only the names from here.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace assay {

// The conclusion follows |-. c(T) is the point at which T's writes become visible, s(T) the point of its
// snapshot; w is the writer of the read op. F is a line that names the writer of op; it is there exactly when
// op has several possible writers.
enum class Rule : std::uint8_t {
  // Edges: one point is before another.
  Session,      // a, b: session order                         |- c(a) < s(b)
  Reads,        // op: a read with one possible writer w       |- op is from w, c(w) < s(reader)
  Own,          // a                                           |- s(a) < c(a)
  Path,         // lines: edges, each starting where the last one ended |- first < last
  Missed,       // op, a, lines {c(a) < s(reader), F}          |- c(a) < c(w)
  Overwritten,  // op, a, lines {c(w) < c(a), F}; no edge if w is initial |- s(reader) < c(a)
  Exclusive,    // a, b, op: a write of a whose key b writes too, lines {s(a) < c(b)} |- c(a) < s(b)
  Observed,     // op: a list read, a, b                       |- c(a) < c(b)
  Realtime,     // two points: clocks tell them apart          |- first < second
  // Clauses that the history gives.
  Candidates,  // op                                          |- it is from one of its possible writers
  Implies,     // op, a: a possible writer of unknown outcome |- op is not from a, or a counts
               // or whose write is conditional               |- op is not from a, or that took place
  Shows,       // op: a list read, a: of unknown outcome      |- its reader is absent, or a counts
  Matched,    // op: a conditional write                  |- op did not take place, or read a matching version
  Unmatched,  // op                                       |- op took place, or read one that does not match
  // Suppositions, until the scope is closed. These are also what a literal can say.
  Suppose,  // two points                                  |- first < second
  From,     // op, a: none() is the initial transaction    |- op is from a
  NotFrom,  // op, a                                       |- op is not from a
  Counts,   // a                                           |- a counts
  Absent,   // a                                           |- a does not count
  Took,     // op: a conditional write                     |- it took place
  Left,     // op                                          |- it did not take place
  // Unit propagation: if all literals of the clause but one are refuted, that one is established.
  Unit,
  // Contradictions, which close the scope.
  Refute,     // lines: a cycle
  Stale,      // op: a read of the initial version, a, lines {c(a) < s(reader), F}
  Falsified,  // clause: all its literals are refuted
  Crowded,    // lines: clauses on reads of one key by transactions that write it, with fewer writers to read
              // from
  TooMany,    // op, lines: more conditional writes of its statement took place than it reports
  TooFew,     // op, lines: so many did not take place that fewer did than it reports
  WrongRead,  // op: a read that nothing can explain; ends the proof
};

inline bool is_supposition(Rule rule) { return rule >= Rule::Suppose && rule <= Rule::Left; }
inline bool closes_scope(Rule rule) { return rule >= Rule::Refute; }

// The contrary supposition: suppose with the points exchanged, from and not-from, and so on.
Rule contrary(Rule supposition);

// How a line of a proof is written.
struct RuleRow {
  Rule rule;
  std::string_view word;
  // a, b: a transaction; p, q: a point of a, of b; w: a, or the initial transaction; o: an operation;
  // e: an operation, whose transaction is also a; c: a clause; *: any number of lines.
  std::string_view operands;
};

std::span<const RuleRow> rules();  // in the order of Rule
inline const RuleRow& row(Rule rule) { return rules()[static_cast<std::size_t>(rule)]; }
inline std::string_view name(Rule rule) { return row(rule).word; }  // as in "missed"

}  // namespace assay
