// Turns the operations of a Jepsen history into transactions.
//
// An operation is a map. A process invokes a transaction, and a later operation says how it ended:
//     {:index 4 :time 10 :type :invoke :process 3 :f :txn :value [[:append x 1] [:r y nil]]}
//     {:index 5 :time 20 :type :ok     :process 3 :f :txn :value [[:append x 1] [:r y [7]]]}
// The invocation gives `begin`; the completion gives outcome, reads, `end` and name. A process is a session,
// in the order of the lines. :fail means aborted. :info, or no completion, means an unknown outcome: its
// writes may have taken effect, and its unanswered reads are dropped. Memory beyond the history: the open
// invocations.
//
// Jepsen maps may have more fields, and Assay's writer uses this for what Jepsen cannot express: :txn (name,
// nil for none), :session (name), :began, :committing, :end (of an unknown transaction) and :answered (the
// nil reads of an uncommitted transaction were answered). The nemesis operations :note and :sessions carry
// the note and the order of sessions. Operations of other workloads are rewritten as transactions at the end
// of the file (jepsen_workload.h). The nemesis operation :instants says that times are :nanoseconds or
// :positions, or that there are :none; without it, elle_clock.h decides.
#pragma once

#include <map>
#include <unordered_map>

#include "history/builder.h"
#include "history_io/datum.h"
#include "history_io/elle_clock.h"
#include "history_io/jepsen_workload.h"

namespace assay {

class ElleReader {
 public:
  // A keyword :x becomes the string ":x". So if the notation has keywords (EDN), strings must not look like
  // one.
  ElleReader(bool has_keywords, const JepsenOptions& options)
      : has_keywords_(has_keywords), options_(options), workload_(options) {
    builder_.names_may_repeat();
  }

  // Adds an operation that begins at `line`. An error has this line as its place.
  Result<void> operation(Datum map, std::uint64_t line);
  Result<History> finish() &&;

 private:
  using Type = ElleEvent;
  // Commit ends one of several transactions in an operation; only rewritten operations have it.
  enum class Function : std::uint8_t { Read, Write, Append, Commit };
  enum class Seen : std::uint8_t { Missing, Nil, Value, List };  // Missing: [:r x]

  struct MicroOp {
    Function function;
    Seen seen;
    Scalar key, value;
    std::uint32_t begin, end;  // the elements of a list
  };
  struct MicroOps {
    std::vector<MicroOp> ops;
    std::vector<Scalar> elements;
  };

  // The fields of the map that are used.
  struct Fields {
    std::optional<Datum> type, process, f, value, time, index, txn, session, began, committing, end, answered;
  };

  struct Invocation {
    std::uint64_t line = 0;  // 0: no invocation is open
    SessionId session;
    std::optional<Scalar> name;
    std::optional<std::int64_t> begin;
    std::int64_t position = 0;  // among all events
    bool has_value = false;
    bool answered = false;                // its nil reads saw nothing, if it took effect
    std::optional<std::int64_t> index{};  // the latest :index of the process
    MicroOps ops;
  };

  Result<void> client_operation(Datum map, const Fields& fields, Type type,
                                std::optional<std::int64_t> process, std::uint64_t line);
  Result<void> check_order(const Fields& fields, std::int64_t process);
  void add_remarks();
  Result<void> collect(Datum map, Fields& fields) const;
  Result<void> nemesis(const Fields& fields);
  Result<void> transaction(const Fields& fields, Type type, std::optional<std::int64_t> process,
                           std::uint64_t line);
  Result<void> invoke(const Fields& fields, Invocation& invocation, std::optional<std::int64_t> process,
                      std::uint64_t line);
  Result<void> complete(const Fields& fields, Type type, Invocation* invocation,
                        std::optional<std::int64_t> process, std::uint64_t line);
  Result<void> close(const MicroOps& ops, bool answered, TransactionHead head, const Instants& positions,
                     std::uint64_t line);
  std::int64_t note_event(const Fields& fields, Type type, std::optional<std::int64_t> time,
                          std::uint64_t line);
  Result<void> declare_instants(Datum value);
  void decide_instants();

  Result<Type> type_of(const Fields& fields) const;
  Result<MicroOp> micro_op(Datum datum, std::vector<Scalar>& elements);
  Result<void> micro_ops(Datum value, MicroOps& ops);
  Result<void> same_shape(const MicroOps& invoked, const MicroOps& completed) const;
  Result<Scalar> key(Datum datum);
  Result<Scalar> scalar(Datum datum);
  Scalar part_name(Scalar operation, int part);
  Result<Scalar> label(Datum datum, std::string_view field);
  Result<std::optional<std::int64_t>> integer(const std::optional<Datum>& datum,
                                              std::string_view field) const;
  Result<SessionId> session(const Fields& fields, std::optional<std::int64_t> process);
  Result<std::optional<Scalar>> name(const Fields& fields);

  const bool has_keywords_;
  const JepsenOptions options_;
  WorkloadReader workload_;
  bool is_rewriting_ = false;
  bool any_transaction_ = false;
  std::map<std::string, std::size_t> others_, ignored_;  // operations that are not judged, by :f
  HistoryBuilder builder_;
  ElleClock clock_;
  enum class Declared : std::uint8_t { Nothing, None, Times };
  Declared declared_ = Declared::Nothing;  // by :instants
  std::vector<Instants> positions_;        // by transaction
  std::optional<Error> backwards_;         // the first transaction whose times are not in order
  std::unordered_map<std::int64_t, Invocation> invocations_;  // by process
  Invocation anonymous_;                                      // of operations without :process
  MicroOps completed_;                                        // scratch
  std::string keyword_;                                       // scratch
  bool any_process_ = false, any_anonymous_ = false;
  bool any_string_ = false, any_symbol_ = false;
  bool any_vector_key_ = false, any_bracket_string_ = false;
};

}  // namespace assay
