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
#include "verdict/rule.h"

namespace assay {

struct Point {
  TxnId txn;
  bool commit = true;
  friend auto operator<=>(const Point&, const Point&) = default;
};

// What may be supposed. Each literal has a contrary.
struct Literal {
  Rule kind;       // a supposition
  Point p{}, q{};  // Suppose: p is before q
  OpId op{};       // From, NotFrom: the read. Took, Left: the conditional write
  TxnId txn{};     // From, NotFrom: the writer, none() for the initial transaction. Counts, Absent: which one
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

// The line that supposes a literal, and what such a line supposes.
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
