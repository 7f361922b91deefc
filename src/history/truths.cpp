#include "history/truths.h"

#include <algorithm>

#include "history/matches.h"
#include "history/statements.h"
#include "history/values_of_keys.h"

namespace assay {
namespace {

// By value: how often it is written, counting the initial state as a write, and whether a committed
// transaction read it.
struct Uses {
  std::vector<std::uint32_t> writes;
  std::vector<bool> is_read;

  explicit Uses(const History& h) : writes(h.key_value_count()), is_read(h.key_value_count()) {
    for (const KeyId key : h.keys())
      if (!h.initial_value(key).is_none()) ++writes[h.initial_value(key).index()];
    for (const TxnId t : h.transactions())
      for (const OpId op : h.operations(t)) look(h, op, h.outcome(t) == Outcome::Committed);
  }

 private:
  void look(const History& h, OpId op, bool committed) {
    const OpKind kind = h.kind(op);
    if (is_item_write(kind)) ++writes[h.value(op).index()];
    else if (kind == OpKind::Update || kind == OpKind::UpdateMaybe)
      for (const KeyValueId row : h.rows(op)) ++writes[row.index()];
    else if (committed && kind == OpKind::Read) is_read[h.value(op).index()] = true;
    else if (committed && (kind == OpKind::Select || kind == OpKind::Scan))
      for (const KeyValueId row : h.rows(op)) is_read[row.index()] = true;
  }
};

}  // namespace

std::span<const Truth> truths_of_operation(std::span<const Truth> truths, OpId op) {
  const auto [first, last] = std::ranges::equal_range(truths, op, {}, &Truth::op);
  return {first, last};
}

std::optional<bool> find_truth(std::span<const Truth> truths, Invisible row) {
  const auto found = std::ranges::lower_bound(truths, row, {}, &Truth::row);
  return found != truths.end() && found->row() == row ? std::optional(found->took) : std::nullopt;
}

bool fits_count(const History& h, OpId op, std::span<const Truth> truths) {
  const auto count = h.count(op);
  if (!count) return true;
  const auto known = std::ranges::equal_range(truths, op, {}, &Truth::op);
  const auto took = static_cast<std::size_t>(std::ranges::count(known, true, &Truth::took));
  const std::size_t left = known.size() - took;
  return took <= *count && *count + left <= h.rows(op).size();
}

Truths truths_of(const History& h) {
  Truths truths;
  if (std::ranges::none_of(h.operations(), [&](OpId op) { return h.kind(op) == OpKind::UpdateMaybe; }))
    return truths;
  const Uses uses(h);
  const ValuesOfKeys values(h);
  for (const TxnId t : h.transactions())
    for (const OpId op : h.operations(t)) {
      if (h.kind(op) != OpKind::UpdateMaybe) continue;
      const RowTest test(h, h.predicate(op));
      std::vector<KeyValueId> rows(h.rows(op).begin(), h.rows(op).end());
      std::ranges::sort(rows, {}, [&](KeyValueId row) { return h.key(row); });
      std::vector<Truth> known;
      std::vector<Invisible> open;
      for (const KeyValueId row : rows) {
        const KeyId key = h.key(row);
        const bool was_read = uses.is_read[row.index()] && uses.writes[row.index()] == 1;
        if (h.outcome(t) == Outcome::Aborted || was_read) known.push_back({op, key, true});
        else if (std::ranges::none_of(values.of(key), [&](KeyValueId v) { return test(key, h.value(v)); }))
          known.push_back({op, key, false});
        else open.push_back({op, key});
      }
      if (h.outcome(t) != Outcome::Aborted &&
          !fits_count(h, op, known)) {  // it contradicts the known outcomes, so all are open
        for (const Truth& truth : known) open.push_back(truth.row());
        std::ranges::sort(open);
        known.clear();
      } else if (const auto count = h.count(op); count && !open.empty() && h.outcome(t) != Outcome::Aborted) {
        const auto took = static_cast<std::size_t>(std::ranges::count(known, true, &Truth::took));
        if (took == *count || took + open.size() == *count) {  // the count determines the open outcomes
          for (const Invisible& row : open) known.push_back({row.op, row.key, took != *count});
          std::ranges::sort(known);
          open.clear();
        }
      }
      truths.known.insert(truths.known.end(), known.begin(), known.end());
      truths.open.insert(truths.open.end(), open.begin(), open.end());
    }
  return truths;
}

namespace {

// The operations of a transaction that access a given key.
class Mentions {
 public:
  Mentions(const History& h, TxnId t) : h_(h) {
    for (const OpId op : h.operations(t)) {
      const OpKind kind = h.kind(op);
      if (kind == OpKind::Select || kind == OpKind::Update) last_over_all_ = op;
      if (kind == OpKind::Scan) scans_.push_back(op);
      if (is_one_key(kind)) named_.push_back({h.key(op), op, is_item_write(kind)});
      if (kind == OpKind::Update || kind == OpKind::UpdateMaybe)
        for (const KeyValueId row : h.rows(op)) named_.push_back({h.key(row), op, true});
    }
    std::ranges::sort(named_);
  }

  bool is_separate(Invisible row) const {
    if (!last_over_all_.is_none() && last_over_all_ > row.op) return false;
    if (std::ranges::any_of(
            scans_, [&](OpId scan) { return scan > row.op && in_bounds(h_, h_.bounds(scan), row.key); }))
      return false;
    const auto same = std::ranges::equal_range(named_, row.key, {}, &Named::key);
    return std::ranges::none_of(
        same, [&](const Named& other) { return other.op > row.op || (other.op < row.op && other.writes); });
  }

 private:
  struct Named {
    KeyId key;
    OpId op;
    bool writes;
    friend auto operator<=>(const Named&, const Named&) = default;
  };
  const History& h_;
  std::vector<Named> named_;
  std::vector<OpId> scans_;
  OpId last_over_all_ = OpId::none();
};

}  // namespace

std::vector<Invisible> separate_rows(const History& h, const Truths& truths) {
  std::vector<Invisible> rows;
  auto next = truths.open.begin();
  for (const TxnId t : h.transactions()) {
    const auto ops = h.operations(t);
    const auto end = std::ranges::lower_bound(next, truths.open.end(), ops.last, {}, &Invisible::op);
    if (next != end && h.outcome(t) == Outcome::Committed) {
      const Mentions mentions(h, t);
      std::copy_if(next, end, std::back_inserter(rows),
                   [&](const Invisible& row) { return mentions.is_separate(row); });
    }
    next = end;
  }
  return rows;
}

std::vector<Truth> with_known(const Truths& truths, std::span<const Truth> chosen) {
  std::vector<Truth> all;
  std::ranges::merge(truths.known, chosen, std::back_inserter(all));
  return all;
}

}  // namespace assay
