#include "verdict/proof_builder.h"

#include <algorithm>

#include "base/contract.h"
#include "base/hash.h"

namespace assay {

using Kind = ProofLine::Kind;

std::size_t ProofBuilder::KeyHash::operator()(const Key& k) const {
  return mix(mix(std::uint64_t{k.a} << 32 | k.b, static_cast<std::uint64_t>(k.kind)), k.c);
}

LineId ProofBuilder::add(ProofLine line, Ends ends) {
  line.id = static_cast<LineId>(ends_.size());
  proof_.push_back(std::move(line));
  ends_.push_back(ends);
  return proof_.back().id;
}

LineId ProofBuilder::fact(ProofLine line, Ends ends) {
  const Key key{line.kind, line.a.value, line.b.value, line.op.value};
  if (const auto found = facts_.find(key); found != facts_.end()) return found->second;
  const LineId id = add(std::move(line), ends);
  if (!supposing()) facts_.emplace(key, id);
  return id;
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
  ++suppositions_;
  supposed_ = {commit(a), commit(b)};
  return add({.kind = Kind::Suppose, .a = a, .b = b}, supposed_);
}

LineId ProofBuilder::unit(LineId clause, TxnId a, TxnId b) {
  return add({.kind = Kind::Unit, .clause = clause}, {commit(a), commit(b)});
}

// A clause of one literal is an edge: the reverse of what was supposed.
LineId ProofBuilder::close(ProofLine line) {
  const Ends refuted = suppositions_ == 1 ? Ends{supposed_.to, supposed_.from} : Ends{};
  suppositions_ = 0;
  return add(std::move(line), refuted);
}

LineId ProofBuilder::refute(std::vector<LineId> cycle) {
  auto lines = joined(std::move(cycle), true);
  return close({.kind = Kind::Refute, .lines = std::move(lines)});
}

LineId ProofBuilder::stale(OpId op, TxnId a, LineId edge) {
  return close({.kind = Kind::Stale, .a = a, .op = op, .lines = {edge}});
}

LineId ProofBuilder::falsified(LineId clause) { return close({.kind = Kind::Falsified, .clause = clause}); }

LineId ProofBuilder::wrong_read(OpId op) { return close({.kind = Kind::WrongRead, .op = op}); }

Proof adapt(const Proof& proof, ProofBuilder b) {
  std::unordered_map<LineId, LineId> now;                          // of a line; 0: it vanishes
  std::unordered_map<LineId, std::vector<std::pair<TxnId, TxnId>>> clauses;  // their literals
  std::vector<std::pair<TxnId, TxnId>> supposed, established;
  const auto lines = [&](const ProofLine& line) {
    std::vector<LineId> result;
    for (const LineId old : line.lines)
      if (now.at(old) != 0) result.push_back(now.at(old));
    return result;
  };
  for (const ProofLine& line : proof) {
    LineId& id = now[line.id];
    switch (line.kind) {
      case Kind::Session: id = b.session(line.a, line.b); break;
      case Kind::Reads: id = b.reads(line.op); break;
      case Kind::Own: id = 0; break;
      case Kind::Path: id = b.path(lines(line)); break;
      case Kind::Missed: id = b.missed(line.op, line.a, lines(line).front()); break;
      case Kind::Overwritten:
        id = line.lines.empty() ? b.overwritten_initial(line.op, line.a) : b.overwritten(line.op, line.a, lines(line).front());
        break;
      case Kind::Exclusive: id = b.exclusive(line.op, line.b, lines(line).front()); break;
      case Kind::Observed: id = b.observed(line.op, line.a, line.b); break;
      case Kind::Suppose:
        id = b.suppose(line.a, line.b);
        supposed.push_back({line.a, line.b});
        established.push_back({line.a, line.b});
        break;
      case Kind::Unit: {
        TxnId from, to;
        for (const auto& [x, y] : clauses.at(line.clause))
          if (std::ranges::find(established, std::pair(y, x)) == established.end()) from = x, to = y;
        id = b.unit(now.at(line.clause), from, to);
        established.push_back({from, to});
        break;
      }
      case Kind::Refute: id = b.refute(lines(line)); break;
      case Kind::Stale: id = b.stale(line.op, line.a, lines(line).front()); break;
      case Kind::Falsified: id = b.falsified(now.at(line.clause)); break;
      case Kind::WrongRead: id = b.wrong_read(line.op); break;
    }
    if (line.kind >= Kind::Refute) {
      for (const auto& [x, y] : supposed) clauses[line.id].push_back({y, x});
      supposed.clear();
      established.clear();
    }
  }
  return b.take();
}

}  // namespace assay
