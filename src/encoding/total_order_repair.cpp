#include "encoding/total_order_repair.h"

namespace assay {
namespace {

// The keys that the guess breaks, and the keys with conditional writes. Which of those writes take place is
// known only after a pass has checked their keys.
std::vector<KeyId> keys_of_first_pass(std::vector<KeyId> broken, const ReadFacts& facts) {
  if (facts.conditional.empty()) return broken;
  for (const ConditionalWrite& write : facts.conditional) broken.push_back(write.key);
  std::ranges::sort(broken);
  const auto twice = std::ranges::unique(broken);
  broken.erase(twice.begin(), twice.end());
  return broken;
}

}  // namespace

TotalOrderRepair::TotalOrderRepair(const SearchProblem& problem, Guess guess, DynamicOrder& execution,
                                   Choices& choices, OrderChoices& order_choices,
                                   VersionChoices& version_choices, Clauses& clauses)
    : facts_(problem.facts),
      versions_(problem.versions),
      points_(problem.points),
      execution_(execution),
      choices_(choices),
      version_choices_(version_choices),
      clauses_(clauses),
      dirty_(keys_of_first_pass(std::move(guess.broken), facts_), problem.history.key_count()),
      is_suspect_(std::move(guess.is_broken)),
      orders_(problem, execution),
      check_(problem, execution, orders_, dirty_, order_choices, version_choices, clauses) {}

void TotalOrderRepair::run(const Abandoned& abandoned) {
  const std::size_t choices = choices_.size();
  look_where_something_moved();
  for (const KeyId key : dirty_.keys()) {
    if (abandoned()) return;
    is_suspect_[key.index()] = false;
    check_.check(key);
  }
  // Counts of changed rows are checked only when the execution violates nothing else.
  if (choices_.size() == choices && !clauses_.is_waiting()) check_.check_counts();
  dirty_.next_pass();
}

// Checks the changed parts of keys whose order is kept; the other keys become dirty.
void TotalOrderRepair::look_where_something_moved() {
  const std::vector<TxnId> moved = orders_.take_moved();
  for (const auto& [t, var] : version_choices_.counting_variables()) {  // whether it counts may have changed
    for (const OpenRead& read : facts_.open_of(t)) dirty_.add(read.key);
    for (const KeyId key : facts_.written_by(t)) dirty_.add(key);
  }
  for (const std::uint32_t write : version_choices_.made_took()) dirty_.add(facts_.conditional[write].key);
  orders_.keep_all_if_many(moved);
  if (!facts_.conditional.empty())
    for (const TxnId t : moved)
      for (const ConditionalWrite& write : facts_.conditional_by(t)) dirty_.add(write.key);
  look_at_writes_of(moved);
  look_at_reads_of(moved);
}

// Whether the key's order is kept, so that only changed parts need checking. A key that the guess may violate
// is first checked completely.
bool TotalOrderRepair::keep_or_add_dirty(KeyId key) {
  if (dirty_.contains(key) || is_suspect_[key.index()] || !orders_.may_be_kept(key)) {
    dirty_.add(key);
    return false;
  }
  orders_.keep(key);
  return true;
}

void TotalOrderRepair::look_at_writes_of(std::span<const TxnId> moved) {
  const auto stretches = orders_.stretches(moved);
  for (auto next = stretches.begin(); next != stretches.end();) {
    const KeyId key = next->key;
    const bool is_kept = keep_or_add_dirty(key);
    const auto versions = orders_.kept(key);
    for (; next != stretches.end() && next->key == key; ++next) {
      if (!is_kept) continue;
      const auto [first, last] = orders_.sort(*next);
      for (std::size_t i = first; i < last; ++i) check_.check_pair(key, versions, i);
    }
    if (!is_kept) continue;
    for (const std::uint32_t read : versions_.open_of(key)) check_.check_open_read(read, versions);
  }
}

void TotalOrderRepair::look_at_reads_of(std::span<const TxnId> moved) {
  for (const TxnId t : moved) {
    const KeyOrders::Place snapshot = execution_.position(points_.snapshot(t));
    for (const ReadFact& read : facts_.of(t)) {
      if (!keep_or_add_dirty(read.key)) continue;
      const auto versions = orders_.kept(read.key);
      const auto next = read.writer.is_none()
                            ? versions.begin()
                            : std::ranges::upper_bound(versions, orders_.place(read.version), {},
                                                       [&](VersionId v) { return orders_.place(v); });
      if (next == versions.end() || snapshot < orders_.place(*next)) continue;
      check_.check_read(read.version, *next, t, facts_.place(read));
    }
    if (facts_.open.empty()) continue;
    for (const OpenRead& read : facts_.open_of(t))
      if (keep_or_add_dirty(read.key)) check_.check_open_read(facts_.place(read), orders_.kept(read.key));
  }
}

}  // namespace assay
