// Gates in the user's functions: where a running function says how far it is, and waits to be let on.
//
// A replay runs the user's real functions, because only they have the real locks, handlers of exceptions,
// triggers and dynamic SQL. To run two of them interleaved, each volatile function gets a gate in front of
// every statement: `IF gate(17, format('v = %L', v)) THEN END IF;`. The gate tells the client its number and
// what the variables hold, in a message, and waits until the client's other connection holds an advisory
// lock with a key that the gate has just made up.
//
// A gate changes nothing that the program can notice: an IF leaves FOUND and ROW_COUNT alone; it reads and
// writes no table, and has no transaction number; it holds no lock while it waits (it tries the key, gives it
// back, and sleeps), so neither deadlocks nor lock timeouts come of it; keys are large negative numbers made
// of the time, which no application uses. At READ COMMITTED each statement of a function takes a snapshot of
// its own anyway; at the other levels the snapshot is that of the call. Functions that are not volatile see
// the snapshot of the statement that calls them, so they have no gates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sql/as_written.h"

namespace assay::replay {

struct Gate {
  std::size_t number;
  sql::Place place;
};

class Gates {
 public:
  // `schema`: where the gate function is.
  Gates(const sql::Written& written, const std::string& schema);

  // CREATE FUNCTION gate. It waits in sessions whose setting assay.lane is a number, and only tells where it
  // is in those with `trace`; in all others it does nothing.
  std::string create_gate() const;
  // The statement that creates function `number`, with gates in its body.
  const std::string& create_function(std::size_t number) const { return functions_[number]; }

  const Gate& operator[](std::size_t number) const { return gates_[number]; }
  std::size_t size() const { return gates_.size(); }
  // The gate in front of the call of a function, or of a statement of a script.
  const Gate& call_of(std::size_t function) const { return gates_[calls_[function]]; }
  const Gate& statement_of(std::size_t script, std::size_t statement) const {
    return gates_[scripts_[script][statement]];
  }
  // The gates that a statement at this place is behind, as their common line, when `caller` runs: a function,
  // or none. None: there is no gate of its own.
  std::optional<sql::Place> before(const sql::Place& place, std::optional<std::size_t> caller) const;

 private:
  struct Region {          // of the text of one function or script
    std::size_t function;  // SIZE_MAX: a script
    sql::Place first;
    std::size_t last_line;
    std::vector<std::size_t> gates;
  };
  std::size_t add(const sql::Place& place);
  std::string gate_call(std::size_t number, const std::vector<std::string>& variables) const;
  std::string with_gates(const sql::WrittenFunction& function, Region& region);

  const std::string schema_;
  std::vector<Gate> gates_;
  std::vector<std::string> functions_;
  std::vector<std::size_t> calls_;
  std::vector<std::vector<std::size_t>> scripts_;
  std::vector<Region> regions_;
};

// What a gate tells the client.
struct GateMessage {
  std::size_t number;
  std::string key;   // of the lock that it waits for; empty: it does not wait
  std::string seen;  // its variables
};
inline constexpr std::string_view kGateState = "AS001";  // SQLSTATE of the message
std::optional<GateMessage> parse_gate_message(std::string_view text);

}  // namespace assay::replay
