// What a format can say, as data, and the one check that all writers share.
//
// A writer states its format's powers in an `Expressible` and asks express() before it writes a
// byte. What is missing falls into three classes:
//   - content whose loss could change a verdict (unknown outcomes, lists, other initial values, keys
//     that do not fit): always an error;
//   - content whose loss cannot, at levels without instants (instants, the note, reads of aborted
//     transactions, empty transactions): an error, unless the caller accepts the loss;
//   - labels (names of sessions and transactions): only listed.
// The writer then leaves out what the report lists. Cost: one pass over the history.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "history_io/format.h"

namespace assay {

// A set of the values of a small enum.
template <class E>
class EnumSet {
 public:
  constexpr EnumSet(std::initializer_list<E> members) {
    for (const E member : members) bits_ |= bit(member);
  }
  constexpr bool has(E member) const { return (bits_ & bit(member)) != 0; }

 private:
  static constexpr std::uint32_t bit(E member) { return std::uint32_t{1} << static_cast<unsigned>(member); }
  std::uint32_t bits_ = 0;
};

enum class Instant : std::uint8_t { Begin, Began, Committing, End };

// The names that survive. Numbered: none, a reader calls sessions 1, 2, 3, ... and transactions nothing.
// Any: all, and that a transaction has none.
enum class Names : std::uint8_t { Numbered, Naturals, Integers, Any };

struct Expressible {
  std::string_view format;  // its id, for messages

  EnumSet<OpKind> operations{OpKind::Read, OpKind::Write};
  EnumSet<ScalarKind> keys{ScalarKind::Integer};
  EnumSet<ScalarKind> values{ScalarKind::Integer};  // with Null: a read may return it
  EnumSet<Outcome> outcomes{Outcome::Committed, Outcome::Aborted};
  EnumSet<Instant> instants{};

  // What every key starts with; nothing: the format has no initial state.
  std::optional<Scalar> initial = Scalar::null();

  bool note = false;
  bool reads_of_aborted = true;  // false: of an aborted transaction only the writes are kept
  bool adjacent_aborted = true;  // false: neighbours in a session run together
  bool names_of_aborted = true;
  bool empty_transactions = true;
  bool empty_sessions = true;
  Names sessions = Names::Numbered;
  Names transactions = Names::Numbered;
};

// What writing `history` will leave out; or the first thing that must not be.
Result<WriteReport> express(const History& history, const Expressible& can, const WriteOptions& options);

// Whether all of them have a name and it survives, so that the writer may use it. Of aborted
// transactions this is asked only if the format names them.
bool transaction_names_survive(const History& history, const Expressible& can);
bool session_names_survive(const History& history, const Expressible& can);

}  // namespace assay
