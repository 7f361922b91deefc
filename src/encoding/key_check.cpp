#include "encoding/key_check.h"

namespace assay {

KeyCheck::KeyCheck(const SearchProblem& problem, const DynamicOrder& execution, KeyOrders& orders,
                   DirtyKeys& dirty, OrderChoices& order_choices, VersionChoices& version_choices,
                   Clauses& clauses)
    : h_(problem.history),
      facts_(problem.facts),
      versions_(problem.versions),
      rules_(problem.rules),
      points_(problem.points),
      execution_(execution),
      orders_(orders),
      dirty_(dirty),
      order_choices_(order_choices),
      version_choices_(version_choices),
      clauses_(clauses) {
  if (facts_.conditional.empty()) return;
  decides_.assign(facts_.open.size(), kNothing);
  for (const ConditionalWrite& write : facts_.conditional) decides_[write.read] = facts_.place(write);
}

void KeyCheck::check(KeyId key) {
  const auto in_order = sort(key);
  for (std::size_t i = 0; i < in_order.size(); ++i) check_pair(key, in_order, i);
  for (const std::uint32_t read : versions_.open_of(key)) check_open_read(read, in_order);
}

// The key's versions in the order of the current execution.
std::span<const VersionId> KeyCheck::sort(KeyId key) {
  if (orders_.may_be_kept(key)) return orders_.sort(key);
  const auto versions = versions_.of(key), conditional = versions_.conditional_of(key);
  in_order_.assign(versions.begin(), versions.end());
  for (const VersionId v : versions_.possible_of(key))
    if (version_choices_.counts(facts_.writer(v))) in_order_.push_back(v);
  in_order_.insert(in_order_.end(), conditional.begin(), conditional.end());
  orders_.sort_versions(in_order_);
  if (!conditional.empty()) keep_those_that_take_place();
  return in_order_;
}

// Leaves out versions of conditional writes that did not take place. If the search has not decided that, it
// depends on the version that the write read: the last one before it among those kept.
void KeyCheck::keep_those_that_take_place() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < in_order_.size(); ++i) {
    const VersionId v = in_order_[i];
    if (facts_.is_conditional(v)) {
      const std::uint32_t number = facts_.conditional_place(v);
      const ConditionalWrite& write = facts_.conditional[number];
      const auto decided = version_choices_.decided(number);
      const bool takes_place =
          decided ? *decided
                  : facts_.takes_place(
                        h_, write, orders_.shown(facts_.open[write.read], std::span(in_order_).first(kept)));
      version_choices_.set_takes_place(number, takes_place);
      if (!takes_place) continue;
    }
    in_order_[kept++] = v;
  }
  in_order_.resize(kept);
}

void KeyCheck::check_pair(KeyId key, std::span<const VersionId> in_order, std::size_t i) {
  const VersionId version = i == 0 ? facts_.initial_version(key) : in_order[i - 1];
  const TxnId next = facts_.writer(in_order[i]);
  check_readers(version, in_order[i]);
  if (rules_.exclusive && i > 0 &&
      !execution_.before(points_.commit(facts_.writer(version)), points_.snapshot(next)))
    keep_apart(key, version, in_order[i]);
}

// Checks that no reader of the version comes after `next`, which overwrote it.
void KeyCheck::check_readers(VersionId version, VersionId next) {
  const auto readers = versions_.readers_of(version);
  const KeyOrders::Place overwritten = orders_.place(next);
  for (std::size_t i = 0; i < readers.size(); ++i)
    if (execution_.position(points_.snapshot(readers[i])) >= overwritten &&
        !check_read(version, next, readers[i], versions_.reads_of(version)[i]))
      return;
}

bool KeyCheck::check_read(VersionId version, VersionId overwriting, TxnId reader, std::uint32_t read) {
  const TxnId next = facts_.writer(overwriting);
  if (reader == next) return true;
  if (facts_.is_conditional(overwriting)) {
    order_known_read(read, overwriting);
  } else if (facts_.is_initial(version)) {
    clauses_.add_fact(read, next);
  } else {
    order_choices_.order(facts_.writer(version), next);
    return false;
  }
  return true;
}

