#include "verdict/proof_builder.h"

#include <algorithm>
#include <utility>

#include "base/contract.h"
#include "base/hash.h"

namespace assay {

using Kind = Rule;

namespace {

// The lines that a rule about a read refers to: an edge, and the writer of the read.
std::vector<LineId> edge_and_source(LineId edge, LineId from) {
  std::vector<LineId> lines;
  if (edge != 0) lines.push_back(edge);
  if (from != 0) lines.push_back(from);
  return lines;
}

}  // namespace

std::size_t ProofBuilder::KeyHash::operator()(const Key& k) const {
  return mix(mix(std::uint64_t{k.a} << 32 | k.b, static_cast<std::uint64_t>(k.kind)), k.c);
}

// The edge that a literal says, if any.
ProofBuilder::Ends ProofBuilder::ends(const Literal& literal) const {
  if (literal.kind == Rule::Suppose) return {literal.p, literal.q};
  if (literal.kind == Rule::From && !literal.txn.is_none())
    return {commit(literal.txn), snapshot(reader_of_(literal.op))};
  return {};
}

std::vector<Literal> ProofBuilder::said(const Literal& literal) const {
  std::vector<Literal> all{literal};
  if (literal.kind != Rule::From) return all;
  for (const TxnId t : {literal.txn, reader_of_(literal.op)})
    if (!t.is_none() && !counts_(t)) all.push_back(Literal::counts(t));
  if (const OpId write = literal.txn.is_none() ? OpId::none() : conditional_write_(literal.txn, literal.op);
      !write.is_none())
    all.push_back(Literal::took(write));
  return all;
}

bool ProofBuilder::says_whom_it_is_from(LineId line, OpId op) const {
  return literal_[line] && literal_[line]->kind == Rule::From && literal_[line]->op == op;
}

TxnId ProofBuilder::writer(OpId op, LineId from) const {
  ASSAY_ASSERT(from == 0 || says_whom_it_is_from(from, op));
  return from == 0 ? writer_of_(op) : literal_[from]->txn;
}

std::optional<LineId> ProofBuilder::established(Literal literal) const {
  const auto found = known_.find(literal);
  return found == known_.end() ? std::nullopt : std::optional(found->second.front());
}

// The line that refutes the literal, if any; 0 if none is needed. A read is from one transaction only.
std::optional<LineId> ProofBuilder::refuting(const Literal& literal) const {
  if (literal.kind == Rule::Absent && counts_(literal.txn)) return 0;
  if (const auto contrary = established(literal.contrary())) return contrary;
  if (literal.kind != Rule::From) return std::nullopt;
  if (const auto lines = from_.find(literal.op); lines != from_.end())
    for (const LineId id : lines->second)
      if (literal_[id]->txn != literal.txn) return id;
  return std::nullopt;
}

// Collects the lines which establish that the transactions of a line count, and that they wrote its key.
void ProofBuilder::add_grounds(const ProofLine& line, std::vector<LineId>& needs) const {
  if (is_supposition(line.kind)) return;
  if (line.kind == Kind::Candidates || line.kind == Kind::Implies || line.kind == Kind::Shows ||
      line.kind == Kind::WrongRead)
    return;
  if (line.kind == Kind::Matched || line.kind == Kind::Unmatched || line.kind == Kind::TooMany ||
      line.kind == Kind::TooFew)
    return;
  const bool names_first =
      line.kind == Kind::Observed || line.kind == Kind::Session || line.kind == Kind::Realtime;
  const TxnId a = names_first ? line.a : TxnId::none();
  const TxnId owner = line.op.is_none() || line.kind == Kind::Exclusive ? TxnId::none() : reader_of_(line.op);
  for (const TxnId t : {a, owner}) {
    if (t.is_none() || counts_(t)) continue;
    const auto ground = established(Literal::counts(t));
    ASSAY_ASSERT(ground.has_value());
    needs.push_back(*ground);
  }
  if (line.kind != Kind::Missed && line.kind != Kind::Overwritten && line.kind != Kind::Stale &&
      line.kind != Kind::Exclusive)
    return;
  for (const TxnId t : {line.a, line.b}) {
    const OpId write = t.is_none() ? OpId::none() : conditional_write_(t, line.op);
    if (write.is_none()) continue;
    const auto ground = established(Literal::took(write));
    ASSAY_ASSERT(ground.has_value());
    needs.push_back(*ground);
  }
}

LineId ProofBuilder::add(ProofLine line, std::optional<Literal> literal, std::vector<LineId> needs) {
  line.id = static_cast<LineId>(ends_.size());
  if (!closes_scope(line.kind)) add_grounds(line, needs);
  needs.insert(needs.end(), line.lines.begin(), line.lines.end());
  if (line.clause != 0) needs.push_back(line.clause);
  proof_.push_back(std::move(line));
  const LineId id = proof_.back().id;
  ends_.push_back(literal ? ends(*literal) : Ends{});
  literal_.push_back(literal);
  needs_.push_back(std::move(needs));
  if (!literal) return id;
  for (const Literal& one : said(*literal)) known_[one].push_back(id);
  if (literal->kind == Rule::From) from_[literal->op].push_back(id);
  return id;
}

void ProofBuilder::forget(LineId id) {
  if (!literal_[id]) return;
  const auto forget_in = [id](auto& lines, const auto& key) {
    const auto found = lines.find(key);
    std::erase(found->second, id);
    if (found->second.empty()) lines.erase(found);
  };
  for (const Literal& one : said(*literal_[id])) forget_in(known_, one);
  if (literal_[id]->kind == Rule::From) forget_in(from_, literal_[id]->op);
}

template <class State>
LineId ProofBuilder::known(const Key& key, State state) {
  if (const auto found = facts_.find(key); found != facts_.end()) return found->second;
  const LineId id = state();
  if (!supposing()) facts_.emplace(key, id);
  return id;
}

LineId ProofBuilder::fact(ProofLine line, Literal literal) {
  return known({line.kind, line.a.value, line.b.value, line.op.value},
               [&] { return add(std::move(line), literal); });
}

LineId ProofBuilder::session(TxnId a, TxnId b) {
  return fact({.kind = Kind::Session, .a = a, .b = b}, Literal::before(commit(a), snapshot(b)));
}

LineId ProofBuilder::reads(OpId op) {
  return fact({.kind = Kind::Reads, .op = op}, Literal::from(op, writer_of_(op)));
}

LineId ProofBuilder::observed(OpId op, TxnId a, TxnId b) {
  return fact({.kind = Kind::Observed, .a = a, .b = b, .op = op}, Literal::before(commit(a), commit(b)));
}

LineId ProofBuilder::realtime(Point p, Point q) {
  p = own_point(p), q = own_point(q);
  const std::uint32_t points = 2 * p.commit + q.commit;
  return known({Kind::Realtime, p.txn.value, q.txn.value, points}, [&] {
    return add_edge(
        {.kind = Kind::Realtime, .a_commits = p.commit, .b_commits = q.commit, .a = p.txn, .b = q.txn}, p, q);
  });
}

LineId ProofBuilder::overwritten_initial(OpId op, TxnId a) {
  return fact({.kind = Kind::Overwritten, .a = a, .op = op},
              Literal::before(snapshot(reader_of_(op)), commit(a)));
}

LineId ProofBuilder::overwritten_fact(OpId op, TxnId a, OpId shown_by) {
  const TxnId writer = writer_of_(op);
  if (writer.is_none()) return overwritten_initial(op, a);
  return known({Kind::Overwritten, a.value, 0, op.value},
               [&] { return overwritten(op, a, observed(shown_by, writer, a)); });
}

LineId ProofBuilder::exclusive_fact(OpId write, TxnId a, TxnId b, OpId shown_by) {
  return known({Kind::Exclusive, a.value, b.value, 0},
               [&] { return exclusive(write, b, observed(shown_by, a, b)); });
}

// A clause of one literal establishes it.
LineId ProofBuilder::clause(ProofLine line, std::vector<Literal> literals) {
  return known({line.kind, line.a.value, 0, line.op.value}, [&] {
    const LineId id = add(std::move(line), literals.size() == 1 ? std::optional(literals[0]) : std::nullopt);
    clauses_[id] = std::move(literals);
    return id;
  });
}

LineId ProofBuilder::candidates(OpId op) {
  std::vector<Literal> literals;
  for (const TxnId writer : candidates_of_(op)) literals.push_back(Literal::from(op, writer));
  if (const TxnId reader = reader_of_(op); !counts_(reader)) literals.push_back(Literal::absent(reader));
  return clause({.kind = Kind::Candidates, .op = op}, std::move(literals));
}

LineId ProofBuilder::implies(OpId op, TxnId writer) {
  const OpId write = conditional_write_(writer, op);
  const Literal implied = write.is_none() ? Literal::counts(writer) : Literal::took(write);
  return clause({.kind = Kind::Implies, .a = writer, .op = op}, {Literal::not_from(op, writer), implied});
}

LineId ProofBuilder::matched(OpId write, std::vector<Literal> sources) {
  sources.push_back(Literal::left(write));
  return clause({.kind = Kind::Matched, .op = write}, std::move(sources));
}

LineId ProofBuilder::unmatched(OpId write, std::vector<Literal> sources) {
  sources.push_back(Literal::took(write));
  return clause({.kind = Kind::Unmatched, .op = write}, std::move(sources));
}

LineId ProofBuilder::shows(OpId list, TxnId a) {
  return clause({.kind = Kind::Shows, .a = a, .op = list},
                {Literal::absent(reader_of_(list)), Literal::counts(a)});
}

LineId ProofBuilder::own(TxnId t) {
  return fact({.kind = Kind::Own, .a = t}, Literal::before(snapshot(t), commit(t)));
}

// At a level with one point nothing needs connecting, since s(T) and c(T) are the same.
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
  return add_edge({.kind = Kind::Path, .lines = joined(std::move(lines), false)}, ends.from, ends.to);
}

