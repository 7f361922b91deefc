#include "explain/proof_outline.h"

#include <algorithm>

#include "base/contract.h"
#include "certify/open_lines.h"

namespace assay {

using Kind = ProofLine::Kind;

namespace {

Literal supposed(const ProofLine& line) {
  switch (line.kind) {
    case Kind::From: return Literal::from(line.op, line.a);
    case Kind::NotFrom: return Literal::not_from(line.op, line.a);
    case Kind::Counts: return Literal::counts(line.a);
    case Kind::Absent: return Literal::absent(line.a);
    default: return Literal::before(line.first(), line.second());
  }
}

bool is_contradiction(Kind kind) { return kind == Kind::Refute || kind == Kind::Stale; }

}  // namespace

ProofOutline::ProofOutline(const History& history, Level level, const Proof& proof)
    : reads_(Reads::of_what_must_have_happened(history, level)), two_points_(has_snapshots(level)) {
  OpenLines open(reads_, two_points_);
  for (const ProofLine& line : proof) {
    Entry& entry = entries_.emplace(line.id, Entry{&line}).first->second;
    if (is_supposition(line.kind)) {
      entry.literal = supposed(line);
      open.suppose(line, *entry.literal);
    } else if (line.kind == Kind::Candidates) {
      open_reads_.insert(line.op);
      std::vector<Literal> clause;
      for (const TxnId writer : reads_.possible_writers(line.op))
        clause.push_back(Literal::from(line.op, writer));
      if (const TxnId reader = reads_.transaction(line.op); !reads_.counts(reader))
        clause.push_back(Literal::absent(reader));
      open.open_clause(line, std::move(clause));
    } else if (line.kind == Kind::Implies) {
      open.open_clause(line, {Literal::not_from(line.op, line.a), Literal::counts(line.a)});
    } else if (line.kind == Kind::Shows) {
      open.open_clause(line, {Literal::absent(reads_.transaction(line.op)), Literal::counts(line.a)});
    } else if (line.kind == Kind::Unit) {
      entry.literal = open.unrefuted(line.clause).value().front();
      open.open(line, *entry.literal);
    } else if (closes_scope(line.kind)) {
      if (is_contradiction(line.kind)) lemmas_.push_back({line.id, premises(line), {}});
      open.close(line);
      if (const auto closed = open.find(line.id)) entry.literal = (*closed)->literal;
    } else {
      entry.literal = edge(line);
      entry.rests_on = premises(line);
      open.open(line, *entry.literal);
      continue;
    }
    if (!entry.literal) continue;
    entry.premise = true;
    entry.rests_on = {*entry.literal};
    note(*entry.literal);
  }
  find_lemmas();
}

void ProofOutline::note(const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::Before:
      if (std::ranges::find(orders_, literal) == orders_.end() &&
          std::ranges::find(orders_, literal.contrary()) == orders_.end())
        orders_.push_back(literal);
      break;
    case Literal::Kind::From:
    case Literal::Kind::NotFrom: open_reads_.insert(literal.op); break;
    case Literal::Kind::Counts:
    case Literal::Kind::Absent:
    case Literal::Kind::Took:
    case Literal::Kind::Left: break;
  }
}

// An edge whose order the proof assumes or refutes somewhere is a lemma too.
void ProofOutline::find_lemmas() {
  const auto is_open = [&](const Literal& literal) {
    return std::ranges::find(orders_, literal) != orders_.end() ||
           std::ranges::find(orders_, literal.contrary()) != orders_.end();
  };
  for (const auto& [id, entry] : entries_)
    if (entry.literal && !entry.premise && is_open(*entry.literal))
      lemmas_.push_back({id, entry.rests_on, entry.literal});
  std::ranges::sort(lemmas_, {}, &Lemma::line);
}

ProofOutline::About ProofOutline::about(const ProofLine& line) const {
  const std::span<const LineId> all = line.lines;
  if (!all.empty())
    if (const auto& said = literal(all.back());
        said && said->kind == Literal::Kind::From && said->op == line.op)
      return {said->txn, all.first(all.size() - 1)};
  return {reads_.writer(line.op).txn, all};
}

Point ProofOutline::from(LineId id) const {
  const Literal& said = *literal(id);
  return said.kind == Literal::Kind::From ? Point{said.txn, true} : said.p;
}

Point ProofOutline::to(LineId id) const {
  const Literal& said = *literal(id);
  return said.kind == Literal::Kind::From ? snapshot(reads_.transaction(said.op)) : said.q;
}

std::optional<Literal> ProofOutline::edge(const ProofLine& line) const {
  const auto commit = [](TxnId t) { return Point{t, true}; };
  switch (line.kind) {
    case Kind::Reads: return Literal::from(line.op, reads_.writer(line.op).txn);
    case Kind::Own: return Literal::before(snapshot(line.a), commit(line.a));
    case Kind::Path: return Literal::before(from(line.lines.front()), to(line.lines.back()));
    case Kind::Missed: return Literal::before(commit(line.a), commit(about(line).writer));
    case Kind::Overwritten: return Literal::before(snapshot(reads_.transaction(line.op)), commit(line.a));
    case Kind::Observed: return Literal::before(commit(line.a), commit(line.b));
    case Kind::Realtime: return Literal::before(line.first(), line.second());
    default: return Literal::before(commit(line.a), snapshot(line.b));  // Session, Exclusive
  }
}

// The premises of the lines it names, and that its own transactions took effect where that is not certain.
std::set<Literal> ProofOutline::premises(const ProofLine& line) const {
  std::set<Literal> result;
  for (const LineId id : line.lines)
    result.insert(entries_.at(id).rests_on.begin(), entries_.at(id).rests_on.end());
  const auto count = [&](TxnId t) {
    if (!t.is_none() && !reads_.counts(t)) result.insert(Literal::counts(t));
  };
  const bool names_first =
      line.kind == Kind::Session || line.kind == Kind::Realtime || line.kind == Kind::Observed;
  if (names_first) count(line.a);
  if (line.kind == Kind::Observed) count(line.b);
  if (!line.op.is_none() && line.kind != Kind::Exclusive) count(reads_.transaction(line.op));
  return result;
}

}  // namespace assay