// Requires that two exclusive writers do not overlap.
void KeyCheck::keep_apart(KeyId key, VersionId first, VersionId second) {
  const TxnId a = facts_.writer(first), b = facts_.writer(second);
  if (!facts_.is_conditional(first) && !facts_.is_conditional(second)) {
    order_choices_.order(a, b);
    return;
  }
  std::vector<Lit> clause{order_choices_.is_apart(a, b), order_choices_.is_apart(b, a)};
  version_choices_.add_condition(first, clause);
  version_choices_.add_condition(second, clause);
  clauses_.add_axiom(std::move(clause), {.rule = Rule::Exclusive, .from = a, .txn = b, .key = key});
  dirty_.check_again(key);
}

void KeyCheck::check_open_read(std::uint32_t i, std::span<const VersionId> in_order) {
  const OpenRead& read = facts_.open[i];
  if (!version_choices_.counts(read.reader)) return;
  const VersionId shown = orders_.shown(read, in_order);
  if (!is_broken(i, shown)) return;
  dirty_.check_again(read.key);
  if (!version_choices_.has_writers(i)) version_choices_.choose_writer(i);
  else if (const VersionId chosen = version_choices_.chosen(i); !chosen.is_none())
    order_open_read(i, chosen, shown);
}

// Whether an open read cannot have returned the version. For the read of a conditional write this includes
// that the version would give the write the opposite outcome.
bool KeyCheck::is_broken(std::uint32_t read, VersionId shown) const {
  const auto candidates = facts_.candidates_of(facts_.open[read]);
  if (std::ranges::find(candidates, shown) == candidates.end()) return true;
  const std::uint32_t write = decides_.empty() ? kNothing : decides_[read];
  return write != kNothing &&
         facts_.takes_place(h_, facts_.conditional[write], shown) != version_choices_.takes_place(write);
}

// The read would return a version after the chosen one. The clause: if the read is from the chosen version,
// and its writer is before the overwriting one, the reader is too.
void KeyCheck::order_open_read(std::uint32_t i, VersionId chosen, VersionId overwriting) {
  const OpenRead& read = facts_.open[i];
  const TxnId writer = facts_.writer(chosen), later = facts_.writer(overwriting);
  std::vector<Lit> clause{~version_choices_.is_from(i, chosen),
                          order_choices_.reads_before(read.reader, read.op, i, later)};
  if (!writer.is_none()) clause.push_back(~order_choices_.commits_before(writer, later));
  version_choices_.add_condition(overwriting, clause);
  clauses_.add_axiom(std::move(clause), {.rule = Rule::Overwritten, .op = read.op, .txn = later});
}

// The same for a read with one candidate writer.
void KeyCheck::order_known_read(std::uint32_t i, VersionId overwriting) {
  const ReadFact& read = facts_.reads[i];
  const TxnId later = facts_.writer(overwriting);
  std::vector<Lit> clause{order_choices_.reads_before(read.reader, read.op, i, later)};
  if (!read.writer.is_none()) clause.push_back(~order_choices_.commits_before(read.writer, later));
  version_choices_.add_condition(overwriting, clause);
  clauses_.add_axiom(std::move(clause), {.rule = Rule::Overwritten, .op = read.op, .txn = later});
  dirty_.check_again(read.key);
}

void KeyCheck::check_counts() {
  for (const CountedWrites& all : facts_.counted) {
    std::uint64_t number = 0;
    for (std::uint32_t i = all.first; i < all.last; ++i) number += version_choices_.takes_place(i);
    if (number == all.count) continue;
    const bool too_many = number > all.count;
    const std::uint64_t enough = (too_many ? all.count : all.last - all.first - all.count) + 1;
    std::vector<Lit> clause;
    for (std::uint32_t i = all.first; i < all.last && clause.size() < enough; ++i)
      if (version_choices_.takes_place(i) == too_many)
        clause.push_back(Lit(version_choices_.took(facts_.conditional_version(i)).var(), !too_many));
    clauses_.add_axiom(std::move(clause),
                       {.rule = too_many ? Rule::TooMany : Rule::TooFew, .write = all.first});
  }
}

}  // namespace assay
