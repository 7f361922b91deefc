// The problem of a search: a history, a level, and what is already known about the two.
//
// Several searches of one problem run at the same time (check/portfolio.h). They share it, and none of them
// changes it.
#pragma once

#include <functional>

#include "dependency/points.h"
#include "dependency/version_index.h"

namespace assay {

// Whether nobody waits for the search any more. Once it is so it stays so.
using Abandoned = std::function<bool()>;

struct SearchProblem {
  SearchProblem(const History& history, const ReadFacts& facts, const VersionIndex& versions,
                const PointRules& rules, const KnownGraph& known)
      : history(history),
        facts(facts),
        versions(versions),
        rules(rules),
        known(known),
        points(history.transaction_count(), rules.two_points) {}

  const History& history;
  const ReadFacts& facts;
  const VersionIndex& versions;
  const PointRules& rules;
  const KnownGraph& known;
  Points points;
};

}  // namespace assay
