// A hunt for a violation: short runs with fresh seeds on ever fewer keys, until a level breaks or the time is
// up.
//
// Fewer keys mean more conflicts between transactions, but also transactions that wait for each other, so the
// hunt begins with the workload as it is. Judging one run may take only a part of the time: another run is a
// better use of it than a history that is hard to decide.
#pragma once

#include <memory>

#include "hunt/record.h"
#include "report/findings.h"

namespace assay {

struct HuntOptions {
  double seconds = 60;                      // of all runs and judgements
  std::optional<double> judging_seconds{};  // at most so many for a level of one run, where that is less
  // Asked after each run was judged; true ends the hunt.
  std::function<bool()> stop = [] { return false; };
};

// Judges the history of the run that was just recorded, and gives each level so many seconds.
using JudgeRun = std::function<Result<Findings>(const RecordedRun&, double seconds)>;

struct Hunted {
  Tally tally{};  // of all runs
  std::size_t runs = 0;
  std::size_t undecided = 0;       // runs with a level that was not decided in time
  double judging_seconds = 0;      // that each level of a run had
  std::uint64_t seed = 0;          // of the last run
  Findings findings{};             // of the last run: a violation, if there was one
  std::optional<Error> problem{};  // that ended the last run, and with it the hunt, before its time
};

Result<Hunted> hunt_violation(Database& database, RunPlan plan, const HuntOptions& options,
                              const JudgeRun& judge, const std::function<bool(const Tally&)>& go_on);

// The keys of the runs that follow: half as many, as long as a transaction finds enough of them.
std::size_t fewer_keys(const GeneratorOptions& workload);

}  // namespace assay
