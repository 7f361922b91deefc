// Reads that are wrong by themselves (aborted, intermediate, thin-air, ...): they explain themselves, given
// whose write they returned and what their own transaction did to the key.
#pragma once

#include "explain/explanation.h"
#include "explain/words.h"
#include "history/edit.h"

namespace assay {

// The reader and the key's writers whose values it returned, with what they did to the key. Of a writer of
// unknown outcome everything: it may be no writer because of a wrong read of its own. One pass over the
// history for each such writer met on the way.
Selection around_wrong_read(const History& history, OpId read);

struct WrongReadStory {
  std::vector<std::string> sentences;
  std::vector<Dependency> edges;  // from those it read from
};

WrongReadStory tell_wrong_read(const History& history, const Words& words, Anomaly anomaly, OpId read);

}  // namespace assay
