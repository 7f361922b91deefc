#include "verdict/open_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

std::uint64_t pair(TxnId a, TxnId b) { return std::uint64_t{a.value} << 32 | b.value; }

// Whether the line says cA < cB, and so the opposite of a literal.
bool orders_commits(const OpenLine& line) {
  return line.edge && line.edge->from.commit && line.edge->to.commit;
}

}  // namespace

void OpenLines::open(OpenLine line) {
  if (orders_commits(line)) ++known_[pair(line.edge->from.txn, line.edge->to.txn)];
  open_.push_back(std::move(line));
}

Result<const OpenLine*> OpenLines::find(LineId id) const {
  const auto found = std::ranges::lower_bound(open_, id, {}, &OpenLine::id);
  if (found == open_.end() || found->id != id)
    return error(fmt::format("there is no open line {} before it", id));
  return &*found;
}

Result<Edge> OpenLines::edge(LineId id) const {
  const auto found = find(id);
  if (!found) return found.error();
  if (!(*found)->edge) return error(fmt::format("line {} is no edge", id));
  return *(*found)->edge;
}

Result<std::vector<Literal>> OpenLines::unrefuted(LineId clause) const {
  const auto found = find(clause);
  if (!found) return found.error();
  if ((*found)->clause.empty()) return error(fmt::format("line {} is no clause", clause));
  std::vector<Literal> left;
  for (const Literal literal : (*found)->clause)
    if (!known_.contains(pair(literal.b, literal.a))) left.push_back(literal);
  return left;
}

void OpenLines::suppose(Literal literal) {
  if (supposed_.empty()) scope_ = open_.size();
  supposed_.push_back(literal);
}

bool OpenLines::close(const ProofLine& line) {
  if (supposed_.empty()) return false;
  for (; open_.size() > scope_; open_.pop_back()) {
    if (!orders_commits(open_.back())) continue;
    const auto known = known_.find(pair(open_.back().edge->from.txn, open_.back().edge->to.txn));
    if (--known->second == 0) known_.erase(known);
  }
  OpenLine clause{.id = line.id, .kind = line.kind};
  for (const Literal supposed : supposed_) clause.clause.push_back({supposed.b, supposed.a});
  if (supposed_.size() == 1) clause.edge = Edge{Point{supposed_[0].b, true}, Point{supposed_[0].a, true}};
  supposed_.clear();
  open(std::move(clause));
  return true;
}

}  // namespace assay
