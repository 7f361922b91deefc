#include "verdict/proof_builder.h"

#include <algorithm>
#include <utility>

#include "base/contract.h"
#include "base/hash.h"

namespace assay {

using Kind = ProofLine::Kind;

std::size_t ProofBuilder::KeyHash::operator()(const Key& k) const {
  return mix(mix(std::uint64_t{k.a} << 32 | k.b, static_cast<std::uint64_t>(k.kind)), k.c);
}

bool ProofBuilder::is_between_commits(const Ends& ends) {
  return !ends.from.txn.is_none() && ends.from.commit && ends.to.commit;
}

LineId ProofBuilder::add(ProofLine line, Ends ends, std::vector<LineId> needs) {
  line.id = static_cast<LineId>(ends_.size());
  needs.insert(needs.end(), line.lines.begin(), line.lines.end());
  if (line.clause != 0) needs.push_back(line.clause);
  proof_.push_back(std::move(line));
  ends_.push_back(ends);
  needs_.push_back(std::move(needs));
  if (is_between_commits(ends)) known_[{ends.from.txn, ends.to.txn}].push_back(proof_.back().id);
  return proof_.back().id;
}

template <class State>
LineId ProofBuilder::known(const Key& key, State state) {
  if (const auto found = facts_.find(key); found != facts_.end()) return found->second;
  const LineId id = state();
  if (!supposing()) facts_.emplace(key, id);
  return id;
}

LineId ProofBuilder::fact(ProofLine line, Ends ends) {
  return known({line.kind, line.a.value, line.b.value, line.op.value}, [&] { return add(std::move(line), ends); });
}

LineId ProofBuilder::session(TxnId a, TxnId b) {
  return fact({.kind = Kind::Session, .a = a, .b = b}, {commit(a), snapshot(b)});
}

LineId ProofBuilder::reads(OpId op) {
  return fact({.kind = Kind::Reads, .op = op}, {commit(writer_of_(op)), snapshot(reader_of_(op))});
}

LineId ProofBuilder::observed(OpId op, TxnId a, TxnId b) {
  return fact({.kind = Kind::Observed, .a = a, .b = b, .op = op}, {commit(a), commit(b)});
}

LineId ProofBuilder::overwritten_initial(OpId op, TxnId a) {
  return fact({.kind = Kind::Overwritten, .a = a, .op = op}, {snapshot(reader_of_(op)), commit(a)});
}

LineId ProofBuilder::overwritten_fact(OpId op, TxnId a, OpId shown_by) {
  const TxnId writer = writer_of_(op);
  if (writer.is_none()) return overwritten_initial(op, a);
  return known({Kind::Overwritten, a.value, 0, op.value}, [&] { return overwritten(op, a, observed(shown_by, writer, a)); });
}

LineId ProofBuilder::exclusive_fact(OpId write, TxnId a, TxnId b, OpId shown_by) {
  return known({Kind::Exclusive, a.value, b.value, 0}, [&] { return exclusive(write, b, observed(shown_by, a, b)); });
}

LineId ProofBuilder::own(TxnId t) { return fact({.kind = Kind::Own, .a = t}, {snapshot(t), commit(t)}); }

// Lines of one point need no joining: s(T) and c(T) are the same there.
std::vector<LineId> ProofBuilder::joined(std::vector<LineId> lines, bool round) {
  std::vector<LineId> result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    result.push_back(lines[i]);
    if (i + 1 == lines.size() && !round) break;
    const Point here = ends_[lines[i]].to, next = ends_[lines[(i + 1) % lines.size()]].from;
    ASSAY_ASSERT(here.txn == next.txn && (here == next || !here.commit));
    if (here != next) result.push_back(own(here.txn));
  }
  return result;
}

LineId ProofBuilder::path(std::vector<LineId> lines) {
  if (lines.size() == 1) return lines.front();
  const Ends ends{ends_[lines.front()].from, ends_[lines.back()].to};
  return add({.kind = Kind::Path, .lines = joined(std::move(lines), false)}, ends);
}

LineId ProofBuilder::missed(OpId op, TxnId a, LineId edge) {
  return add({.kind = Kind::Missed, .a = a, .op = op, .lines = {edge}}, {commit(a), commit(writer_of_(op))});
}

// An edge that ends in s(a) ends in c(a) with one more step.
LineId ProofBuilder::up_to_commit(LineId edge) {
  const Ends ends = ends_[edge];
  if (ends.to.commit) return edge;
  return add({.kind = Kind::Path, .lines = {edge, own(ends.to.txn)}}, {ends.from, commit(ends.to.txn)});
}

LineId ProofBuilder::overwritten(OpId op, TxnId a, LineId edge) {
  edge = up_to_commit(edge);
  return add({.kind = Kind::Overwritten, .a = a, .op = op, .lines = {edge}}, {snapshot(reader_of_(op)), commit(a)});
}

LineId ProofBuilder::exclusive(OpId write, TxnId b, LineId edge) {
  if (!two_points_) return edge;
  edge = up_to_commit(edge);
  const TxnId a = ends_[edge].from.txn;
  const bool from_commit = ends_[edge].from.commit;
  const LineId overlap =
      from_commit ? add({.kind = Kind::Path, .lines = {own(a), edge}}, {snapshot(a), commit(b)}) : edge;
  return add({.kind = Kind::Exclusive, .a = a, .b = b, .op = write, .lines = {overlap}}, {commit(a), snapshot(b)});
}

