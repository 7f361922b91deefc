// The answer to "does this history satisfy this level", with its evidence. Never a bare bool.
#pragma once

#include <string>
#include <variant>

#include "history/history.h"
#include "isolation/anomaly.h"
#include "verdict/proof.h"

namespace assay {

using Holds = Execution;

struct Violated {
  Anomaly anomaly;
  bool needs_session_order = false;
  Proof proof{};
};

struct Undecided {
  std::string why;
};

using Verdict = std::variant<Holds, Violated, Undecided>;

}  // namespace assay
