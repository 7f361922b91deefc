// The answer to "does this history satisfy this level?", always with evidence or a reason.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "history/history.h"
#include "isolation/anomaly.h"
#include "verdict/proof.h"

namespace assay {

using Holds = Execution;

struct Violated {
  std::optional<Anomaly> anomaly;    // none: it has not been named
  bool needs_session_order = false;  // this proof uses it; another one might not
  Proof proof{};
  bool needs_real_time = false;
};

// The name as printed: write-skew, lost-update-session, unnamed. Names that are about sessions have no
// ending. If the proof needs real time and session order, only real time is printed, the stronger condition.
inline std::string anomaly_name(const Violated& violated) {
  if (!violated.anomaly) return "unnamed";
  const AnomalyRow& about = row(*violated.anomaly);
  const bool by_session = violated.needs_session_order && !about.is_about_sessions();
  const bool by_clock = violated.needs_real_time && !about.is_about_clocks();
  const char* needs = by_clock ? "-realtime" : by_session && !about.is_about_clocks() ? "-session" : "";
  return std::string(name(*violated.anomaly)) + needs;
}

struct Undecided {
  std::string why;
};

using Verdict = std::variant<Holds, Violated, Undecided>;

}  // namespace assay
