// What a format can express, as data, and the check that all writers share.
//
// A writer describes its format in an `Expressible` and calls express() before it writes anything. Content
// that the format cannot express falls into three classes:
//   - Content whose loss could change a verdict (unknown outcomes, lists, other initial values, keys that do
//     not fit) is always an error.
//   - Content whose loss cannot change one, at levels without instants (instants, the note, reads of aborted
//     transactions, empty transactions), is an error unless the caller accepts the loss.
//   - Labels (names of sessions and transactions) are only listed.
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

// Which names the format can express. Numbered: none; a reader numbers sessions 1, 2, 3, ... and leaves
// transactions unnamed. Any: all names, and transactions without one.
enum class Names : std::uint8_t { Numbered, Naturals, Integers, Any };

struct Expressible {
  std::string_view format;  // its id, for messages

  EnumSet<OpKind> operations{OpKind::Read, OpKind::Write};
  EnumSet<ScalarKind> keys{ScalarKind::Integer};
  EnumSet<ScalarKind> values{ScalarKind::Integer};  // with Null: reads may return null
  EnumSet<Outcome> outcomes{Outcome::Committed, Outcome::Aborted};
  EnumSet<Instant> instants{};

  // The initial value of every key; nothing: the format has no initial state.
  std::optional<Scalar> initial = Scalar::null();

  bool note = false;
  bool reads_of_aborted = true;  // false: only the writes of an aborted transaction are kept
  bool adjacent_aborted = true;  // false: consecutive aborted transactions of a session merge
  bool names_of_aborted = true;
  bool empty_transactions = true;
  bool empty_sessions = true;
  Names sessions = Names::Numbered;
  Names transactions = Names::Numbered;
};

// Returns what writing `history` will leave out, or an error for the first thing that must not be left out.
Result<WriteReport> express(const History& history, const Expressible& can, const WriteOptions& options);

// Whether all transactions have a name and the format can express it, so that the writer may use the names.
// Aborted transactions count only if the format names them.
bool transaction_names_survive(const History& history, const Expressible& can);
bool session_names_survive(const History& history, const Expressible& can);

}  // namespace assay
