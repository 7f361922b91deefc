// Evidence as data: an execution that explains a history, or lines that prove there is none.
//
// docs/certificates.md defines what each line claims and when it may be used; certify() believes nothing
// else. The engine writes these values, the printer and the parser give them a text form.
//
// A proof reasons about points: c(T), where T's writes become visible, and s(T), where it takes its snapshot.
// At levels with one point both are the same. An edge is "this point is before that one". Where a value was
// written more than once, it also reasons about whom a read is from, and which transactions of unknown
// outcome took effect; and of a row that an update-maybe may have changed, whether it did.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "history/ids.h"

namespace assay {

struct Point {
  TxnId txn;
  bool commit = true;
  friend auto operator<=>(const Point&, const Point&) = default;
};

// What may be supposed. Each literal has a contrary.
struct Literal {
  enum class Kind : std::uint8_t { Before, From, NotFrom, Counts, Absent, Took, Left };
  Kind kind;
  Point p{}, q{};  // Before: p is before q
  OpId op{};       // From, NotFrom: the read. Took, Left: the conditional write
  TxnId txn{};     // From, NotFrom: the writer, none() for the initial transaction. Counts, Absent: which one
  friend auto operator<=>(const Literal&, const Literal&) = default;

  static Literal before(Point p, Point q) { return {.kind = Kind::Before, .p = p, .q = q}; }
  static Literal from(OpId op, TxnId writer) { return {.kind = Kind::From, .op = op, .txn = writer}; }
  static Literal not_from(OpId op, TxnId writer) { return {.kind = Kind::NotFrom, .op = op, .txn = writer}; }
  static Literal counts(TxnId t) { return {.kind = Kind::Counts, .txn = t}; }
  static Literal absent(TxnId t) { return {.kind = Kind::Absent, .txn = t}; }
  static Literal took(OpId op) { return {.kind = Kind::Took, .op = op}; }
  static Literal left(OpId op) { return {.kind = Kind::Left, .op = op}; }
  Literal contrary() const;
};

inline Literal Literal::contrary() const {
  switch (kind) {
    case Kind::From: return not_from(op, txn);
    case Kind::NotFrom: return from(op, txn);
    case Kind::Counts: return absent(txn);
    case Kind::Absent: return counts(txn);
    case Kind::Took: return left(op);
    case Kind::Left: return took(op);
    case Kind::Before: break;
  }
  return before(q, p);
}

using LineId = std::uint32_t;

struct ProofLine {
  enum class Kind : std::uint8_t {
    Session,      // a, b: session order                         |- c(a) < s(b)
    Reads,        // op: a read with one possible writer w       |- op is from w, c(w) < s(reader)
    Own,          // a                                           |- s(a) < c(a)
    Path,         // lines: edges, each going on where the last one ended |- first < last
    Missed,       // op, a, lines {c(a) < s(reader), F}          |- c(a) < c(w)
    Overwritten,  // op, a, lines {c(w) < c(a), F}; no edge if w is initial |- s(reader) < c(a)
    Exclusive,    // a, b, op: a write of a whose key b writes too, lines {s(a) < c(b)} |- c(a) < s(b)
    Observed,     // op: a list read, a, b                       |- c(a) < c(b)
    Realtime,     // two points: clocks tell them apart          |- first < second
    Candidates,   // op                                          |- clause: it is from one of its possible
                  // writers
    Implies,      // op, a: a possible writer of unknown outcome |- clause: op is not from a, or a counts
              // or whose write is conditional              |- clause: op is not from a, or that took place
    Shows,    // op: a list read, a: of unknown outcome      |- clause: its reader is absent, or a counts
    Matched,  // op: a conditional write                     |- clause: op was left out, or met a version that
              // matches
    Unmatched,  // op                                          |- clause: op took place, or met one that does
                // not
    Suppose,    // two points                                  |- first < second, until the scope is closed
    From,       // op, a: none() is the initial transaction    |- op is from a, until the scope is closed
    NotFrom,    // op, a                                       |- op is not from a, until ...
    Counts,     // a                                           |- a counts, until ...
    Absent,     // a                                           |- a does not, until ...
    Took,       // op: a conditional write                     |- it took place, until ...
    Left,       // op                                          |- it did not, until ...
    Unit,       // clause: all its literals but one are refuted in this scope |- the one that is left
    Refute,     // lines: a cycle                              closes the scope
    Stale,      // op: a read of the initial version, a, lines {c(a) < s(reader), F}  closes the scope
    Falsified,  // clause: all its literals are refuted        closes the scope
    TooMany,    // op, lines: of more conditional writes of its statement than it says that they took place
                // closes the scope
    TooFew,     // the same, that they did not
    WrongRead,  // op: a read that nothing can explain         ends the proof
  };
  // F is a line that says whom op is from; it is there exactly when op has several possible writers.
  Kind kind;
  bool a_commits = true, b_commits = true;  // Suppose, Realtime: which points of a and b
  LineId id = 0;                            // increasing
  TxnId a{}, b{};
  OpId op{};
  LineId clause = 0;
  std::vector<LineId> lines{};

  Point first() const { return {a, a_commits}; }
  Point second() const { return {b, b_commits}; }
};

inline bool is_supposition(ProofLine::Kind kind) {
  return kind >= ProofLine::Kind::Suppose && kind <= ProofLine::Kind::Left;
}
inline bool closes_scope(ProofLine::Kind kind) { return kind >= ProofLine::Kind::Refute; }

// The last line closes a scope without suppositions, or is a WrongRead.
using Proof = std::vector<ProofLine>;

inline bool uses(const Proof& proof, ProofLine::Kind kind) {
  return std::ranges::find(proof, kind, &ProofLine::kind) != proof.end();
}
inline bool uses_session_order(const Proof& proof) { return uses(proof, ProofLine::Kind::Session); }
inline bool uses_real_time(const Proof& proof) { return uses(proof, ProofLine::Kind::Realtime); }

// The points in an order that explains every read. A transaction of unknown outcome took effect if it is in
// it.
using Order = std::vector<Point>;

struct Source {
  OpId read;
  TxnId writer;  // none(): the initial transaction
  friend auto operator<=>(const Source&, const Source&) = default;
};

// What explains a history. At rc, ra, cc and psi the order does not say whom a read is from if several
// transactions in it wrote the value: `from` does. (From ra up only for the first external read of a key in a
// transaction.)
struct Execution {
  Order order;
  std::vector<Source> from{};
};

}  // namespace assay
