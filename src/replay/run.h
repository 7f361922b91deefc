// A run of the calls of a witness: all at once, in the order of a schedule, or one after the other.
#pragma once

#include <string>
#include <vector>

#include "replay/transaction.h"

namespace assay::replay {

std::optional<std::string_view> postgres_level(analysis::StoreLevel level);

class Run {
 public:
  Run(const OwnDatabase& own, State& state, const sql::Application& application, const sql::Written& written,
      const Gates& gates, const std::vector<PreparedCall>& calls)
      : own_(own),
        state_(state),
        application_(application),
        written_(written),
        gates_(gates),
        calls_(calls) {}

  // From the rows that are there now. Each call has the level that the anomaly gives it.
  Result<Outcome> concurrently(const analysis::FoundAnomaly& anomaly,
                               const std::vector<analysis::Step>& schedule);
  // At serializable; stops at the first call that fails.
  Result<Outcome> serially(const std::vector<std::size_t>& order);

 private:
  struct Link {  // of one call
    std::unique_ptr<SqlSession> session, keeper;
    std::string process;  // of the server
  };
  Result<Link> link(const std::string& lane) const;
  std::optional<sql::Place> turn(const analysis::FoundAnomaly& anomaly, const analysis::Step& step) const;

  const OwnDatabase& own_;
  State& state_;
  const sql::Application& application_;
  const sql::Written& written_;
  const Gates& gates_;
  const std::vector<PreparedCall>& calls_;
};

}  // namespace assay::replay
