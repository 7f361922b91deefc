// What a predicate says of a row, and which keys are in a range: the checker's own reading of
// docs/predicates.md, "What a predicate says".
//
// The search has another one (history/matches.h), which is made to be fast. This one is made to be read: the
// predicate as a tree, each node evaluated in SQL's three-valued logic, as the page says it. Tests hold the
// two against each other on random predicates and rows.
//
// Cost: of a row, one comparison for each node. All rows of a table are asked node by node, so that numbers
// are compared in one loop.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "history/history.h"

namespace assay {

enum class ValueType : std::uint8_t { Null, Boolean, Number, String, Row };
ValueType type_of_value(Scalar value);

// Below, at or above 0. Two values of one type, neither null nor rows: numbers exactly, strings bytewise,
// false before true.
int order_of_values(const ScalarPool& pool, Scalar a, Scalar b);

// What the predicates of a history call a column.
struct ColumnName {
  Scalar name{};
  bool is_key = false;    // the key
  bool is_value = false;  // of a row that is no object: the row itself
};
ColumnName column_named(const ScalarPool& pool, Scalar name);
// What a row has there; null if it has no such column.
Scalar field_of(const History& history, KeyId key, Scalar row, const ColumnName& column);

// Whether the key is from the low to the high bound.
bool is_in_range(const History& history, const KeyBounds& range, KeyId key);

// What all rows of a table have in one column.
struct ColumnCells {
  std::vector<Scalar> cells;
  std::vector<std::int64_t> integers;  // the same, where the cell is one; else 0
  std::size_t others = 0;              // how many cells are something else

  void resize(std::size_t rows);  // of zeros
  void set(std::size_t row, Scalar value);
};

class PredicateTree {
 public:
  PredicateTree(const History& history, Predicate predicate);

  // No row (null) matches nothing.
  bool matches(KeyId key, Scalar row) const;
  // The same of a whole table: by row, 2 where the predicate is true. `cells_of(column)` has the rows' cells,
  // and is not asked about columns that the predicate does not name.
  template <class CellsOf>
  void evaluate(std::size_t rows, CellsOf cells_of, std::vector<std::uint8_t>& truths) const {
    evaluate(root_, rows, cells_of, truths);
  }

  static constexpr std::uint8_t kFalse = 0, kUnknown = 1, kTrue = 2;

 private:
  struct Node {
    PredicateOp op{};
    std::vector<Node> operands;  // of and, or, not
    ColumnName column;           // of a comparison, as the rest
    std::vector<Scalar> constants;
    bool has_null = false;  // among the constants
    std::string prefix;     // of like
  };

  Node read(Predicate predicate, std::size_t& at) const;
  std::uint8_t evaluate(const Node& node, KeyId key, Scalar row) const;
  std::uint8_t compare(const Node& node, Scalar cell) const;
  bool compare_integers(const Node& node, const ColumnCells& cells, std::vector<std::uint8_t>& truths) const;

  template <class CellsOf>
  void evaluate(const Node& node, std::size_t rows, CellsOf cells_of,
                std::vector<std::uint8_t>& truths) const {
    if (!is_connective(node.op)) {
      const ColumnCells& cells = cells_of(node.column.name);
      truths.resize(rows);
      if (compare_integers(node, cells, truths)) return;
      for (std::size_t i = 0; i < rows; ++i) truths[i] = compare(node, cells.cells[i]);
      return;
    }
    evaluate(node.operands.front(), rows, cells_of, truths);
    if (node.op == PredicateOp::Not)
      for (std::uint8_t& truth : truths) truth = static_cast<std::uint8_t>(kTrue - truth);
    std::vector<std::uint8_t> others;
    for (std::size_t operand = 1; operand < node.operands.size(); ++operand) {
      evaluate(node.operands[operand], rows, cells_of, others);
      for (std::size_t i = 0; i < rows; ++i)
        truths[i] =
            node.op == PredicateOp::And ? std::min(truths[i], others[i]) : std::max(truths[i], others[i]);
    }
  }

  const History* history_;
  Node root_;
};

// An error if a predicate or range cannot mean anything, or an operation lists what it cannot have met:
// docs/predicates.md says which histories are refused.
Result<void> require_meaning(const History& history);

}  // namespace assay
