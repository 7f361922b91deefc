// Brings an anomaly about on a real PostgreSQL: the rows, the calls, the order of their statements; then the
// checker judges what was seen.
//
// The programs run statement by statement, each transaction on a connection of its own, in the order of the
// anomaly's schedule; a statement that waits for a lock lets the schedule go on. Where a statement changes
// rows, a locking query of the same rows runs right before it, to know what it read. Everything happens in a
// schema of our own, which is dropped.
#pragma once

#include <memory>
#include <string>

#include "analysis/analyze.h"
#include "cli/analysis_view.h"
#include "collect/server.h"
#include "collect/sql_session.h"

namespace assay::cli {

class ReplayStage {
 public:
  // A URL, or start:postgres.
  static Result<ReplayStage> open(const std::string& where);

  std::string database() const { return admin_->version(); }
  // An error when the database cannot be used at all.
  Result<Replayed> replay(const sql::Application& application, const analysis::FoundAnomaly& anomaly);

 private:
  ReplayStage() = default;

  std::unique_ptr<Server> server_;
  Url url_;
  std::unique_ptr<SqlSession> admin_;
};

}  // namespace assay::cli
