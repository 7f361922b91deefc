// A schedule: a few transactions whose steps are sent to the database in a given order.
//
//     G1a | W1[x] R2[x] A1 R2[x] C2
//
// R and W read and write a key, I and D insert and delete a row, PR{v=0} selects the rows that match, PW{v=0}
// updates them, C commits, A aborts; the number says in which transaction. Published anomaly sequences are
// written so; what they expect (x0 in R1[x0]) is left to the database, and every write has a value of its
// own. A column `init x,y` may stand between name and steps: the rows that are there at first.
//
// Where a schedule inserts, deletes or has predicates, its keys are rows of a table. Their numbers are k: x
// is 0, y 1, z 2, k3 3. A row has two columns. v is 0 when the row is inserted or there from the start, and a
// number of its own when it is written; w is another number each time. PW{v...} changes w, and PW{w...}
// changes v.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "simulate/rows.h"

namespace assay {

// Which rows a predicate read or write is about.
struct ScheduleRange {
  enum class Column : std::uint8_t { K, V, W };
  Column column = Column::K;
  std::int64_t low = 0, high = kRowDomain;  // both inclusive
};

struct ScheduleStep {
  enum class Kind : std::uint8_t { Read, Write, Insert, Delete, Select, Update, Commit, Abort };
  Kind kind;
  std::size_t client;     // from 0
  std::size_t key = 0;    // in Schedule::keys
  ScheduleRange range{};  // of Select and Update
};

struct Schedule {
  std::string name;
  std::vector<std::string> keys;
  std::vector<std::string> initial;  // those that are there at first; of rows only
  std::size_t clients = 0;
  bool rows = false;
  std::vector<ScheduleStep> steps;

  std::int64_t number(std::size_t key) const;  // of a row
};

Result<Schedule> parse_schedule(std::string_view line);

// A file of schedules, one a line, # comments. Those with SQL in them (?1<INSERT ...>) are named in
// `skipped`.
struct ScheduleFile {
  std::vector<Schedule> schedules;
  std::vector<std::string> skipped;
};
Result<ScheduleFile> read_schedules(const std::string& path);

// The schedules of the Hermitage suite, in this notation: where they say value % 3 = 0, these say v = 0.
std::vector<Schedule> hermitage();

}  // namespace assay
