// Evidence as data: an execution that explains a history, or a proof that there is none.
//
// docs/certificates.md defines what each line of a proof claims and when it may be used; certify() accepts
// nothing else. The engine makes these values, and the printer and the parser convert them to and from text.
//
// A proof reasons about points: c(T), at which T's writes become visible, and s(T), at which it takes its
// snapshot. At levels with one point both are the same. An edge says that one point is before another. If a
// value was written more than once, the proof also reasons about the writers of reads and about which
// transactions of unknown outcome took effect. For a row that an update-maybe may have changed, it reasons
// about whether it did.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "history/ids.h"
#include "verdict/rule.h"

namespace assay {

struct Point {
  TxnId txn;
  bool commit = true;
  friend auto operator<=>(const Point&, const Point&) = default;
};

// What a proof may suppose. Each literal has a contrary.
struct Literal {
  Rule kind;       // a supposition
  Point p{}, q{};  // Suppose: p is before q
  OpId op{};       // From, NotFrom: the read. Took, Left: the conditional write
  TxnId txn{};  // From, NotFrom: the writer, or none() for the initial one. Counts, Absent: the transaction
  friend auto operator<=>(const Literal&, const Literal&) = default;

  static Literal before(Point p, Point q) { return {.kind = Rule::Suppose, .p = p, .q = q}; }
  static Literal from(OpId op, TxnId writer) { return {.kind = Rule::From, .op = op, .txn = writer}; }
  static Literal not_from(OpId op, TxnId writer) { return from(op, writer).contrary(); }
  static Literal counts(TxnId t) { return {.kind = Rule::Counts, .txn = t}; }
  static Literal absent(TxnId t) { return counts(t).contrary(); }
  static Literal took(OpId op) { return {.kind = Rule::Took, .op = op}; }
  static Literal left(OpId op) { return took(op).contrary(); }
  Literal contrary() const { return {.kind = assay::contrary(kind), .p = q, .q = p, .op = op, .txn = txn}; }
};

using LineId = std::uint32_t;

struct ProofLine {
  Rule kind;
  bool a_commits = true, b_commits = true;  // Suppose, Realtime: which points of a and b
  LineId id = 0;                            // increasing
  TxnId a{}, b{};
  OpId op{};
  LineId clause = 0;
  std::vector<LineId> lines{};

  Point first() const { return {a, a_commits}; }
  Point second() const { return {b, b_commits}; }
};

// The line that supposes a literal, and the literal of such a line.
inline ProofLine supposition(const Literal& literal) {
  if (literal.kind == Rule::Suppose)
    return {.kind = literal.kind,
            .a_commits = literal.p.commit,
            .b_commits = literal.q.commit,
            .a = literal.p.txn,
            .b = literal.q.txn};
  return {.kind = literal.kind, .a = literal.txn, .op = literal.op};
}
inline Literal supposed_by(const ProofLine& line) {
  if (line.kind == Rule::Suppose) return Literal::before(line.first(), line.second());
  return {.kind = line.kind, .op = line.op, .txn = line.a};
}

// The last line closes a scope without suppositions, or is a WrongRead.
using Proof = std::vector<ProofLine>;

inline bool uses(const Proof& proof, Rule kind) {
  return std::ranges::find(proof, kind, &ProofLine::kind) != proof.end();
}
inline bool uses_session_order(const Proof& proof) { return uses(proof, Rule::Session); }
inline bool uses_real_time(const Proof& proof) { return uses(proof, Rule::Realtime); }

// The points in an order that explains every read. A transaction of unknown outcome took effect if the order
// contains it.
using Order = std::vector<Point>;

struct Source {
  OpId read;
  TxnId writer;  // none(): the initial transaction
  friend auto operator<=>(const Source&, const Source&) = default;
};

// An execution that explains a history. At rc, ra, cc and psi the order does not determine the writer of a
// read if several of its transactions wrote the value, so `from` names it. (From ra up, only for the first
// external read of a key in a transaction.)
struct Execution {
  Order order;
  std::vector<Source> from{};
};

}  // namespace assay
