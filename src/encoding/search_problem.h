// The problem that a search solves: a history, the rules of a level, and the edges already known.
//
// Several searches may share one problem at the same time (check/portfolio.h), so none of them changes it.
#pragma once

#include <functional>

#include "dependency/points.h"
#include "dependency/version_index.h"

namespace assay {

// Whether the search has been abandoned, because nobody waits for its answer. Once true, it stays true.
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
