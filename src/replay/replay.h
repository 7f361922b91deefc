// Brings an anomaly about on a real PostgreSQL: the user's schema, the witness's rows, the user's programs,
// the order of their statements.
//
// "Confirmed" means that this application did it on this server: the transactions ran at their levels, and
// the same ones, run one after the other at serializable from the same rows, in every order, see or leave
// something else. What a transaction sees is what it returns, what its queries give, and what its variables
// hold in front of every statement. Every serial order runs again at another time and with
// other values of sequences: where that makes a difference, nothing can be said. It runs once more with the
// rows inserted the other way round, because without ORDER BY nobody promises their order: no such run may be
// like the one that was seen.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "replay/own_database.h"
#include "sql/read.h"

namespace assay::replay {

// What became of an anomaly on a real database.
struct Replayed {
  enum class Kind : std::uint8_t { Confirmed, NotReproduced, Impossible };
  Kind kind = Kind::NotReproduced;
  std::string why;                      // why not; of a confirmed one, what the database did
  std::string story{};                  // of a confirmed one: how each serial order differs
  std::vector<std::string> attempts{};  // that failed, and what stopped each
};

class Stage {
 public:
  // A URL, or start:postgres. `files` are those that the application was read from.
  static Result<Stage> open(const std::string& where, const std::vector<sql::SourceFile>& files);
  Stage(Stage&&) noexcept;
  ~Stage();

  const std::string& database() const;
  // An error when the database cannot be used at all.
  Result<Replayed> replay(const sql::Application& application, const analysis::FoundAnomaly& anomaly);

 private:
  struct Parts;
  explicit Stage(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

struct Replays {
  std::string database;  // its version
  std::vector<Replayed> anomalies;
};

// Asked before each replay, with the number of those that are done and of all; false ends with an error.
using GoOn = std::function<bool(std::size_t done, std::size_t all)>;

// Replays the anomalies one after the other on one stage.
Result<Replays> replay_all(const std::string& where, const std::vector<sql::SourceFile>& files,
                           const sql::Application& application,
                           const std::vector<analysis::FoundAnomaly>& anomalies, const GoOn& go_on);

}  // namespace assay::replay
