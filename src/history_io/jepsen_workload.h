// Jepsen's workloads whose operations are not transactions: registers, sets, G2 and others.
//
// A workload defines what its operations do to the database. Where that is exactly a transaction of reads and
// writes, WorkloadReader rewrites each operation as one, and ElleReader reads it like any other:
//
//     {:type :ok :f :cas :value [5 [1 2]]}  ->  {:type :ok :f :txn :value [[:r 5 1] [:w 5 2]]}
//
// What is not known is left out and never guessed: a failed :cas only aborts. Workloads whose operations
// write values that no client learns (bank, counter) are refused, with the reason. docs/jepsen.md has a
// table.
//
// A workload is recognised by its operations, so it keeps all of them, one Form each, until the end of the
// file.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "history/scalar.h"
#include "history_io/datum.h"

namespace assay {

enum class JepsenWorkload : std::uint8_t {
  Register,
  Causal,
  Mutex,
  Set,
  CausalReverse,
  DirtyReads,
  Sequential,
  G2
};

// What the user says about a Jepsen history that its operations do not say.
struct JepsenOptions {
  std::string workload{};              // its name in Jepsen; empty: recognise it
  std::vector<std::string> ignored{};  // the :f of operations that change no data
};

// Whether the workload consists of transactions, as in append, wr and long-fork.
bool is_transactional_workload(std::string_view name);
// An error if there is no such workload, or if it cannot be judged.
Result<void> check_workload_name(std::string_view name);
// An operation with a function that the workload does not have.
Error unknown_function(std::string_view function, std::string_view workload);

class WorkloadReader {
 public:
  using Emit = std::function<Result<void>(Datum operation, std::uint64_t line)>;

  explicit WorkloadReader(const JepsenOptions& options) : options_(options) {}

  // Keeps an operation of a client: a map with :type and :f.
  void add(Datum operation, std::uint64_t line);
  bool empty() const { return kept_.empty(); }
  std::uint64_t first_line() const { return kept_.front().line; }

  // Passes on each operation as one of a transaction. An error has a line as its place.
  Result<void> rewrite(const Emit& emit);

  // After rewrite():
  Scalar initial() const;  // the value that every key starts with
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  enum class Type : std::uint8_t { Invoke, Ok, Fail, Info };
  struct Kept {
    Form form;
    std::uint64_t line;
  };
  struct Event {
    Type type;
    std::string_view f;
    std::optional<std::int64_t> process;
    std::optional<Datum> value;   // none if nil
    std::size_t partner = kNone;  // the invocation of a completion, and the other way round
  };
  // One call of a client: what it asked for, and what it learned if the call succeeded.
  struct Call {
    Type type;  // how it ended; never Invoke
    std::string_view f;
    std::optional<Datum> key;  // of independent workloads
    std::optional<Datum> asked, answer;
  };
  static constexpr std::size_t kNone = SIZE_MAX;

  Result<void> read_events();
  Result<void> pair_events();
  Result<void> choose();
  Result<void> recognise();
  Result<void> check_functions() const;
  Result<void> find_keys();
  Result<Call> call(std::size_t completion) const;
  Result<void> survey();
  Result<void> survey_set(const Call& call);
  Result<void> survey_rows(const Call& call);
  Result<void> survey_sequential(const Call& call);
  Result<void> survey_g2(const Call& call);
  Result<void> emit_event(std::size_t i, const Emit& emit);
  Result<void> micro_ops(const Call& call, Form& into);
  Result<void> register_ops(const Call& call, Form& into);
  Result<void> mutex_ops(const Call& call, Form& into) const;
  Result<void> set_ops(const Call& call, Form& into);
  Result<void> row_ops(const Call& call, Form& into) const;
  Result<void> sequential_ops(const Call& call, Form& into) const;
  Result<void> g2_ops(const Call& call, Form& into) const;
  std::string_view name() const;
  bool is_read(std::string_view f) const { return f == "read" || f == "read-init"; }

  const JepsenOptions options_;
  std::vector<Kept> kept_;
  std::vector<Event> events_;
  JepsenWorkload workload_ = JepsenWorkload::Register;
  bool independent_ = false;

  // Facts about the whole history.
  struct Elements {
    std::map<std::string, std::size_t> index;  // by text
    std::vector<Datum> datums;
    std::vector<bool> counts;      // whether the element may be in the set: added for sure, or seen
    std::vector<unsigned> adders;  // calls that may have added it
  };
  std::map<std::string, Elements> sets_;               // by text of the key
  std::map<std::string, std::vector<Datum>> g2_rows_;  // by text of the key: [a nil] or [nil b]
  std::size_t rows_ = 0;                               // of dirty-reads; subkeys of sequential
  std::size_t unanswered_ = 0, repeated_ = 0;
  std::vector<std::string> remarks_;
};

}  // namespace assay
