// Builds a Program statement by statement; blocks open and close like brackets.
//
// The lowering of SQL text uses it, and so do tests that need no text. It keeps the numbers of statements,
// the depth of variables and the places; single assignment is the caller's business.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/program.h"

namespace assay::sql {

class ProgramBuilder {
 public:
  explicit ProgramBuilder(std::string name, Place place = {});

  ExpressionPtr parameter(std::string name, Type type = Type::Integer, bool is_set = false);
  // A variable that the next statements set; its depth is that of the open loops.
  VariableId local(std::string name, Type type = Type::Integer, bool is_set = false);
  ExpressionPtr value_of(VariableId id) const;

  // Statements appended from now on stand here and are one statement of the text until the next call.
  void at(Place place);
  // What is appended from now on reads with a snapshot of its own, as each expression of a statement of
  // PL/pgSQL does. Inside a function that keeps its caller's snapshot it reads with that one.
  void take_snapshot();
  // The statements of a called function stand between the two. Behind them the statement that called it goes
  // on, with the snapshot that it has.
  void enter_call(bool keeps_snapshot);
  void leave_call(Place caller);
  // Appends; without a call of at() in between each is a statement of its own.
  void append(decltype(Statement::what) what);

  void begin_if(ExpressionPtr condition);
  void otherwise();
  // The variables of a round exist inside the loop: enter_loop(), local() for each, begin_loop(), body,
  // end().
  void enter_loop() { ++depth_; }
  void begin_loop(Loop loop);
  // Of the loop that has just ended.
  void hands_on(std::vector<Loop::Carried> carried, ExpressionPtr last);
  void end();  // an If with nothing inside is left out

  std::size_t open_blocks() const { return open_.size(); }
  Program& program() { return program_; }
  Program finish();  // every block must be closed

 private:
  // An If or a Loop whose statements are still being appended.
  struct Open {
    Statement head;
    Block block;
    bool second = false;  // of an If: the block is `otherwise`
  };
  Statement placed(decltype(Statement::what) what);
  Block& block() { return open_.empty() ? program_.body : open_.back().block; }

  Program program_;
  std::vector<Open> open_;
  Place place_;
  std::uint32_t number_ = 0, depth_ = 0;
  struct Caller {
    Snapshot snapshot;
    bool keeps_snapshot;
  };
  std::vector<Caller> callers_;
  Snapshot snapshot_;
  bool keeps_snapshot_ = false;  // the function whose statements are appended
  std::uint32_t calls_ = 0;
  bool numbered_ = false;  // at() has given the number of the next statements
};

}  // namespace assay::sql
