// Why a history breaks a level, as data: the few transactions that show it, the cycle of dependencies between
// them, and the reason for each dependency that was not observed directly. The printers in report/ lay it
// out.
//
// All ids refer to `part`, whose transactions have the names of the input.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "history/history.h"
#include "isolation/anomaly.h"
#include "isolation/level.h"

namespace assay {

struct Reason;

// An edge of the serialization graph: one transaction comes before another.
struct Dependency {
  enum class Kind : std::uint8_t {
    Wr,  // the second read what the first wrote
    Ww,  // the second overwrote what the first wrote
    Rw,  // the first read a version that the second overwrote
    So,  // session order
    Rt,  // the first ended before the second began, by their clients' clocks
  };
  Kind kind;
  TxnId from, to;
  KeyId key{};                     // none: session order, real time, or an order of points without one key
  std::vector<OpId> operations{};  // that cause it
  bool inferred = false;           // it rests on an order of two writers that nobody observed
  bool supposed = false;           // an assumption, which the reason of another edge refutes
  std::string sentence{};
  std::shared_ptr<const Reason> reason{};  // shared when the same fact is used twice
};

std::string_view name(Dependency::Kind kind);  // "wr"

// Why two transactions wrote a key, or committed, in this order.
struct Reason {
  struct Order {
    TxnId first, second;
  };
  std::string sentence;             // the order, with its reason in short
  std::vector<OpId> reads{};        // the reads that force it
  std::optional<Order> supposed{};  // the opposite order, if it was refuted
  OpId missed{};  // if this is the reason: the read that came later but did not see the first one's write
  std::vector<Dependency> steps{};  // the path that forces it, or the cycle that refutes the opposite order
};

// A read with several candidate writers: one case for each. Each case ends in a cycle, or in further cases.
struct Cases {
  struct Case {
    std::string supposed;              // "If it is from T1"
    std::vector<std::size_t> cycle{};  // indices into Explanation::edges
    std::shared_ptr<const Cases> cases{};
  };
  std::string question;  // "T5 read x=3, which T1 and T4 wrote."
  OpId read{};
  std::vector<Case> cases{};
};

struct Explanation {
  Level level;
  Anomaly anomaly;
  std::string name;           // of the anomaly, with -session or -realtime where it needs such an order
  History part;               // still breaks the level
  std::vector<TxnId> origin;  // by transaction of the part: its id in the history
  bool minimal;               // nothing can be left out without losing the violation; false: time was up
  bool shortened_lists;       // list reads of the part show only what its transactions appended
  std::vector<std::string>
      values;               // by operation: what it wrote or read in the history; long lists are abridged
  std::vector<KeyId> keys;  // the keys of the anomaly
  std::vector<Level> rules_out;        // all levels that the part breaks
  std::vector<Level> still_hold;       // the strongest levels that it satisfies
  std::vector<Dependency> edges;       // the cycle in order; of all cases; or the sources of a wrong read
  bool has_cycle;                      // the last edge ends where the first begins
  std::shared_ptr<const Cases> cases;  // instead of one cycle
  std::vector<std::string> sentences;  // what happened, in order
  // Printed before these: outcomes of updates that the explanation assumes. With such assumptions, rules_out
  // has only levels whose violation was shown for all outcomes, and stronger ones; still_hold is empty.
  std::vector<std::string> supposed{};
};

// An operation in the `.hist` language, with its value in the history. Of many possible values, only the
// first ones.
std::string text(const Explanation& explanation, OpId op);

// "Lost update on x".
std::string title(const Explanation& explanation);

// Whether the part, saved as a history, satisfies exactly the levels that the explanation says. Not if the
// explanation assumes outcomes of updates, nor if several operations belong to one statement, which no format
// can express for operations on single keys.
bool is_exact(const Explanation& explanation);

}  // namespace assay
