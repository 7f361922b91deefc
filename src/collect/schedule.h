// A schedule: a few transactions whose steps are sent to the database in a given order.
//
//     G1a | W1[x] R2[x] A1 R2[x] C2
//
// R and W read and write a key, C commits, A aborts; the number says in which transaction. Published
// anomaly sequences are written so; what they expect (x0 in R1[x0]) is left to the database, and every
// write has a value of its own. A column `init x,y` may stand between name and steps.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

struct ScheduleStep {
  enum class Kind : std::uint8_t { Read, Write, Commit, Abort };
  Kind kind;
  std::size_t client;   // from 0
  std::size_t key = 0;  // in Schedule::keys
};

struct Schedule {
  std::string name;
  std::vector<std::string> keys;
  std::size_t clients = 0;
  std::vector<ScheduleStep> steps;
};

Result<Schedule> parse_schedule(std::string_view line);

// A file of schedules, one a line, # comments. Those with predicates, inserts or deletes are named in
// `skipped`.
struct ScheduleFile {
  std::vector<Schedule> schedules;
  std::vector<std::string> skipped;
};
Result<ScheduleFile> read_schedules(const std::string& path);

// The schedules of the Hermitage suite that read and write single keys.
std::vector<Schedule> hermitage();

}  // namespace assay
