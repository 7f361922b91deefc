// Evidence as data: an order that explains a history, or lines that prove there is none.
//
// docs/certificates.md defines what each line claims and when it may be used; certify() believes nothing
// else. The engine writes these values, the printer and the parser give them a text form.
//
// A proof reasons about points: c(T), where T's writes become visible, and s(T), where it takes its snapshot.
// At levels with one point both are the same. An edge is "this point is before that one".
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "history/ids.h"

namespace assay {

struct Point {
  TxnId txn;
  bool commit = true;
  friend auto operator<=>(const Point&, const Point&) = default;
};

using LineId = std::uint32_t;

struct ProofLine {
  enum class Kind : std::uint8_t {
    Session,      // a, b: session order                         |- c(a) < s(b)
    Reads,        // op: a read with one possible writer w       |- c(w) < s(reader)
    Own,          // a                                           |- s(a) < c(a)
    Path,         // lines: edges, each going on where the last one ended |- first < last
    Missed,       // op, a, lines {c(a) < s(reader)}             |- c(a) < c(w)
    Overwritten,  // op, a, lines {c(w) < c(a)}; none if w is initial |- s(reader) < c(a)
    Exclusive,    // a, b, op: a write of a whose key b writes too, lines {s(a) < c(b)} |- c(a) < s(b)
    Observed,     // op: a list read, a, b                       |- c(a) < c(b)
    Suppose,      // a, b                                        |- c(a) < c(b), until the scope is closed
    Unit,         // clause: all its literals but one are refuted in this scope |- the one that is left
    Refute,       // lines: a cycle                              closes the scope
    Stale,        // op: a read of the initial version, a, lines {c(a) < s(reader)}  closes the scope
    Falsified,    // clause: all its literals are refuted        closes the scope
    WrongRead,    // op: a read that nothing can explain         ends the proof
  };
  Kind kind;
  LineId id = 0;  // increasing
  TxnId a{}, b{};
  OpId op{};
  LineId clause = 0;
  std::vector<LineId> lines{};
};

// The last line closes a scope without suppositions, or is a WrongRead.
using Proof = std::vector<ProofLine>;

inline bool uses_session_order(const Proof& proof) {
  return std::ranges::any_of(proof, [](const ProofLine& line) { return line.kind == ProofLine::Kind::Session; });
}

// The points in an order that explains every read. A transaction of unknown outcome took effect if it is in it.
using Order = std::vector<Point>;

}  // namespace assay
