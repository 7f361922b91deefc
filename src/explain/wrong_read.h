// Reads that are wrong by themselves (aborted, intermediate, thin-air, ...). To explain one takes only the
// writers of its value and what its own transaction did to the key.
#pragma once

#include "explain/explanation.h"
#include "explain/words.h"
#include "history/edit.h"

namespace assay {

// Selects what the reader did to the key, and the writes by the writers of what it read there. It takes all
// operations of a writer of unknown outcome, because such a writer may be ruled out by a wrong read of its
// own. One pass over the history for each such writer.
Selection around_wrong_read(const History& history, OpId read);

struct WrongReadStory {
  std::vector<std::string> sentences;
  std::vector<Dependency> edges;  // from the writers that it read from
};

WrongReadStory tell_wrong_read(const History& history, const Words& words, Anomaly anomaly, OpId read);

}  // namespace assay
