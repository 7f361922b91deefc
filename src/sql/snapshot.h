// Which snapshot a statement reads with under read committed, and which snapshots are surely newer than
// others.
//
// A top-level statement takes its snapshot before it runs. A statement of a VOLATILE function takes one of
// its own when its turn comes; a function that is STABLE or IMMUTABLE reads with the snapshot of its caller.
// So snapshots form a tree, and each is named by its path from the root: a position among the statements of
// the program, then a call in that statement, then a position among the statements of the called function,
// and so on. Statements of one body run one after the other. Calls in one statement run in an order that the
// server chooses, and the statement itself goes on reading with its old snapshot after a call has returned.
// So a lock protects only what is read with a snapshot that is_surely_after() the statement which takes the
// lock.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay::sql {

class Snapshot {
 public:
  // Before everything that a program does.
  Snapshot() = default;

  friend bool operator==(const Snapshot&, const Snapshot&) = default;
  // Whether this snapshot is taken when the other statement has ended, calls in it included.
  bool is_surely_after(const Snapshot& statement) const;
  // Whether this snapshot belongs to a statement of a function that the other statement calls.
  bool is_inside(const Snapshot& statement) const;
  // The same, where only what the program itself says counts: calls belong to the statement that makes them.
  bool is_of_later_statement(const Snapshot& statement) const;
  // Whether it belongs to a statement of a function that the program calls, not of the program itself.
  bool is_of_called_function() const { return path_.size() > own_place() + 1; }
  std::string name() const;  // different snapshots of a program have different names

  void next_statement() { ++path_.back(); }
  // Before the first statement of a function that this statement calls; no other call has the number.
  Snapshot of_call(std::uint32_t call) const;

 private:
  explicit Snapshot(std::vector<std::uint32_t> path) : path_(std::move(path)) {}
  // Where the path has the position among the statements of the program. One that is a function is called
  // before any statement, at position 0.
  std::size_t own_place() const { return path_.front() == 0 && path_.size() > 1 ? 2 : 0; }
  // Positions at even places, calls at odd ones.
  std::vector<std::uint32_t> path_{0};
};

}  // namespace assay::sql
