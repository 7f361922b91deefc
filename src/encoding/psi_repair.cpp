#include "encoding/psi_repair.h"

#include <algorithm>

#include "base/contract.h"

namespace assay {
namespace {

void add_once(std::vector<Lit>& clause, Lit literal) {
  if (std::ranges::find(clause, literal) == clause.end()) clause.push_back(literal);
}

}  // namespace

PsiRepair::PsiRepair(const SearchProblem& problem, std::vector<KeyId> broken, Acyclicity& theory,
                     OrderChoices& order_choices, VersionChoices& version_choices, Clauses& clauses)
    : h_(problem.history),
      facts_(problem.facts),
      versions_(problem.versions),
      points_(problem.points),
      theory_(theory),
      order_choices_(order_choices),
      version_choices_(version_choices),
      clauses_(clauses),
      dirty_(std::move(broken), h_.key_count()),
      reachability_(problem, theory.order(), order_choices) {
  ASSAY_REQUIRE(facts_.conditional.empty());
  for (std::uint32_t read = 0; read < facts_.open.size(); ++read) version_choices_.choose_writer(read);
}

void PsiRepair::run(const Abandoned& abandoned) {
  theory_.order().take_moved();
  for (const KeyId key : h_.keys()) dirty_.add(key);
  for (const KeyId key : h_.keys()) sort(key);
  for (const KeyId key : dirty_.keys()) {
    sort(key);
    for (const VersionId v : in_order_) {
      if (abandoned()) return;
      check_readers(reachability_.previous(v), v);
    }
    for (const std::uint32_t read : versions_.open_of(key)) {
      if (abandoned()) return;
      check_open_read(read);
    }
  }
  dirty_.next_pass();
}

// The key's versions in the current order.
void PsiRepair::sort(KeyId key) {
  const auto versions = versions_.of(key);
  in_order_.assign(versions.begin(), versions.end());
  for (const VersionId v : versions_.possible_of(key))
    if (version_choices_.counts(facts_.writer(v))) in_order_.push_back(v);
  const DynamicOrder& order = theory_.order();
  std::ranges::sort(in_order_, {},
                    [&](VersionId v) { return order.position(points_.commit(facts_.writer(v))); });
  VersionId last = facts_.initial_version(key);
  for (const VersionId v : in_order_) {
    reachability_.set_previous(v, last);
    last = v;
  }
}

// Checks that `next`, which overwrote the version, reaches none of its readers.
void PsiRepair::check_readers(VersionId version, VersionId next) {
  const auto readers = versions_.readers_of(version);
  const TxnId overwriting = facts_.writer(next);
  const auto overwritten = theory_.order().position(points_.commit(overwriting));
  for (std::size_t i = 0; i < readers.size(); ++i)
    if (readers[i] != overwriting && theory_.order().position(points_.snapshot(readers[i])) >= overwritten)
      forbid_reaching({version, overwriting, readers[i], versions_.reads_of(version)[i]});
}

void PsiRepair::check_open_read(std::uint32_t i) {
  const OpenRead& read = facts_.open[i];
  if (!version_choices_.counts(read.reader)) return;
  const VersionId version = version_choices_.chosen(i);
  const Lit is_from = version_choices_.is_from(i, version);
  const auto at = std::ranges::find(in_order_, version);
  const auto next = at == in_order_.end() ? in_order_.begin() : at + 1;
  if (next == in_order_.end() || facts_.writer(*next) == read.reader) return;
  const TxnId overwriting = facts_.writer(*next);
  if (theory_.order().before(points_.snapshot(read.reader), points_.commit(overwriting))) return;
  forbid_reaching(
      {version, overwriting, read.reader, static_cast<std::uint32_t>(facts_.reads.size()) + i, is_from});
}

void PsiRepair::forbid_reaching(const MissedRead& missed) {
  const std::uint32_t start = points_.commit(missed.overwriting), end = points_.snapshot(missed.reader);
  if (!reachability_.reaches(start, end)) return;

  bool is_decided = true;
  std::vector<Lit> clause;
  std::vector<std::uint32_t> reasons;
  for (std::uint32_t node = start; node != end; node = reachability_.step(node).to) {
    const auto step = reachability_.step(node);
    if (step.edge == PsiReachability::kUndecided) {
      order_choices_.order(points_.txn(node), points_.txn(step.to));
      is_decided = false;
      continue;
    }
    reasons.push_back(step.edge);
    if (step.edge >= theory_.fact_count()) add_once(clause, ~theory_.literal(step.edge));
  }
  if (const TxnId writer = facts_.writer(missed.version); !writer.is_none()) {
    is_decided &= order_choices_.is_decided(writer, missed.overwriting);
    add_once(clause, ~order_choices_.commits_before(writer, missed.overwriting));
  }
  if (!is_decided) return;
  if (missed.is_from) clause.push_back(~*missed.is_from);
  reasons.push_back(missed.reason);
  clauses_.add_missed(std::move(clause), std::move(reasons));
}

}  // namespace assay
