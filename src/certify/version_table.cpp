#include "certify/version_table.h"

namespace assay {

VersionTable::VersionTable(const History& history, const RowOutcomes& outcomes)
    : h_(&history), outcomes_(&outcomes), row_(history.key_count()) {
  for (const KeyId key : history.keys())
    if (!history.is_list(key)) keys_.push_back(key);
  std::ranges::sort(keys_, [&](KeyId a, KeyId b) {
    const Scalar left = history.name(a), right = history.name(b);
    if (left.kind != right.kind) return left.kind < right.kind;
    return order_of_values(history.pool(), left, right) < 0;
  });
  for (std::uint32_t row = 0; row < keys_.size(); ++row) row_[keys_[row].index()] = row;
  for (const OpId op : history.operations()) {
    if (!has_predicate(history.kind(op))) continue;
    for (const PredicateNode& node : history.predicate(op)) {
      if (is_connective(node.op) || node.op == PredicateOp::Constant) continue;
      if (std::ranges::find(columns_, node.scalar, &ColumnName::name) != columns_.end()) continue;
      columns_.push_back(column_named(history.pool(), node.scalar));
    }
  }
  cells_.resize(columns_.size());
  for (ColumnCells& cells : cells_) cells.resize(keys_.size());
  versions_.resize(keys_.size());
  is_there_.resize(keys_.size());
  said_.resize(keys_.size());
  unknown_ = keys_.size();
  for (const KeyId key : keys_) put(key, {history.initial_value(key), TxnId::none()});
}

void VersionTable::put(KeyId key, Version version) {
  const std::size_t row = row_[key.index()];
  unknown_ -= versions_[row].value.is_none();
  unknown_ += version.value.is_none();
  versions_[row] = version;
  const Scalar value = version.value.is_none() ? Scalar::null() : h_->value(version.value);
  is_there_[row] = !value.is_null();
  for (std::size_t column = 0; column < columns_.size(); ++column)
    cells_[column].set(row,
                       value.is_null() ? Scalar::integer(0) : field_of(*h_, key, value, columns_[column]));
}

const ColumnCells& VersionTable::cells_of(Scalar column) const {
  const auto found = std::ranges::find(columns_, column, &ColumnName::name);
  ASSAY_REQUIRE(found != columns_.end());
  return cells_[static_cast<std::size_t>(found - columns_.begin())];
}

void VersionTable::find(OpId statement) {
  if (h_->kind(statement) == OpKind::Scan) {
    const KeyBounds range = h_->bounds(statement);
    const auto is_below = [&](KeyId key) {
      return order_of_values(h_->pool(), h_->name(key), range.low) < 0;
    };
    const auto is_not_above = [&](KeyId key) {
      return order_of_values(h_->pool(), h_->name(key), range.high) <= 0;
    };
    // All keys have the type of the bounds, as require_meaning() ensures.
    const auto first = std::ranges::partition_point(keys_, is_below);
    const auto beyond = std::partition_point(first, keys_.end(), is_not_above);
    first_ = static_cast<std::size_t>(first - keys_.begin());
    beyond_ = static_cast<std::size_t>(beyond - keys_.begin());
    found_.resize(keys_.size());
    std::copy(is_there_.begin() + static_cast<std::ptrdiff_t>(first_),
              is_there_.begin() + static_cast<std::ptrdiff_t>(beyond_),
              found_.begin() + static_cast<std::ptrdiff_t>(first_));
  } else {
    first_ = 0;
    beyond_ = keys_.size();
    PredicateTree(*h_, h_->predicate(statement))
        .evaluate(
            keys_.size(), [&](Scalar column) -> const ColumnCells& { return cells_of(column); }, found_);
    for (std::size_t row = 0; row < found_.size(); ++row)
      found_[row] = static_cast<std::uint8_t>(is_there_[row] & (found_[row] == PredicateTree::kTrue));
  }
  for (const KeyValueId listed : h_->rows(statement)) said_[row_[h_->key(listed).index()]] = 1;
}

void VersionTable::forget(OpId statement) {
  for (const KeyValueId listed : h_->rows(statement)) said_[row_[h_->key(listed).index()]] = 0;
}

bool VersionTable::is_all_as_said() const {
  return std::equal(found_.begin() + static_cast<std::ptrdiff_t>(first_),
                    found_.begin() + static_cast<std::ptrdiff_t>(beyond_),
                    said_.begin() + static_cast<std::ptrdiff_t>(first_));
}

}  // namespace assay
