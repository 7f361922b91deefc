#include "history/completion.h"

#include <algorithm>

#include "history/matches.h"
#include "history/statements.h"
#include "history/values_of_keys.h"

namespace assay {
namespace {

// How often each value is written, by whomever, or there from the start; and whether a committed transaction read it.
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
  if (std::ranges::none_of(h.operations(), [&](OpId op) { return h.kind(op) == OpKind::UpdateMaybe; })) return truths;
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
      if (h.outcome(t) != Outcome::Aborted && !fits_count(h, op, known)) {  // then the count is wrong, whatever happened
        for (const Truth& truth : known) open.push_back(truth.row());
        std::ranges::sort(open);
        known.clear();
      }
      truths.known.insert(truths.known.end(), known.begin(), known.end());
      truths.open.insert(truths.open.end(), open.begin(), open.end());
    }
  return truths;
}

std::vector<Truth> with_known(const Truths& truths, std::span<const Truth> chosen) {
  std::vector<Truth> all;
  std::ranges::merge(truths.known, chosen, std::back_inserter(all));
  return all;
}

}  // namespace assay
