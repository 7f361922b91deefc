// Whether a row matches a predicate, or lies in a range. All code asks here, except the checker of
// certificates, which has its own implementation (certify/predicate_tree.h).
//
// A predicate refers to columns. The column "key" is the key itself. A row that is an object has its fields
// as columns; a row that is a scalar has one column, "value". A column that a row lacks is null. An absent
// row (unborn or deleted) matches nothing, not even `not P`. Within a row SQL's three-valued logic holds: a
// comparison with null is unknown, and a row matches when the whole predicate is true.
//
// A RowTest is applied to every version of every key, so it is compiled once per predicate. One application
// costs a few comparisons, a binary search for `in`, and never allocates. ask_all() tests all rows of a table
// together, one comparison at a time. It stores false, unknown and true as 0, 1 and 2, so that `and` is the
// minimum, `or` the maximum and `not` 2 - x.
#pragma once

#include <vector>

#include "base/result.h"
#include "history/history.h"
#include "history/table_state.h"

namespace assay {

// A compiled predicate. Refers to the history's pool and keys.
class RowTest {
 public:
  RowTest(const History& history, Predicate predicate);

  bool operator()(KeyId key, Scalar value) const;
  // Sets matches[place] to 1 if the row at this place of the table matches, and to 0 otherwise.
  void ask_all(const TableState& table, std::vector<std::uint8_t>& matches) const;

 private:
  enum class Truth : std::uint8_t { False, Unknown, True };
  // A node of the predicate. A comparison includes its constants.
  struct Node {
    PredicateOp op;
    bool null_among_constants;
    std::uint32_t end;  // index of the node after the last operand
    ColumnOf column;
    Scalar first, second;            // constants of a comparison
    std::uint32_t in_begin, in_end;  // constants of `in`: a sorted part of in_
    std::string_view prefix;         // of `like`
  };

  void prepare(Predicate predicate, std::size_t& at);
  void prepare_comparison(Predicate predicate, std::size_t& at, Node& node);
  Truth evaluate(std::size_t at, KeyId key, Scalar value) const;
  Truth compare(const Node& node, Scalar value) const;
  Truth is_in(const Node& node, Scalar value) const;
  void evaluate_all(std::size_t at, const TableState& table, std::vector<std::uint8_t>& truths) const;
  void compare_all(const Node& node, const TableState& table, std::vector<std::uint8_t>& truths) const;

  const History* history_;
  std::vector<Node> nodes_;
  std::vector<Scalar> in_;
};

// Compares integers numerically and strings bytewise. A key of another type than the bounds is outside.
bool in_bounds(const History& history, const KeyBounds& bounds, KeyId key);

// Rejects a history whose predicates are meaningless: a predicate that compares a column with a constant of
// another type than some row has there; `like` with anything but a prefix pattern ("abc%"); a scan in a table
// with keys of another type; an operation that returns a key twice, or a row that it cannot have seen
// (outside the range, or not matching). The error names transaction and operation. Linear in values and
// operations.
Result<void> check_predicates(const History& history);

}  // namespace assay
