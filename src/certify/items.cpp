#include "certify/items.h"

#include <algorithm>
#include <optional>

#include "certify/predicate_tree.h"
#include "history/builder.h"
#include "verdict/operation_place.h"

namespace assay {
namespace {

// Whether the transaction writes the key of the row before its update-maybe, or reads, scans or writes it
// afterwards.
bool is_mentioned_besides(const History& h, IdRange<OpId> transaction, Invisible row) {
  for (const OpId op : transaction) {
    if (op == row.op) continue;
    const OpKind kind = h.kind(op);
    const auto lists_it = [&] {
      return std::ranges::any_of(h.rows(op), [&](KeyValueId listed) { return h.key(listed) == row.key; });
    };
    bool speaks_of_it = false, writes_it = false;
    if (is_one_key(kind)) {
      speaks_of_it = h.key(op) == row.key;
      writes_it = speaks_of_it && is_item_write(kind);
    } else {
      writes_it = (kind == OpKind::Update || kind == OpKind::UpdateMaybe) && lists_it();
      speaks_of_it = writes_it || kind == OpKind::Select || kind == OpKind::Update ||
                     (kind == OpKind::Scan && is_in_range(h, h.bounds(op), row.key));
    }
    if (op < row.op ? writes_it : speaks_of_it) return true;
  }
  return false;
}

// Whether the rows are in increasing order and belong to this history.
template <class Lines, class RowOf>
bool are_in_order(const History& h, const Lines& lines, RowOf row_of) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Invisible row = row_of(lines[i]);
    if (row.op.index() >= h.operation_count() || row.key.index() >= h.key_count()) return false;
    if (i > 0 && !(row_of(lines[i - 1]) < row)) return false;
  }
  return true;
}

class ItemMaker {
 public:
  ItemMaker(const History& history, const Completion& lines)
      : h_(history),
        lines_(lines),
        b_(HistoryBuilder::like(history)),
        open_value_(history.key_value_count()) {}

  Result<ItemHistory> run() {
    const auto itself = [](const Invisible& row) { return row; };
    if (!are_in_order(h_, lines_.truths, [](const Truth& truth) { return truth.row(); }) ||
        !are_in_order(h_, lines_.rows, itself) || !are_in_order(h_, lines_.reads, itself))
      return error("took, left, row and read lines must be in order, about operations and keys that exist");
    outcomes_ = known_outcomes(h_);
    ASSAY_TRY(take_truths());
    ASSAY_TRY(take_rows());
    ASSAY_TRY(check_reads());
    leave_out_open_rows();
    for (const TxnId t : h_.transactions()) ASSAY_TRY(transaction(t));
    auto built = std::move(b_).build();
    if (!built) return std::move(built).error();
    return ItemHistory{std::move(built).value(), std::move(origin_), std::move(outcomes_), lines_.reads};
  }

 private:
  // Checks what the lines may ask for.

  Result<void> take_truths() {
    const std::vector<Invisible> open = open_rows(h_, outcomes_);
    for (const Truth& truth : lines_.truths)
      if (!std::ranges::binary_search(open, truth.row()))
        return error(
            "a took or left line is about a row of which that is known, or that no update-maybe lists");
    for (const Truth& truth : lines_.truths) outcomes_.set(truth.row(), truth.took);
    return {};
  }

  Result<void> take_rows() {
    if (lines_.rows.empty()) return {};
    const std::vector<Invisible> open = open_rows(h_, outcomes_);
    for (const Invisible& row : lines_.rows) {
      const TxnId t = transaction_of(h_, row.op);
      if (!std::ranges::binary_search(open, row) || h_.outcome(t) != Outcome::Committed ||
          is_mentioned_besides(h_, h_.operations(t), row))
        return error(
            "a row line is about a row of which it is known or supposed whether it was changed, or that is "
            "not by itself in its transaction");
    }
    conditional_ = lines_.rows;
    return {};
  }

  Result<void> check_reads() const {
    std::vector<KeyId> listed;
    OpId last;
    for (const Invisible& read : lines_.reads) {
      const OpKind kind = h_.kind(read.op);
      if (!ranges_over_rows(kind)) return error("a read line names an operation without rows");
      if (last != read.op) listed = listed_keys(read.op);
      last = read.op;
      const bool lists_it = std::ranges::binary_search(listed, read.key);
      bool is_invisible = false;
      switch (kind) {
        case OpKind::Scan: is_invisible = !lists_it && is_in_range(h_, h_.bounds(read.op), read.key); break;
        case OpKind::Select: is_invisible = !lists_it; break;
        case OpKind::Update: is_invisible = true; break;
        default: is_invisible = lists_it && outcomes_.of(read).has_value();
      }
      if (!is_invisible || h_.is_list(read.key))
        return error("a read line names a key of which the statement says the value, or nothing");
    }
    return {};
  }

  std::vector<KeyId> listed_keys(OpId op) const {
    std::vector<KeyId> keys;
    for (const KeyValueId row : h_.rows(op)) keys.push_back(h_.key(row));
    std::ranges::sort(keys);
    return keys;
  }

  // Leaves out the rows whose outcome is open and which no line requests, and the conditional writes of their
  // keys.
  void leave_out_open_rows() {
    std::vector<bool> has_open(h_.key_count());
    const std::vector<Invisible> open = open_rows(h_, outcomes_);
    for (const Invisible& row : open)
      if (!std::ranges::binary_search(lines_.rows, row)) has_open[row.key.index()] = true;
    std::erase_if(conditional_, [&](const Invisible& row) { return has_open[row.key.index()]; });
    for (const OpId op : h_.operations()) {
      if (h_.kind(op) != OpKind::UpdateMaybe) continue;
      for (const KeyValueId row : h_.rows(op))
        if (!outcomes_.of(op, h_.key(row)) && !is_conditional({op, h_.key(row)}))
          open_value_[row.index()] = true;
    }
  }

