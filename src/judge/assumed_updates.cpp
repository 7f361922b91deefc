#include "judge/assumed_updates.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace assay {
namespace {

std::vector<std::string> sentences_about(const History& history, const Explanation& story,
                                         const std::vector<Truth>& assumed) {
  std::set<std::string> keys;
  for (const OpId op : story.part.operations()) keys.insert(story.part.display(story.part.key(op)));
  const auto listed = [&](TxnId t, bool took) {
    std::string list;
    for (const Truth& truth : assumed)
      if (truth.took == took && history.operations(t).first <= truth.op &&
          truth.op < history.operations(t).last && keys.contains(history.display(truth.key)))
        list += (list.empty() ? "" : ", ") + history.display(truth.key);
    return list;
  };
  std::vector<std::string> sentences;
  for (const TxnId t : story.origin) {
    const std::string took = listed(t, true), left = listed(t, false);
    if (took.empty() && left.empty()) continue;
    sentences.push_back(fmt::format("Which rows the update of {} changed is not known; here it {}{}{}{}{}.",
                                    history.display(t), took.empty() ? "" : "changed ", took,
                                    took.empty() || left.empty() ? "" : ", ",
                                    left.empty() ? "" : "left alone ", left));
  }
  if (!sentences.empty())
    sentences.push_back("Whatever it was, the level is violated: the certificate says why.");
  return sentences;
}

}  // namespace

void say_what_is_assumed(Explanation& story, const Findings& findings, const std::vector<Truth>& assumed) {
  story.supposed = sentences_about(findings.history(), story, assumed);
  if (story.supposed.empty()) return;
  std::erase_if(story.rules_out, [&](Level level) {
    return std::ranges::none_of(findings.levels, [&](const Finding& f) {
      return std::holds_alternative<Violated>(f.verdict) && implies(level, f.level);
    });
  });
  story.still_hold.clear();
}

}  // namespace assay
