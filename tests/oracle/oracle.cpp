#include "oracle/oracle.h"

#include "oracle/commit_order.h"
#include "oracle/model.h"
#include "oracle/points.h"

namespace assay::oracle {

std::string_view id(Level level) { return kLevelRows[static_cast<std::size_t>(level)].id; }

bool needs_instants(Level level) { return kLevelRows[static_cast<std::size_t>(level)].needs_instants; }

bool has_needed_instants(const History& history) {
  for (const TxnId t : history.transactions()) {
    const Instants at = history.instants(t);
    if (history.outcome(t) == Outcome::Committed && (!at.begin || !at.end)) return false;
  }
  return true;
}

bool allows(const History& history, Level level, Options options) {
  ASSAY_REQUIRE(!needs_instants(level) || has_needed_instants(history));
  return some_completion(history, [&](const Model& model) {
    switch (level) {
      case Level::pl_2: return has_commit_order(model, {.axiom = level, .session_order = false});
      case Level::mav: return has_commit_order(model, {.axiom = Level::rc, .session_order = false});
      case Level::plain_ra: return has_commit_order(model, {.axiom = Level::ra, .session_order = false});
      case Level::rc:
      case Level::ra:
      case Level::cc:
      case Level::psi: return has_commit_order(model, {.axiom = level});
      case Level::pc:
      case Level::si:
      case Level::ser:
      case Level::adya_si:
      case Level::gsi:
      case Level::session_si:
      case Level::strong_si:
      case Level::plain_ser:
      case Level::strict_ser: return has_order_of_points(model, point_rules(level, options));
    }
    return false;
  });
}

}  // namespace assay::oracle
