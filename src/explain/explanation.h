// Why a history breaks a level, as data: the few transactions that show it, the cycle of dependencies between
// them, and for what was not observed but follows, the reason. Printers (report/) lay it out; nothing here is
// about layout.
//
// All ids are those of `part`, whose transactions are called as in the input.
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

// One transaction comes before another.
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
  KeyId key{};  // none: session order, real time, or an order of points that is about no single key
  std::vector<OpId> operations{};  // behind it
  bool inferred = false;           // the order of two writers that it rests on was not observed
  bool supposed = false;           // a supposition that a reason refutes
  std::string sentence{};
  std::shared_ptr<const Reason> reason{};  // shared where the same thing is a reason twice
};

std::string_view name(Dependency::Kind kind);  // "wr"

// Why two transactions wrote a key, or committed, in this order.
struct Reason {
  struct Order {
    TxnId first, second;
  };
  std::string sentence;             // the order, and what speaks for it in short
  std::vector<OpId> reads{};        // that force it
  std::optional<Order> supposed{};  // the other order, which is refuted
  OpId missed{};  // the read that did not see the first one's write although it came later, if that is the
                  // reason
  std::vector<Dependency> steps{};  // the path that forces it, or the cycle that refutes the other order
};

// Whom a read is from is not known: each case ends in a cycle, or in cases again.
struct Cases {
  struct Case {
    std::string supposed;              // "If it is from T1"
    std::vector<std::size_t> cycle{};  // places in Explanation::edges
    std::shared_ptr<const Cases> cases{};
  };
  std::string question;  // "T5 read x=3, which T1 and T4 wrote."
  OpId read{};
  std::vector<Case> cases{};
};

struct Explanation {
  Level level;
  std::optional<Anomaly> anomaly;  // none: it was not named in time
  std::string name;                // of the anomaly, with -session or -realtime where it needs such an order
  History part;                    // still breaks the level
  std::vector<TxnId> origin;       // what each transaction of the part is in the history
  bool minimal;                    // no session, transaction or operation can be left out; false: time was up
  bool shortened_lists;            // list reads of the part show only what its transactions appended
  std::vector<std::string>
      values;  // by operation: what it wrote or read, as in the history; of long lists only what matters
  std::vector<KeyId> keys;        // that it is about
  std::vector<Level> rules_out;   // all levels that the part breaks
  std::vector<Level> still_hold;  // the strongest that it does not
  std::vector<Dependency> edges;  // the cycle, in order; of all cases; of a wrong read, whom it read from
  bool has_cycle;                 // the last edge ends where the first begins
  std::shared_ptr<const Cases> cases;  // instead of one cycle
  std::vector<std::string> sentences;  // what happened, in order
  // Before that: what is taken for granted that nobody knows. Then rules_out has only levels that were found
  // to be broken, whatever is taken, or are stronger; and still_hold none.
  std::vector<std::string> supposed{};
};

// An operation in the words of the `.hist` language, with the value of the history; of many possible values
// the first ones.
std::string text(const Explanation& explanation, OpId op);

// What the anomaly means.
std::string_view meaning(const Explanation& explanation);

// "Lost update on x".
std::string title(const Explanation& explanation);

// Whether the part, written down as a history of its own, satisfies just the levels that the explanation
// names. Not where it rests on what updates are assumed to have done, or where operations belong to one
// statement, which no format can say of them.
bool is_exact(const Explanation& explanation);

}  // namespace assay
