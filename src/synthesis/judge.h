// Whether a recorded history satisfies a specification.
#pragma once

#include "history/history.h"
#include "synthesis/narrate.h"

namespace assay::synthesis {

struct Judgement {
  enum class Kind { Holds, Violated, Undecided } kind;
  std::vector<std::string> lines;  // the witnesses, why there are none, or what stopped the search
};

// An error for histories that specifications cannot speak of, or that are too large to be judged by search.
// Without `explain` a violated level comes without lines.
Result<Judgement> judge(const spec::Specification& spec, const History& history, const Stop& stop,
                        bool explain = true);

}  // namespace assay::synthesis
