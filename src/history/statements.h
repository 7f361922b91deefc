// Statements with a predicate or a range: which keys they range over, and what they say of each.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "history/itemize.h"
#include "history/matches.h"

namespace assay {

inline bool is_statement(OpKind kind) {
  return kind == OpKind::Scan || kind == OpKind::Select || kind == OpKind::Update;
}

// All keys that are no lists, in order.
std::vector<KeyId> table_of(const History& history);

// What a statement ranges over, and what it says of each key.
class Statement {
 public:
  Statement(const History& history, OpId op, std::span<const KeyId> table) : h_(history), op_(op), table_(table) {
    if (h_.kind(op) != OpKind::Scan) test_.emplace(h_, h_.predicate(op));
    else bounds_ = h_.bounds(op);
    for (const KeyValueId row : h_.rows(op)) listed_.push_back(h_.key(row));
    std::ranges::sort(listed_);
  }

  // Calls visit(key, whether it matched) for each key of which it does not say the value.
  template <class Visit>
  void each_invisible(Visit visit) const {
    auto next = listed_.begin();
    for (const KeyId key : table_) {
      while (next != listed_.end() && *next < key) ++next;
      const bool listed = next != listed_.end() && *next == key;
      if (listed && h_.kind(op_) != OpKind::Update) continue;
      if (!test_ && !in_bounds(h_, bounds_, key)) continue;
      visit(key, listed);
    }
  }

  bool matches(KeyId key, KeyValueId value) const {
    return test_ ? (*test_)(key, h_.value(value)) : !h_.value(value).is_null();
  }

 private:
  const History& h_;
  OpId op_;
  std::span<const KeyId> table_;
  std::optional<RowTest> test_;
  KeyBounds bounds_;
  std::vector<KeyId> listed_;
};

// Calls write(key, value) for what an operation writes.
template <class Write>
void each_write(const History& h, OpId op, Write write) {
  const OpKind kind = h.kind(op);
  if (kind == OpKind::Update) {
    for (const KeyValueId row : h.rows(op)) write(h.key(row), row);
  } else if (is_item_write(kind) && kind != OpKind::Append) {
    if (kind != OpKind::Delete || h.found(op) != false) write(h.key(op), h.value(op));
  }
}

// As itemize, after making sure that predicates mean something, and that each statement ranges over the key without saying its value.
Result<Items> itemize_asked(const History& history, std::span<const Invisible> invisible);

// The invisible reads that some version of their key would break. Sorted; nothing if they are more than `most`.
std::optional<std::vector<Invisible>> all_invisible_reads(const History& history, std::size_t most);

}  // namespace assay