  bool is_conditional(Invisible row) const { return std::ranges::binary_search(conditional_, row); }

  // The items.

  Result<void> transaction(TxnId t) {
    Outcome outcome = h_.outcome(t);
    for (const OpId op : h_.operations(t)) {
      is_first_ = true;
      operation(op);
      if (outcome == Outcome::Unknown && h_.kind(op) == OpKind::UpdateMaybe &&
          !may_have_its_count(h_, op, count_rows(h_, op, outcomes_)))
        outcome = Outcome::Aborted;
    }
    return b_.finish(
        {.session = h_.session(t), .name = h_.name(t), .outcome = outcome, .instants = h_.instants(t)});
  }

  void operation(OpId op) {
    switch (h_.kind(op)) {
      case OpKind::Read: return read(op, h_.value(op));
      case OpKind::Write:
      case OpKind::Append: return item(op, h_.kind(op), h_.value(op));
      case OpKind::ListRead:
      case OpKind::ReadOneOf: return read_one_of(op, h_.key(op), h_.rows(op));
      case OpKind::Insert:
        read_where(op, h_.key(op), [](Scalar met) { return met.is_null(); });
        return item(op, OpKind::Write, h_.value(op));
      case OpKind::Delete:
        if (const auto found = h_.found(op))
          read_where(op, h_.key(op), [&](Scalar met) { return met.is_null() != *found; });
        if (h_.found(op) != false) item(op, OpKind::Delete, h_.value(op));
        return;
      case OpKind::Scan:
      case OpKind::Select:
        for (const KeyValueId row : h_.rows(op)) read(op, row);
        return invisible_reads(op);
      case OpKind::Update:
        invisible_reads(op);
        for (const KeyValueId row : h_.rows(op)) item(op, OpKind::Write, row);
        return;
      case OpKind::UpdateMaybe: return update_maybe(op);
    }
  }

  void update_maybe(OpId op) {
    invisible_reads(op);
    std::uint64_t asked = 0;
    for (const KeyValueId row : h_.rows(op)) asked += is_conditional({op, h_.key(row)});
    const RowCounts rows = count_rows(h_, op, outcomes_);
    std::optional<std::uint64_t> count = h_.count(op);
    if (count && asked == rows.open && may_have_its_count(h_, op, rows)) *count -= rows.changed;
    else count.reset();
    for (const KeyValueId row : h_.rows(op)) {
      const Invisible place{op, h_.key(row)};
      if (outcomes_.of(place) == true) {
        item(op, OpKind::Write, row);
      } else if (is_conditional(place)) {
        begin_item(op);
        b_.conditional_write(row, h_.predicate(op), count);
      }
    }
  }

  void invisible_reads(OpId op) {
    const auto asked = std::ranges::equal_range(lines_.reads, op, {}, &Invisible::op);
    if (asked.empty()) return;
    const std::vector<KeyId> listed = listed_keys(op);
    std::optional<PredicateTree> tree;
    if (h_.kind(op) != OpKind::Scan) tree.emplace(h_, h_.predicate(op));
    for (const Invisible& line : asked) {
      const bool matched = h_.kind(op) == OpKind::UpdateMaybe ? outcomes_.of(line) == true
                                                              : std::ranges::binary_search(listed, line.key);
      read_where(op, line.key, [&](Scalar met) {
        return (tree ? tree->matches(line.key, met) : !met.is_null()) == matched;
      });
    }
  }

  // Reads that may have returned the version of an open row are left out.

  void read(OpId op, KeyValueId value) {
    if (!open_value_[value.index()]) item(op, OpKind::Read, value);
  }

  void read_one_of(OpId op, KeyId key, std::span<const KeyValueId> values) {
    if (std::ranges::any_of(values, [&](KeyValueId value) { return open_value_[value.index()]; })) return;
    begin_item(op);
    b_.numbered(h_.kind(op) == OpKind::ListRead ? OpKind::ListRead : OpKind::ReadOneOf, key, values);
  }

  template <class Accepts>
  void read_where(OpId op, KeyId key, Accepts accepts) {
    if (!values_) values_.emplace(h_);
    std::vector<KeyValueId> possible;
    for (const KeyValueId value : values_->of(key))
      if (accepts(h_.value(value))) possible.push_back(value);
    read_one_of(op, key, possible);
  }

  void item(OpId op, OpKind kind, KeyValueId value) {
    begin_item(op);
    b_.numbered(kind, value);
  }

  void begin_item(OpId op) {
    origin_.push_back(op);
    if (!is_first_) b_.same_statement();
    is_first_ = false;
  }

  const History& h_;
  const Completion& lines_;
  HistoryBuilder b_;
  RowOutcomes outcomes_;
  std::vector<Invisible> conditional_;  // rows whose conditional writes are made
  std::vector<bool> open_value_;        // by value: an open row may have written it
  std::optional<NamedValues> values_;   // computed on first use
  std::vector<OpId> origin_;
  bool is_first_ = true;  // the next item is the first of its operation
};

}  // namespace

bool has_items(const History& h) {
  return std::ranges::any_of(h.operations(), [&](OpId op) {
    return h.kind(op) == OpKind::Insert || h.kind(op) == OpKind::Delete || !is_one_key(h.kind(op));
  });
}

bool ItemHistory::has_read_line(Invisible read) const { return std::ranges::binary_search(read_lines, read); }

Result<ItemHistory> items_of(const History& history, const Completion& lines) {
  ASSAY_TRY(require_meaning(history));
  return ItemMaker(history, lines).run();
}

}  // namespace assay
