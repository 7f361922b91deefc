#include "history/table_state.h"

#include <algorithm>

#include "base/contract.h"
#include "history/matches.h"
#include "history/scalar_order.h"

namespace assay {
namespace {

bool name_less(const ScalarPool& pool, Scalar a, Scalar b) {
  return a.kind != b.kind ? a.kind < b.kind : compare(pool, a, b) < 0;
}

}  // namespace

ColumnOf column_of(const ScalarPool& pool, Scalar name) {
  using Kind = ColumnOf::Kind;
  return {name, pool.text(name) == "key"     ? Kind::Key
                : pool.text(name) == "value" ? Kind::Value
                                             : Kind::Field};
}

Scalar cell(const History& history, KeyId key, Scalar value, const ColumnOf& column) {
  if (column.kind == ColumnOf::Kind::Key) return history.name(key);
  if (value.kind != ScalarKind::Row) return column.kind == ColumnOf::Kind::Value ? value : Scalar::null();
  for (const RowField field : history.pool().fields(value))
    if (field.column == column.name) return field.value;
  return Scalar::null();
}

TableState::TableState(const History& history) : h_(history), place_(history.key_count()) {
  for (const KeyId key : h_.keys())
    if (!h_.is_list(key)) keys_.push_back(key);
  std::ranges::sort(keys_, [&](KeyId a, KeyId b) { return name_less(h_.pool(), h_.name(a), h_.name(b)); });
  for (std::uint32_t place = 0; place < keys_.size(); ++place) place_[keys_[place].index()] = place;
  for (const KeyId key : keys_) names_.push_back(h_.name(key));
  rows_.resize(keys_.size());
  exists_.resize(keys_.size());
  for (const OpId op : h_.operations())
    if (has_predicate(h_.kind(op)))
      for (const PredicateNode& node : h_.predicate(op))
        if (node.op != PredicateOp::Constant && !is_connective(node.op)) add_column(node.scalar);
  unknown_ = keys_.size();
  for (const KeyId key : keys_)
    if (!h_.initial_value(key).is_none()) put(key, {h_.initial_value(key), TxnId::none()});
}

void TableState::add_column(Scalar name) {
  if (std::ranges::find(columns_, name, [](const Column& c) { return c.of.name; }) != columns_.end()) return;
  columns_.push_back({column_of(h_.pool(), name), {}});
  Cells& cells = columns_.back().cells;
  cells.kind.assign(keys_.size(), ScalarKind::Integer);
  cells.bits.resize(keys_.size());
}

void TableState::set(Cells& cells, std::size_t place, Scalar value) {
  cells.no_integers -= cells.kind[place] != ScalarKind::Integer;
  cells.no_integers += value.kind != ScalarKind::Integer;
  cells.kind[place] = value.kind;
  cells.bits[place] = value.bits;
}

void TableState::put(KeyId key, Row row) {
  const std::size_t place = place_[key.index()];
  unknown_ += row.value.is_none();
  unknown_ -= rows_[place].value.is_none();
  rows_[place] = row;
  const Scalar value = row.value.is_none() ? Scalar::null() : h_.value(row.value);
  exists_[place] = !value.is_null();
  for (Column& column : columns_)
    set(column.cells, place, value.is_null() ? Scalar::integer(0) : cell(h_, key, value, column.of));
}

std::pair<std::size_t, std::size_t> TableState::places(const KeyBounds& bounds) const {
  if (bounds.low.kind != bounds.high.kind) return {0, 0};
  const auto less = [&](Scalar a, Scalar b) { return name_less(h_.pool(), a, b); };
  const auto first = std::ranges::lower_bound(names_, bounds.low, less);
  const auto last = std::ranges::upper_bound(names_, bounds.high, less);
  return {first - names_.begin(), std::max(first, last) - names_.begin()};
}

const TableState::Cells& TableState::cells(Scalar column) const {
  const auto found = std::ranges::find(columns_, column, [](const Column& c) { return c.of.name; });
  ASSAY_REQUIRE(found != columns_.end());
  return found->cells;
}

}  // namespace assay