LineId ProofBuilder::missed(OpId op, TxnId a, LineId edge, LineId from) {
  return add_edge({.kind = Kind::Missed, .a = a, .op = op, .lines = edge_and_source(edge, from)}, commit(a),
                  commit(writer(op, from)));
}

// Extends an edge that ends in s(a) to c(a) by `own a`.
LineId ProofBuilder::up_to_commit(LineId edge) {
  const Ends ends = ends_[edge];
  if (ends.to.commit) return edge;
  return add_edge({.kind = Kind::Path, .lines = {edge, own(ends.to.txn)}}, ends.from, commit(ends.to.txn));
}

LineId ProofBuilder::overwritten(OpId op, TxnId a, LineId edge, LineId from) {
  ASSAY_ASSERT((edge == 0) == writer(op, from).is_none());
  if (edge == 0 && from == 0) return overwritten_initial(op, a);
  if (edge != 0) edge = up_to_commit(edge);
  return add_edge({.kind = Kind::Overwritten, .a = a, .op = op, .lines = edge_and_source(edge, from)},
                  snapshot(reader_of_(op)), commit(a));
}

LineId ProofBuilder::exclusive(OpId write, TxnId b, LineId edge) {
  if (!two_points_) return edge;
  edge = up_to_commit(edge);
  const TxnId a = ends_[edge].from.txn;
  const bool from_commit = ends_[edge].from.commit;
  const LineId overlap =
      from_commit ? add_edge({.kind = Kind::Path, .lines = {own(a), edge}}, snapshot(a), commit(b)) : edge;
  return add_edge({.kind = Kind::Exclusive, .a = a, .b = b, .op = write, .lines = {overlap}}, commit(a),
                  snapshot(b));
}

