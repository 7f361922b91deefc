#include "explain/proof_outline.h"

#include <algorithm>

namespace assay {

using Kind = ProofLine::Kind;

namespace {

bool closes(Kind kind) { return kind == Kind::Refute || kind == Kind::Stale || kind == Kind::Falsified; }

}  // namespace

ProofOutline::ProofOutline(const History& history, Level level, const Proof& proof)
    : reads_(Reads::of_what_must_have_happened(history, level)), two_points_(has_snapshots(level)) {
  std::vector<CommitOrder> supposed;
  std::vector<LineId> scope;
  for (const ProofLine& line : proof) {
    Entry& entry = entries_.emplace(line.id, Entry{&line}).first->second;
    if (line.kind == Kind::Suppose) supposed.push_back({line.a, line.b});
    if (line.kind == Kind::Unit || line.kind == Kind::Falsified) use_clause(entry);
    if (closes(line.kind)) {
      for (const LineId inner : scope)
        if (const auto& order = entries_.at(inner).order) std::erase(open_[*order], inner);
      entry.supposed = std::exchange(supposed, {});
      scope.clear();
      if (entry.supposed.size() == 1) entry.order = CommitOrder{entry.supposed[0].b, entry.supposed[0].a};
    } else {
      entry.supposing = !supposed.empty();
      if (entry.supposing) scope.push_back(line.id);
    }
    find_ends(entry);
    if (entry.order) open_[*entry.order].push_back(line.id);
  }
}

void ProofOutline::use_clause(Entry& entry) {
  for (const CommitOrder& supposed : entries_.at(entry.line->clause).supposed) {
    const auto known = open_.find(supposed);
    const bool is_known = known != open_.end() && !known->second.empty();
    entry.used.emplace_back(supposed, is_known ? known->second.front() : 0);
    if (!is_known) entry.order = CommitOrder{supposed.b, supposed.a};
  }
}

void ProofOutline::find_ends(Entry& entry) const {
  const ProofLine& line = *entry.line;
  const auto commit = [](TxnId t) { return Point{t, true}; };
  const auto snapshot = [&](TxnId t) { return Point{t, !two_points_}; };
  const auto between = [&](Point from, Point to) {
    entry.from = from;
    entry.to = to;
    if (from.commit && to.commit) entry.order = CommitOrder{from.txn, to.txn};
  };
  switch (line.kind) {
    case Kind::Session: return between(commit(line.a), snapshot(line.b));
    case Kind::Reads: return between(commit(writer(line.op)), snapshot(reader(line.op)));
    case Kind::Own: return between(snapshot(line.a), commit(line.a));
    case Kind::Path: return between(entries_.at(line.lines.front()).from, entries_.at(line.lines.back()).to);
    case Kind::Missed: return between(commit(line.a), commit(writer(line.op)));
    case Kind::Overwritten: return between(snapshot(reader(line.op)), commit(line.a));
    case Kind::Exclusive: return between(commit(line.a), snapshot(line.b));
    case Kind::Observed:
    case Kind::Suppose: return between(commit(line.a), commit(line.b));
    default:
      if (entry.order) between(commit(entry.order->a), commit(entry.order->b));
  }
}

}  // namespace assay
