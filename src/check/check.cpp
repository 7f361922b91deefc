#include "check/check.h"

#include <fmt/format.h>

#include "dependency/read_facts.h"
#include "saturation/weak_levels.h"

namespace assay {

bool can_check(Level level) { return level == Level::Rc || level == Level::Ra || level == Level::Cc; }

Result<Verdict> check(const History& history, Level level) {
  if (!can_check(level)) return error(fmt::format("{} is not judged by this version", id(level)), "rc, ra and cc are");
  // From the weakest up: the first level that falls names the anomaly most specifically.
  Verdict verdict;
  for (const Level weaker : {Level::Rc, Level::Ra, Level::Cc}) {
    if (!implies(level, weaker)) continue;
    auto facts = read_facts(history, weaker != Level::Rc);
    if (!facts) return std::move(facts).error();
    if (!facts->wrong.empty()) {
      const WrongRead& wrong = facts->wrong.front();
      return Verdict(Violated{wrong.anomaly, false, {}, wrong.reader, wrong.op, wrong.other});
    }
    verdict = judge_weak_level(history, *facts, weaker);
    if (!std::holds_alternative<Holds>(verdict)) break;
  }
  return verdict;
}

}  // namespace assay