LineId ProofBuilder::suppose(TxnId a, TxnId b) {
  if (!supposing()) scope_ = static_cast<LineId>(ends_.size());
  supposed_.push_back({a, b});
  return add({.kind = Kind::Suppose, .a = a, .b = b}, {commit(a), commit(b)});
}

std::optional<LineId> ProofBuilder::use(LineId clause) {
  std::vector<Literal> left;
  std::vector<LineId> refuting;
  for (const auto& [a, b] : clauses_.at(clause)) {
    const auto refuted = known_.find({b, a});
    if (refuted == known_.end()) left.push_back({a, b});
    else refuting.push_back(refuted->second.front());
  }
  if (left.empty()) return close({.kind = Kind::Falsified, .clause = clause}, std::move(refuting));
  ASSAY_ASSERT(left.size() == 1);
  const auto [a, b] = left.front();
  if (!known_.contains({a, b})) add({.kind = Kind::Unit, .clause = clause}, {commit(a), commit(b)}, std::move(refuting));
  return std::nullopt;
}

// What was supposed becomes a clause of its opposites, and one of a single literal an edge.
LineId ProofBuilder::close(ProofLine line, std::vector<LineId> needs) {
  const std::vector<Literal> supposed = std::exchange(supposed_, {});
  if (!supposed.empty()) {
    for (LineId id = scope_; id < ends_.size(); ++id) {
      if (proof_[id - 1].kind == Kind::Suppose) needs.push_back(id);
      if (!is_between_commits(ends_[id])) continue;
      const auto known = known_.find({ends_[id].from.txn, ends_[id].to.txn});
      std::erase(known->second, id);
      if (known->second.empty()) known_.erase(known);
    }
  }
  const Ends opposite = supposed.size() == 1 ? Ends{commit(supposed[0].second), commit(supposed[0].first)} : Ends{};
  const LineId id = add(std::move(line), opposite, std::move(needs));
  for (const auto& [a, b] : supposed) clauses_[id].push_back({b, a});
  return id;
}

Proof ProofBuilder::take() {
  std::vector<LineId> number(ends_.size(), 0);
  if (!proof_.empty()) number[proof_.back().id] = 1;
  for (LineId id = static_cast<LineId>(ends_.size()); id-- > 1;)
    if (number[id] != 0)
      for (const LineId needed : needs_[id]) number[needed] = 1;
  Proof kept;
  for (ProofLine& line : proof_) {
    if (number[line.id] == 0) continue;
    number[line.id] = static_cast<LineId>(kept.size() + 1);
    line.id = number[line.id];
    for (LineId& id : line.lines) id = number[id];
    if (line.clause != 0) line.clause = number[line.clause];
    kept.push_back(std::move(line));
  }
  return kept;
}

LineId ProofBuilder::refute(std::vector<LineId> cycle) {
  auto lines = joined(std::move(cycle), true);
  return close({.kind = Kind::Refute, .lines = std::move(lines)});
}

LineId ProofBuilder::stale(OpId op, TxnId a, LineId edge) {
  return close({.kind = Kind::Stale, .a = a, .op = op, .lines = {edge}});
}

LineId ProofBuilder::wrong_read(OpId op) { return close({.kind = Kind::WrongRead, .op = op}); }

Proof adapt(const Proof& proof, ProofBuilder b) {
  std::unordered_map<LineId, LineId> now;  // of a line; 0: it vanishes
  bool supposing = false;
  std::optional<LineId> closed_early;  // another number of points may refute more
  const auto lines = [&](const ProofLine& line) {
    std::vector<LineId> result;
    for (const LineId old : line.lines)
      if (now.at(old) != 0) result.push_back(now.at(old));
    return result;
  };
  const auto again = [&](const ProofLine& line) -> LineId {
    switch (line.kind) {
      case Kind::Session: return b.session(line.a, line.b);
      case Kind::Reads: return b.reads(line.op);
      case Kind::Own: return 0;
      case Kind::Path: return b.path(lines(line));
      case Kind::Missed: return b.missed(line.op, line.a, lines(line).front());
      case Kind::Overwritten:
        return line.lines.empty() ? b.overwritten_initial(line.op, line.a)
                                  : b.overwritten(line.op, line.a, lines(line).front());
      case Kind::Exclusive: return b.exclusive(line.op, line.b, lines(line).front());
      case Kind::Observed: return b.observed(line.op, line.a, line.b);
      case Kind::Suppose: return b.suppose(line.a, line.b);
      case Kind::Unit:
        closed_early = b.use(now.at(line.clause));
        return 0;
      case Kind::Refute: return b.refute(lines(line));
      case Kind::Stale: return b.stale(line.op, line.a, lines(line).front());
      case Kind::Falsified: return *b.use(now.at(line.clause));
      case Kind::WrongRead: return b.wrong_read(line.op);
    }
    return 0;
  };
  for (const ProofLine& line : proof) {
    const bool closing = line.kind >= Kind::Refute;
    if (closed_early && !closing) continue;
    now[line.id] = closed_early ? *std::exchange(closed_early, std::nullopt) : again(line);
    supposing = !closing && (supposing || line.kind == Kind::Suppose);
    if (!supposing && closed_early) break;  // a contradiction without suppositions
  }
  return b.take();
}

}  // namespace assay