LineId ProofBuilder::suppose(Literal literal) {
  if (literal.kind == Rule::Suppose) literal = Literal::before(own_point(literal.p), own_point(literal.q));
  if (!supposing()) scope_ = static_cast<LineId>(ends_.size());
  supposed_.push_back(literal);
  return add(supposition(literal), literal);
}

std::optional<LineId> ProofBuilder::use(LineId clause) {
  std::vector<Literal> left;
  std::vector<LineId> grounds;
  for (const Literal& literal : clauses_.at(clause)) {
    const auto ground = refuting(literal);
    if (!ground) left.push_back(literal);
    else if (*ground != 0) grounds.push_back(*ground);
  }
  if (left.empty()) return close({.kind = Kind::Falsified, .clause = clause}, std::move(grounds));
  ASSAY_ASSERT(left.size() == 1);
  if (const auto known = established(left.front())) used_ = *known;
  else used_ = add({.kind = Kind::Unit, .clause = clause}, left.front(), std::move(grounds));
  return std::nullopt;
}

// Closing the scope leaves the clause of the contraries of its suppositions. A clause of a single literal
// establishes it.
LineId ProofBuilder::close(ProofLine line, std::vector<LineId> needs) {
  add_grounds(line, needs);
  if (supposing())
    for (LineId id = scope_; id < ends_.size(); ++id) {
      if (is_supposition(proof_[id - 1].kind)) needs.push_back(id);
      forget(id);
    }
  std::vector<Literal> contraries;
  for (const Literal& literal : std::exchange(supposed_, {})) contraries.push_back(literal.contrary());
  const LineId id = add(std::move(line), contraries.size() == 1 ? std::optional(contraries[0]) : std::nullopt,
                        std::move(needs));
  if (!contraries.empty()) clauses_[id] = std::move(contraries);
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

LineId ProofBuilder::stale(OpId op, TxnId a, LineId edge, LineId from) {
  return close({.kind = Kind::Stale, .a = a, .op = op, .lines = edge_and_source(edge, from)});
}

LineId ProofBuilder::crowded(std::vector<LineId> clauses) {
  std::vector<LineId> grounds;
  for (const LineId clause : clauses)
    for (const Literal& literal : clauses_.at(clause))
      if (const auto ground = refuting(literal); ground && *ground != 0) grounds.push_back(*ground);
  return close({.kind = Kind::Crowded, .lines = std::move(clauses)}, std::move(grounds));
}

LineId ProofBuilder::wrong_count(OpId write, bool too_many, std::vector<LineId> lines) {
  return close({.kind = too_many ? Kind::TooMany : Kind::TooFew, .op = write, .lines = std::move(lines)});
}

LineId ProofBuilder::wrong_read(OpId op) { return close({.kind = Kind::WrongRead, .op = op}); }

Proof adapt(const Proof& proof, ProofBuilder b) {
  std::unordered_map<LineId, LineId> now;  // by old line: its new number; 0 if it vanishes
  bool supposing = false;
  std::optional<LineId> closed_early;  // with another number of points, use() may refute a clause
  const auto lines = [&](const ProofLine& line) {
    std::vector<LineId> result;
    for (const LineId old : line.lines)
      if (now.at(old) != 0) result.push_back(now.at(old));
    return result;
  };
  // The edge and the source line of a rule about a read; 0 if absent.
  const auto operands = [&](const ProofLine& line) {
    std::vector<LineId> all = lines(line);
    LineId from = 0;
    if (!all.empty() && b.says_whom_it_is_from(all.back(), line.op)) {
      from = all.back();
      all.pop_back();
    }
    return std::pair(all.empty() ? LineId{0} : all.front(), from);
  };
  const auto again = [&](const ProofLine& line) -> LineId {
    const auto [edge, from] = operands(line);
    switch (line.kind) {
      case Kind::Session: return b.session(line.a, line.b);
      case Kind::Reads: return b.reads(line.op);
      case Kind::Own: return 0;
      case Kind::Path: return b.path(lines(line));
      case Kind::Missed: return b.missed(line.op, line.a, edge, from);
      case Kind::Overwritten: return b.overwritten(line.op, line.a, edge, from);
      case Kind::Exclusive: return b.exclusive(line.op, line.b, edge);
      case Kind::Observed: return b.observed(line.op, line.a, line.b);
      case Kind::Realtime: return b.realtime(line.first(), line.second());
      case Kind::Candidates: return b.candidates(line.op);
      case Kind::Implies: return b.implies(line.op, line.a);
      case Kind::Shows: return b.shows(line.op, line.a);
      case Kind::Matched:
      case Kind::Unmatched:
      case Kind::Took:
      case Kind::Left:
      case Kind::TooMany:
      case Kind::TooFew:
        ASSAY_ASSERT(false);
        return 0;  // the versions that decide a conditional write depend on the level
      case Kind::Suppose:
      case Kind::From:
      case Kind::NotFrom:
      case Kind::Counts:
      case Kind::Absent: return b.suppose(supposed_by(line));
      case Kind::Unit: closed_early = b.use(now.at(line.clause)); return closed_early ? 0 : b.used_;
      case Kind::Refute: return b.refute(lines(line));
      case Kind::Stale: return b.stale(line.op, line.a, edge, from);
      case Kind::Falsified: return *b.use(now.at(line.clause));
      case Kind::Crowded: return b.crowded(lines(line));
      case Kind::WrongRead: return b.wrong_read(line.op);
    }
    return 0;
  };
  for (const ProofLine& line : proof) {
    const bool closing = closes_scope(line.kind);
    if (closed_early && !closing) continue;
    now[line.id] = closed_early ? *std::exchange(closed_early, std::nullopt) : again(line);
    supposing = !closing && (supposing || is_supposition(line.kind));
    if (!supposing && closed_early) break;  // a contradiction without suppositions
  }
  return b.take();
}

}  // namespace assay
