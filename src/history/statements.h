// Statements with a predicate or a range: which keys they range over, and what they say of each.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "history/itemize.h"
#include "history/matches.h"

namespace assay {

inline bool is_statement(OpKind kind) { return kind >= OpKind::Scan; }

// Calls write(key, value) for what an operation writes.
template <class Write>
void each_write(const History& h, OpId op, std::span<const Truth> truths, Write write) {
  const OpKind kind = h.kind(op);
  if (kind == OpKind::Update || kind == OpKind::UpdateMaybe) {
    if (kind == OpKind::UpdateMaybe) truths = truths_of_operation(truths, op);
    for (const KeyValueId row : h.rows(op))
      if (kind == OpKind::Update || find_truth(truths, {op, h.key(row)}) == true) write(h.key(row), row);
  } else if (is_item_write(kind) && kind != OpKind::Append) {
    if (kind != OpKind::Delete || h.found(op) != false) write(h.key(op), h.value(op));
  }
}

// Whether a value of the key is one that the statement can have met, for all it says of the key. All truths
// are known.
std::function<bool(KeyValueId)> possible_values(const History& history, Invisible read,
                                                std::span<const Truth> truths);

// As itemize, with what is known of truths and after making sure that predicates mean something, that the
// truths are of those that are open, and each read of a key over which its statement ranges without saying
// the value.
Result<Items> itemize_asked(const History& history, Completion asked);

}  // namespace assay
