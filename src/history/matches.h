// Whether a row matches a predicate or lies in a range. For the checker of certificates this is written a
// second time (certify/predicate_tree.h); everybody else asks here.
//
// A predicate speaks about columns. "key" is the key; of a row that is an object every other column is a
// field, of a scalar row "value" is the row itself; a column that a row does not have is null. Null (a key
// that is unborn or dead) matches nothing, not even `not P`. Inside a row SQL's three-valued logic holds:
// what compares with null is unknown, and a row matches when the whole is true.
//
// RowTest is asked of every version of every key, so it is prepared once per predicate: asking costs a few
// comparisons, a binary search for `in`, and never allocates. All rows of a table are asked in one go,
// comparison by comparison: truths are 0, 1 and 2, so that `and` is the smaller, `or` the larger and `not`
// the mirror.
#pragma once

#include <vector>

#include "base/result.h"
#include "history/history.h"
#include "history/table_state.h"

namespace assay {

// A predicate made ready to be asked of many rows. Refers to the history's pool and keys.
class RowTest {
 public:
  RowTest(const History& history, Predicate predicate);

  bool operator()(KeyId key, Scalar value) const;
  // By place: 1 if the row there matches, or 0.
  void ask_all(const TableState& table, std::vector<std::uint8_t>& matches) const;

 private:
  enum class Truth : std::uint8_t { False, Unknown, True };
  // A node of the predicate; a comparison has its constants inside.
  struct Node {
    PredicateOp op;
    bool null_among_constants;
    std::uint32_t end;  // behind its operands
    ColumnOf column;
    Scalar first, second;            // constants of a comparison
    std::uint32_t in_begin, in_end;  // constants of `in`: part of in_, sorted
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

// Integers numerically, strings bytewise; a key of another type than the bounds is outside.
bool in_bounds(const History& history, const KeyBounds& bounds, KeyId key);

// What makes a history with predicates meaningless: a predicate that compares a column with a constant of
// another type than some row has there, `like` with anything but a prefix pattern ("abc%"), a scan in a
// table with keys of another type, an operation that shows a key twice or a row that it cannot have seen
// (outside the range, not matching). The error names transaction and operation. Time is linear in values and
// operations.
Result<void> check_predicates(const History& history);

}  // namespace assay
