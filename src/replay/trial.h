// Tries advice on a real PostgreSQL: the files are changed as the advice says, and the anomalies that were
// confirmed without it are replayed.
//
// Advice is about the model of the programs, a server wants text. Where to change the text is found by
// trying: a change is the right one when the changed files are read as the program that the advice means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/advice.h"
#include "replay/replay.h"

namespace assay::replay {

struct Trial {
  enum class Kind : std::uint8_t {
    Prevents,  // none of the anomalies came about
    Fails,     // one of them did
    NotTried,
  };
  Kind kind = Kind::NotTried;
  std::string why{};  // not tried
};

struct Trials {  // one for each piece of advice, in its order
  std::size_t anomalies = 0;
  std::vector<Trial> raise, hold, unique;
  std::optional<Trial> exclusion;
};

// `confirmed`: the anomalies that the server brought about without the advice.
Result<Trials> try_advice(const std::string& where, const std::vector<sql::SourceFile>& files,
                          const sql::Application& application,
                          const std::vector<analysis::FoundAnomaly>& confirmed,
                          const analysis::Advice& advice, const GoOn& go_on);

// The files with the locks of the advice in the queries; none where no change of the text means that.
std::optional<std::vector<sql::SourceFile>> with_locks(std::vector<sql::SourceFile> files,
                                                       const sql::Application& application,
                                                       const std::vector<analysis::Promotion>& promotions);
// The files in which these programs begin with the lock of the advice; likewise.
std::optional<std::vector<sql::SourceFile>> with_exclusion(std::vector<sql::SourceFile> files,
                                                           const sql::Application& application,
                                                           const std::vector<std::size_t>& programs);

}  // namespace assay::replay
