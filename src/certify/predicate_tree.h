// Evaluates predicates on rows, and ranges on keys, as docs/predicates.md defines under "What a predicate
// says".
//
// The search has an evaluator of its own (history/matches.h), which is made to be fast. This one is made to
// be read: the predicate is a tree, and each node is evaluated in SQL's three-valued logic. Tests compare the
// two on random predicates and rows.
//
// Cost: one comparison for each row and node. A whole table is evaluated node by node, so that numbers are
// compared in one loop.
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

// Negative, zero or positive. Compares two values of one type, which must not be null or rows: numbers
// exactly, strings bytewise, false before true.
int order_of_values(const ScalarPool& pool, Scalar a, Scalar b);

// A column as the predicates of a history name it.
struct ColumnName {
  Scalar name{};
  bool is_key = false;    // the key
  bool is_value = false;  // for a row that is no object: the row itself
};
ColumnName column_named(const ScalarPool& pool, Scalar name);
// The value of a row in the column; null if it has no such column.
Scalar field_of(const History& history, KeyId key, Scalar row, const ColumnName& column);

// Whether the key lies within the bounds.
bool is_in_range(const History& history, const KeyBounds& range, KeyId key);

// The values of all rows of a table in one column.
struct ColumnCells {
  std::vector<Scalar> cells;
  std::vector<std::int64_t> integers;  // the same as integers; 0 where a cell is something else
  std::size_t others = 0;              // how many cells are something else

  void resize(std::size_t rows);  // filled with zeros
  void set(std::size_t row, Scalar value);
};

class PredicateTree {
 public:
  PredicateTree(const History& history, Predicate predicate);

  // No predicate matches null, which means that there is no row.
  bool matches(KeyId key, Scalar row) const;
  // The same for a whole table: sets truths[row] to kTrue where the predicate is true. `cells_of(column)`
  // returns the cells of the rows, and is called only for columns that the predicate names.
  template <class CellsOf>
  void evaluate(std::size_t rows, CellsOf cells_of, std::vector<std::uint8_t>& truths) const {
    evaluate(root_, rows, cells_of, truths);
  }

  static constexpr std::uint8_t kFalse = 0, kUnknown = 1, kTrue = 2;

 private:
  struct Node {
    PredicateOp op{};
    std::vector<Node> operands;  // for and, or, not
    ColumnName column;           // for a comparison, as the rest
    std::vector<Scalar> constants;
    bool has_null = false;  // among the constants
    std::string prefix;     // for like
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

// Returns an error if a predicate or range is invalid, or an operation lists a row that it cannot have found.
// docs/predicates.md says which histories are refused.
Result<void> require_meaning(const History& history);

}  // namespace assay
