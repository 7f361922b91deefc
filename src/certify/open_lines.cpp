#include "certify/open_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"

namespace assay {
namespace {

void change(auto& counters, const auto& key, int by) {
  const auto counter = counters.try_emplace(key, 0).first;
  counter->second += static_cast<std::uint32_t>(by);
  if (counter->second == 0) counters.erase(counter);
}

}  // namespace

std::size_t OpenLines::Hash::operator()(const Literal& l) const {
  const auto pair = [](std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; };
  const std::uint64_t kind = static_cast<std::uint64_t>(l.kind) << 2 | l.p.commit << 1 | l.q.commit;
  return mix(mix(pair(l.p.txn.value, l.q.txn.value), pair(l.op.value, l.txn.value)), kind);
}

// Everything that a literal says, itself first. That a read is from W also says that both transactions took
// effect, and so did W's write of the key.
template <class Visit>
void OpenLines::each_said(const Literal& literal, Visit visit) const {
  visit(literal);
  if (literal.kind != Rule::From) return;
  visit(Literal::counts(reads_.transaction(literal.op)));
  if (literal.txn.is_none()) return;
  visit(Literal::counts(literal.txn));
  if (const OpId write = reads_.conditional_write_of(literal.op, literal.txn); !write.is_none())
    visit(Literal::took(write));
}

void OpenLines::push(OpenLine line) {
  if (line.literal) each_said(*line.literal, [&](const Literal& said) { change(known_, said, 1); });
  if (line.is_source()) change(sources_, line.literal->op.value, 1);
  open_.push_back(std::move(line));
}

void OpenLines::pop() {
  const OpenLine& line = open_.back();
  if (line.literal) each_said(*line.literal, [&](const Literal& said) { change(known_, said, -1); });
  if (line.is_source()) change(sources_, line.literal->op.value, -1);
  open_.pop_back();
}

void OpenLines::open(const ProofLine& line, const Literal& literal, bool causal) {
  OpenLine opened{.id = line.id, .kind = line.kind, .literal = literal, .causal = causal};
  if (literal.kind == Rule::Suppose) opened.edge = PointEdge{literal.p, literal.q};
  if (opened.is_source() && !literal.txn.is_none()) {
    opened.edge = PointEdge{{literal.txn, true}, {reads_.transaction(literal.op), !snapshots_}};
    opened.causal = true;
  }
  push(std::move(opened));
}

void OpenLines::open_clause(const ProofLine& line, std::vector<Literal> clause) {
  if (clause.size() == 1) open(line, clause.front());
  else push({.id = line.id, .kind = line.kind});
  open_.back().clause = std::move(clause);
}

Result<const OpenLine*> OpenLines::find(LineId id) const {
  const auto found = std::ranges::lower_bound(open_, id, {}, &OpenLine::id);
  if (found == open_.end() || found->id != id)
    return error(fmt::format("there is no open line {} before it", id));
  return &*found;
}

Result<PointEdge> OpenLines::edge(LineId id) const {
  const auto found = find(id);
  if (!found) return found.error();
  if (!(*found)->edge) return error(fmt::format("line {} is no edge", id));
  return *(*found)->edge;
}

// A read is from one transaction only, so another writer of it refutes the literal.
bool OpenLines::is_refuted(const Literal& literal) const {
  if (is_established(literal.contrary())) return true;
  if (literal.kind == Rule::Absent) return reads_.counts(literal.txn);
  if (literal.kind != Rule::From) return false;
  const auto all = sources_.find(literal.op.value);
  const auto same = known_.find(literal);
  return all != sources_.end() && (same == known_.end() || same->second < all->second);
}

Result<std::vector<Literal>> OpenLines::unrefuted(LineId clause) const {
  const auto found = find(clause);
  if (!found) return found.error();
  if ((*found)->clause.empty()) return error(fmt::format("line {} is no clause", clause));
  std::vector<Literal> left;
  for (const Literal& literal : (*found)->clause)
    if (!is_refuted(literal)) left.push_back(literal);
  return left;
}

void OpenLines::suppose(const ProofLine& line, const Literal& literal) {
  if (supposed_.empty()) scope_ = open_.size();
  supposed_.push_back(literal);
  open(line, literal);
}

bool OpenLines::close(const ProofLine& line) {
  if (supposed_.empty()) return false;
  while (open_.size() > scope_) pop();
  std::vector<Literal> contraries;
  for (const Literal& supposed : supposed_) contraries.push_back(supposed.contrary());
  supposed_.clear();
  open_clause(line, std::move(contraries));
  return true;
}

}  // namespace assay
