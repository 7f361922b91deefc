// Which levels each configuration of each database kept, and what it broke the others with: a table, and
// the smallest part of a run for every level that fell.
//
// The matrix is one value with three printers, like Findings; configuration.h and collect_matrix.h fill it. A
// level that was kept is one that no run broke; more runs might.
//
// Keys and rows are judged apart. In the model a key is one object for ever. To a server, a key that is
// deleted and inserted again is another row, and what it promises about rows says nothing about that key. So
// a violation in a run that deletes and inserts rows is *unsettled*: it is shown, but breaks no claim.
#pragma once

#include "report/html.h"
#include "report/json.h"

namespace assay {

// The run that a witness was cut from.
struct WitnessRun {
  std::string workload{};  // as spelled() says it
  std::uint64_t seed = 0;
};

// A violation, with all that a printer may want of it; the history that it was cut from can be forgotten.
struct Witness {
  std::string anomaly;
  std::size_t transactions;
  std::string text;      // the explanation
  std::string coloured;  // the same for a terminal
  Json story;            // the same as data; docs/report.md names the members
  std::optional<std::string> svg;
  WitnessRun run{};
  bool unsettled = false;  // from a run that deletes and inserts rows
};

enum class MatrixData : std::uint8_t { Keys, Rows };

// What became of one level in all runs of a configuration.
struct LevelRecord {
  Level level;
  bool held = false;                     // in at least one run
  std::optional<std::size_t> broken_by;  // place in MatrixRow::witnesses
};

struct MatrixRow {
  std::string database;   // "PostgreSQL 15.9"
  std::string isolation;  // as the database calls it
  std::string address{};  // options of `assay run` that name the database
  std::optional<Level> claims;
  MatrixData data = MatrixData::Keys;
  std::uint64_t transactions = 0;
  std::size_t runs = 0;
  double seconds = 0;
  std::string ended_by{};             // a problem with the database, before its time; empty: nothing
  std::vector<LevelRecord> levels{};  // all, in the order of the table of levels
  std::vector<Witness> witnesses{};

  // The levels that this is the smallest witness against, as "si, ser".
  std::string broken_with(std::size_t witness) const;
  // Takes the violated levels of a run into account: a witness replaces a larger one, and any unsettled one.
  void add(const Findings& findings, bool unsettled, const WitnessRun& run = {});
  bool is_unsettled(const LevelRecord& record) const {
    return record.broken_by && witnesses[*record.broken_by].unsettled;
  }
  bool is_broken(const LevelRecord& record) const { return record.broken_by && !is_unsettled(record); }
  bool broke_its_claim() const;
  // That runs the workload of a witness again, from its seed on until the weakest of its levels breaks.
  std::string command(std::size_t witness) const;
};

struct Matrix {
  std::vector<MatrixRow> rows;
  std::vector<std::string> missing;  // databases that could not be tried, and what to do
};

std::string_view name_of(MatrixData data);
// What a violation in a run that deletes and inserts rows means, for whoever reads of one.
std::string_view why_unsettled();

std::string as_text(const Matrix& matrix, bool witnesses, bool colours);
std::string as_json(const Matrix& matrix);  // one line without its end
std::string as_html(const Matrix& matrix, const Tool& tool);

}  // namespace assay
