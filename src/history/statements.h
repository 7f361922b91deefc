// Statements with a predicate or a range: the keys in their range, and what they say about each.
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

// Calls write(key, value) for each write of an operation, given the outcomes of rows of update-maybes.
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

// Returns a test: whether an invisible read may have returned a given value of its key. All outcomes of rows
// of update-maybes must be known.
std::function<bool(KeyValueId)> possible_values(const History& history, Invisible read,
                                                std::span<const Truth> truths);

// itemize() with checks, for completions from outside. It makes sure that the predicates are meaningful, that
// each assumed outcome was open, and that each read is an invisible read of its statement; it adds the known
// outcomes.
Result<Items> itemize_asked(const History& history, Completion asked);

}  // namespace assay
