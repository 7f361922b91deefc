// Judges a stream of transactions as it grows, within bounded memory.
//
//     add a batch of lines -> judge the window -> report violations -> forget what is settled -> ...
//
// The level is one of real time, and the horizon H its skew. So the answer about each prefix is that of
// `assay check --level strict-ser --skew H` (strong-si for si), except for transactions that are counted by
// name in Counters. Two kinds wait before they are judged:
// - A transaction that read a value which nobody has written yet: its writer may be reported later. It waits
//   until every transaction that it can have read from has been reported.
// - A violation where values repeat: a transaction that is reported later may have written the same value.
//
// After a violation, the reads of its transactions are no longer judged, so that each violation is reported
// once. The window is judged again, as often as there are further violations.
#pragma once

#include <functional>

#include "judge/judge.h"
#include "watch/window.h"

namespace assay::watch {

struct WatchOptions {
  Level level = Level::StrictSer;  // one that can_forget_at() accepts
  std::int64_t horizon = 1'000'000'000;
  bool by_position = false;  // horizon and patience count lines
  // A transaction is reported at most so long after it began: when the latest end that was reported is this
  // much later than its begin. One that comes later is late.
  std::int64_t patience = 1'000'000'000;
  std::size_t most_violations = 8;  // in one batch; then the reads of the whole window are set aside
  JudgeOptions judge{};             // limits; the level and the skew are set here
};

struct Counters {
  std::uint64_t lines = 0, committed = 0, aborted = 0, unknown = 0;
  std::uint64_t malformed = 0;   // lines that are no transactions, or contradict others
  std::uint64_t late = 0;        // transactions that were reported too late to be judged
  std::uint64_t retired = 0;     // of unknown outcome, forgotten before anyone read from them
  std::uint64_t not_judged = 0;  // reads of values that late or retired transactions wrote
  std::uint64_t set_aside = 0;   // reads that are no longer judged after violations
  std::uint64_t violations = 0, old_reads = 0;
  std::uint64_t judgements = 0, undecided = 0;
  std::uint64_t forgotten = 0;
};

struct Violation {
  Findings findings;  // of the window; one story
  std::vector<std::uint64_t>
      positions;     // of the transactions of the story, increasing; the last completes it
  bool is_old_read;  // of a value that nobody wrote within the horizon
};

class Watch {
 public:
  using Note = std::function<void(std::uint64_t position, const std::string& what)>;

  Watch(WatchOptions options, std::function<void(const Violation&)> report, Note note);

  // The first line of the stream, if it is a header.
  Result<void> set_header(std::string_view line) { return window_.set_header(line); }
  // Adds the line of a transaction; positions increase.
  void add(std::string_view line, std::uint64_t position);
  // Judges what was added, reports violations and forgets. `at_end`: nothing more will come.
  Result<void> judge(bool at_end = false);

  const Counters& counters() const { return counters_; }
  const Window& window() const { return window_; }
  std::size_t added() const { return window_.size() - judged_; }  // lines since the last judgement
  // The positions of transactions that wait for a writer to be reported.
  const std::vector<std::uint64_t>& waiting() const { return waiting_; }
  std::optional<std::int64_t> latest() const { return latest_; }  // the latest end so far

  void save(std::string& out) const;
  Result<void> load(const std::function<bool(std::string_view&)>& next_line);

 private:
  struct Part {  // what is judged of the window
    std::shared_ptr<const History> history;
    std::vector<std::size_t> lines;  // by transaction: its line
    std::int64_t earliest_waiting;
  };

  Result<History> read();
  void drop_line(std::size_t line, const std::string& why);
  bool drop_what_cannot_be_judged(const History& history);
  void set_aside(const History& history, TxnId t);
  Part without_waiting(History history, bool at_end);
  bool is_settled(const History& history, TxnId t) const;
  bool drop_reads_of_set_aside(const Part& part);
  bool is_final(const Findings& findings, bool at_end) const;
  Violation violation(Findings findings, const Part& part) const;
  bool drop_reads(const Part& part, const std::function<bool(OpId)>& is_dropped, std::uint64_t& count);
  void recover(const Part& part, const Violation& found, std::size_t so_far);
  void forget(const Part& part, const ReadFacts& facts, const Order& execution);

  const WatchOptions options_;
  const std::function<void(const Violation&)> report_;
  const Note note_;
  Window window_;
  Counters counters_;
  std::size_t judged_ = 0;  // lines of the window before this were part of an earlier judgement
  std::vector<std::uint64_t> waiting_;
  std::optional<std::int64_t> latest_;
  std::int64_t frontier_ =
      INT64_MIN;  // what was forgotten assumes that later transactions begin here or after
  bool values_repeat_ = false;
  std::unordered_map<std::string, std::uint64_t> written_aside_;  // KEY VALUE, as JSON: the writer's position
};

}  // namespace assay::watch
