// The corpus: one small history per file under tests/corpus, with the expected verdict of every level in its
// comments, so that a file is a test by itself and can be read like an example. The examples are cases too.
//
//     # Lost update: both read the initial x, both overwrite it.
//     # holds: pc
//     # violated: psi adya-si
//     # anomaly: lost-update
//     S1: r(x,0) w(x,1)
//     S2: r(x,0) w(x,2)
//
// A file opens with a sentence that says what is to be seen. `holds` names the strongest levels that hold and
// `violated` the weakest that do not; what these imply decides other levels. A list of none is left out.
// A file is refused when it names more than that, contradicts itself, or leaves a level open that every file
// decides and that can be judged. Other levels are named where a file is about them; where nothing is said of
// them, the oracle decides. The levels that need instants are judged if the history has them. `anomaly` is
// there where docs/levels.md leaves one name only, with -session or -realtime if the circle needs such an
// edge. A comment that begins with any other small word and a colon is taken for a misspelling.
//
// Nothing here knows a judge: the oracle and the engine are held to the same cases.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "history/history.h"
#include "isolation/anomaly.h"
#include "isolation/level.h"

namespace assay::test {

// An anomaly and the kind of edge without which its circle would not close.
struct ExpectedAnomaly {
  Anomaly anomaly;
  std::string suffix;  // "", "-session" or "-realtime"

  std::string text() const { return std::string(name(anomaly)) + suffix; }
};

struct CorpusCase {
  std::string path;  // below the repository
  History history;
  std::map<Level, bool> holds;  // of the levels that the file decides
  std::optional<ExpectedAnomaly> anomaly;
};

// The levels that can be judged for a history: those that need instants only where every committed
// transaction has them.
std::vector<Level> judged_levels(const History& history);

// The case that `text` describes; an error names the path and what is wrong with the expectation.
Result<CorpusCase> parse_case(std::string path, std::string_view text);

// The paths of all cases, sorted.
std::vector<std::string> corpus_paths();
Result<CorpusCase> read_case(const std::string& path);

}  // namespace assay::test
