// The columns of a relation or of a result, in order, when their number may be unknown.
//
// An expansion such as `f.*` may stand for any number of columns. Those in front of it stand where they are
// listed. Those behind it are known by name only, and there may be more of them: at their positions any value
// is assumed. Whoever matches columns with targets (INSERT columns, INTO variables, names of an alias) asks
// at(), which tells "there is no such column" from "there may be one".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sql/expression.h"

namespace assay::sql {

struct NamedColumn {
  std::string name;     // empty: it cannot be named
  ExpressionPtr value;  // null: DEFAULT
};

class Columns {
 public:
  Columns() = default;
  explicit Columns(std::vector<NamedColumn> all) : listed_(std::move(all)) {}
  // Of a row of unknown shape, which depends on `value`.
  static Columns of_unknown_row(ExpressionPtr value);

  void add(NamedColumn column) { listed_.push_back(std::move(column)); }
  void append(const Columns& more);
  // From here on no position is known.
  void open() { sure_ = std::min(sure_, listed_.size()); }
  void open_from(std::size_t position) { sure_ = std::min(sure_, position); }
  bool is_open() const { return sure_ != kAll; }

  // The value at this position: null when there is no such column, or where DEFAULT stands.
  ExpressionPtr at(std::size_t position) const;
  // How many columns to match with `targets` targets.
  std::size_t width(std::size_t targets) const { return is_open() ? targets : listed_.size(); }
  // The names of an alias, for the first columns.
  void rename(const std::vector<std::string>& names);

  std::size_t size() const { return listed_.size(); }  // of those that are listed
  bool empty() const { return listed_.empty(); }
  auto begin() const { return listed_.begin(); }
  auto end() const { return listed_.end(); }
  auto begin() { return listed_.begin(); }
  auto end() { return listed_.end(); }
  NamedColumn& operator[](std::size_t i) { return listed_[i]; }
  const NamedColumn& operator[](std::size_t i) const { return listed_[i]; }

 private:
  static constexpr std::size_t kAll = SIZE_MAX;
  std::vector<NamedColumn> listed_;
  std::size_t sure_ = kAll;  // so many stand where they are listed
};

}  // namespace assay::sql
