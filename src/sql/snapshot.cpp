#include "sql/snapshot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace assay::sql {

bool Snapshot::is_surely_after(const Snapshot& statement) const {
  const auto [mine, other] = std::ranges::mismatch(path_, statement.path_);
  if (mine == path_.end() || other == statement.path_.end()) return false;  // one is inside the other
  const bool positions = (mine - path_.begin()) % 2 == 0;
  return positions && *mine > *other;
}

bool Snapshot::is_of_later_statement(const Snapshot& statement) const {
  const std::size_t place = own_place();
  return place == statement.own_place() && path_[place] > statement.path_[place];
}

bool Snapshot::is_inside(const Snapshot& statement) const {
  return path_.size() > statement.path_.size() &&
         std::equal(statement.path_.begin(), statement.path_.end(), path_.begin());
}

std::string Snapshot::name() const { return fmt::format("{}", fmt::join(path_, ".")); }

Snapshot Snapshot::of_call(std::uint32_t call) const {
  std::vector<std::uint32_t> path = path_;
  path.insert(path.end(), {call, 0});
  return Snapshot(std::move(path));
}

}  // namespace assay::sql
