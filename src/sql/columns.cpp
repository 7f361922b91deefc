// Columns of unknown number: what columns.h describes.
#include "sql/columns.h"

namespace assay::sql {

Columns Columns::of_unknown_row(ExpressionPtr value) {
  Columns columns;
  if (value) columns.add({"", std::move(value)});
  columns.sure_ = 0;
  return columns;
}

void Columns::append(const Columns& more) {
  if (!is_open() && more.is_open()) sure_ = listed_.size() + more.sure_;
  listed_.insert(listed_.end(), more.listed_.begin(), more.listed_.end());
}

ExpressionPtr Columns::at(std::size_t position) const {
  if (position < sure_) return position < listed_.size() ? listed_[position].value : nullptr;
  std::vector<ExpressionPtr> any;
  for (const NamedColumn& column : listed_)
    if (column.value) any.push_back(column.value);
  return varying(Type::Other, std::move(any));
}

void Columns::rename(const std::vector<std::string>& names) {
  const std::size_t known = std::min({names.size(), sure_, listed_.size()});
  for (std::size_t i = 0; i < known; ++i) listed_[i].name = names[i];
  if (!is_open() || names.size() <= sure_) return;
  // The names go to columns of which only these positions are known now.
  std::vector<NamedColumn> named(listed_.begin(), listed_.begin() + static_cast<std::ptrdiff_t>(known));
  for (std::size_t i = known; i < names.size(); ++i) named.push_back({names[i], at(i)});
  listed_ = std::move(named);
  sure_ = names.size();
}

}  // namespace assay::sql
