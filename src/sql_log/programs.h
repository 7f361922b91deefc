// From the transactions of a log to the programs that an application consists of.
//
// Transactions with the same statements, whatever their values, are one program, and their values are its
// parameters. What is assumed about values could hide anomalies. So it is little, it held in every
// transaction seen, and the comments of the program say it:
// - Two values are one parameter if they were equal every time, differed between transactions, and meet the
// same
//   column, or columns that a foreign key connects. Small numbers are often equal by chance: a user 1 and an
//   order 1.
// - A literal is a constant of the program if it was the same every time and the client sent the statement's
//   other values as parameters, or if it is TRUE, FALSE or NULL.
// Everything else is a parameter of its own, also what the application calculated from what it had read.
#pragma once

#include <map>

#include "sql_log/transactions.h"

namespace assay::sql_log {

// A slot of a program's statements, with what is known of its values.
struct SeenSlot {
  std::size_t statement, slot;
  std::size_t like = 0;  // slots with the same number had the same value every time
  std::optional<std::string> first{};
  bool varied = false;
};

struct SeenProgram {
  std::vector<SeenStatement> statements;
  std::vector<SeenSlot> slots;
  std::size_t times = 0;
  std::map<std::string, std::size_t> levels{};  // how often each was set
};

class ProgramCollector {
 public:
  void add(const SeenTransaction& transaction, std::size_t times = 1);
  std::vector<SeenProgram> take() { return std::move(programs_); }  // in the order of the log

 private:
  std::vector<SeenProgram> programs_;
  std::map<std::string, std::size_t> by_shape_;
};

}  // namespace assay::sql_log
