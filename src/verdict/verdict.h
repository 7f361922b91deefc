// The answer to "does this history satisfy this level", with its evidence. Never a bare bool.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "history/history.h"
#include "isolation/anomaly.h"

namespace assay {

// Why one transaction comes before another in every order that could explain the history.
struct Because {
  enum class Kind : std::uint8_t {
    Session,    // it comes first in the session
    ReadFrom,   // `to` read `key` from it
    Overruled,  // `reader` read `key` from `to` with `from`, which also writes the key, in its view
  };
  Kind kind;
  TxnId from, to;  // none: the initial transaction
  TxnId reader{};
  KeyId key{};
};

struct Holds {
  std::vector<TxnId> order;  // a commit order that explains every read
};

struct Violated {
  Anomaly anomaly;
  bool needs_session_order = false;
  std::vector<Because> cycle{};  // each step's `to` is the next one's `from`; empty for a wrong read
  TxnId reader{};                // of the wrong read
  OpId read{};
  TxnId other{};
};

struct Undecided {
  std::string why;
};

using Verdict = std::variant<Holds, Violated, Undecided>;

}  // namespace assay
