// Judging a history: the pipeline, read as a list of stages.
//
//     history -> validated reads -> facts -> greedy guess -> search (with saturation where it is long) ->
//     verdict
//
// A Checker judges one history at several levels and computes nothing twice: what a stronger level explains,
// a weaker one explains too, and what refutes a weaker level refutes a stronger one.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/budget.h"
#include "base/result.h"
#include "check/assumption.h"
#include "check/portfolio.h"
#include "dependency/guess.h"
#include "dependency/late_reads.h"
#include "encoding/write_order.h"
#include "history/edit.h"
#include "isolation/level.h"
#include "saturation/saturate.h"
#include "verdict/verdict.h"

namespace assay {

struct CheckOptions {
  bool greedy = true;        // try a serial execution first
  bool lazy_choices = true;  // make a choice only when the order at hand breaks it
  bool saturation = true;    // derive what follows before choosing on, where the search is not soon done
  std::optional<std::size_t>
      saturate_after{};  // choices of the search; when not given, by the history's size
  AssumptionOptions assumption{};
  PortfolioOptions portfolio{};  // of searches, where one takes long
  bool name_anomalies = true;    // by judging the violation's core at other levels
  std::int64_t skew = 0;         // nanoseconds by which clocks may differ; of the levels of real time
  bool will_learn = false;       // reads are added when an execution is found
  Order start{};                 // an execution that explains nearly all, of any level: where to begin
  Budget* budget = &Budget::unlimited();
};

struct Name {
  Anomaly anomaly;
  bool needs_session_order;      // what the proof speaks of, without its sessions, satisfies the level
  bool needs_real_time = false;  // what the proof speaks of satisfies the level but for real time
};

// What it took, for those who ask.
struct CheckEffort {
  std::string decided_by;               // the stage
  std::string searcher;                 // which of several searches; empty where there was one
  std::string chains;                   // that saturation worked with, or why it did not
  std::size_t rounds = 0, derived = 0;  // of saturation, and edges it added
  std::size_t choices = 0;
  std::uint64_t decisions = 0, conflicts = 0;
  std::size_t executions = 1,
              invisible = 0;  // that were looked at, and reads without a value that they made necessary
  std::size_t rows = 0;       // that updates may have changed, of keys where that was in the way
};

// Of a key, what a transaction read besides: some version with a value that fits. It has not written the key
// before.
struct NewRead {
  TxnId reader;
  KeyId key;
  std::function<bool(KeyValueId)> fits;
};

class Checker {
 public:
  explicit Checker(const History& history, CheckOptions options = {});

  // An error when the level needs instants that the history does not have, or that contradict its sessions.
  Result<Verdict> judge(Level level);
  // Adds reads that the last verdict's execution gets wrong; the next judge() goes on from there. What is
  // violated with their help has no proof: it is undecided. False: they cannot be added here, and it takes a
  // history that has them.
  bool learn(const Order& execution, std::span<const NewRead> reads);
  bool has_learnt() const { return has_learnt_; }
  // Conditional writes that were decided, whatever explains the history at a level with a total order, and
  // how.
  std::vector<std::pair<OpId, bool>> decided_writes(Level level);
  // Such an error without judging.
  Result<void> can_judge(Level level) const;
  const History& history() const { return h_; }
  // What of the history a proof of a violation, made by judge(), speaks of. Of a wrong read: only the read.
  Selection core(Level level, const Proof& proof) const;
  // What such a violation is called.
  Name name(Level level, const Proof& proof) const;
  std::int64_t skew() const { return options_.skew; }
  const CheckEffort& effort() const { return effort_; }  // of the last level

 private:
  struct Judged {
    Level level;
    Verdict verdict;
  };

  // How far the judging of a level has come.
  struct Progress {
    Level level;
    PointRules rules;
    KnownGraph known;
    std::optional<Saturator> saturator{};
    std::vector<std::uint32_t> order{};  // the last execution, or empty
  };

  PointRules rules_of(Level level) const;
  void rank_by_start();
  bool is_nearly_right(const Guess& guess) const;
  Result<Verdict> judge_possible(Level level);
  Result<Verdict> compute(Level level);
  Result<void> find_facts(bool repeatable);
  Verdict judge_weak(Level level);
  Verdict search_weak(Level level, const ReadFacts& facts);
  std::optional<Guess> guess(const PointRules& rules, const KnownGraph* known = nullptr) const;
  void begin_with_start(const PointRules& rules, const KnownGraph& known, std::optional<Guess>& guess) const;
  Verdict judge_points(Level level);
  Verdict judge_in_time(Level level, const PointRules& rules);
  Verdict known_cycle(Level level, const PointRules& rules);
  Verdict begin_search(Level level, const PointRules& rules, KnownGraph known, Guess guess);
  Verdict go_on(Progress& progress);
  Verdict search(Progress& progress, Guess guess);
  std::optional<Holds> assume(Progress& progress, const Guess& guess);
  std::optional<Verdict> improve(Progress& progress, Guess& guess);
  void add_saturator(Progress& progress);
  std::optional<Verdict> saturate(Progress& progress, std::span<const KeyId> keys,
                                  std::span<const std::uint32_t> order);
  std::optional<std::vector<LateRead>> late_reads(std::span<const NewRead> reads);
  Verdict violated_late() const;
  std::optional<Verdict> judge_stronger_first(Level level);
  const Verdict& remembered(Level level);
  std::optional<Verdict> violated_without_clocks(Level level, const Verdict& verdict);
  std::optional<Verdict> implied(Level level) const;
  Violated violated(Level level, Proof proof) const;
  const ReadFacts& facts(Level level) const;
  Holds for_level(Level level, Holds execution, bool is_total = true) const;
  std::vector<Source> of_every_read(const std::vector<Source>& of_first_reads) const;
  std::vector<Source> seen_in(const Order& order, const ReadFacts& facts) const;
  Holds execution(const WriteOrder& search, Progress& progress) const;
  Order points_of(const std::vector<std::uint32_t>& order, bool two_points) const;

  const History& h_;
  CheckOptions options_;
  Budget& budget_;
  CheckEffort effort_;
  std::optional<ReadFacts> facts_, facts_rc_;
  std::optional<VersionIndex> versions_;
  std::vector<Judged> judged_;
  std::vector<std::uint32_t> rank_;     // by transaction: its place in where to begin, if that is given
  std::unique_ptr<Progress> progress_;  // of the last search
  bool has_learnt_ = false;
  std::vector<KeyValueId> version_values_;  // by version; if it has learnt
};

inline Result<Verdict> check(const History& history, Level level) { return Checker(history).judge(level); }

}  // namespace assay
