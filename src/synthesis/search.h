// Histories of exactly one number of transactions that some levels allow and others forbid.
//
// "Allows" is an existential over witnesses and goes into one SAT problem as it is. "Forbids" is a universal,
// and is met by instances (CEGIS, as in Isolde, Barros et al. 2026): the candidate solver proposes a history;
// a verifier for each forbidden level looks for witnesses that allow it after all; if there are some, the
// level's formula for just these witnesses, negated, joins the candidate solver. Each idea that makes this
// fast has a switch:
//
//   numbered     the first allowed level's commit order, or what it says is acyclic, follows the numbers of
//   the
//                transactions; objects are sorted
//   symbolic     instances at terms over what explains the allowed levels, from the start
//   (builtin/instances.spec) shortcut     levels whose order is asked for by the history alone need no
//   instances at all (AskedOrder) generalise   a counterexample's relations are replaced by a term over its
//   order, where that refutes as well incremental  one verifier is kept, and told the candidate by
//   assumptions
#pragma once

#include <deque>

#include "synthesis/level_encoding.h"
#include "synthesis/sat.h"

namespace assay::synthesis {

struct SearchOptions {
  bool numbered = true, symbolic = true, shortcut = true, generalise = true, incremental = true;
};

struct Problem {
  std::vector<spec::Specification> allow, forbid;
};

// A history with what explains it at each allowed level.
struct Solution {
  spec::HistoryFacts facts;
  struct Explanation {
    std::vector<std::uint32_t> writers;  // of each read
    std::vector<spec::Rows> witnesses;
  };
  std::vector<Explanation> allowed;
};

struct Effort {
  std::size_t candidates = 0, instances = 0, shortcuts = 0;
  std::size_t gates = 0, clauses = 0;
};

// Why a formula that follows from a forbidden level was added.
struct InstanceNote {
  std::size_t forbidden;                  // which level
  std::string witnesses;                  // what was put in for its witnesses
  std::size_t first_clause, last_clause;  // half open
};

class Search {
 public:
  // The problem must outlive it.
  Search(const Problem& problem, const Scope& scope, const SearchOptions& options, Stop stop);
  ~Search();

  enum class Answer { Found, None, Stopped };
  // Under assumptions about what more_operations_than() and its like give.
  Answer next(std::span<const Lit> assumptions = {});
  Solution solution() const;

  // Never again the last history, up to what the numbering leaves open.
  void exclude_last();
  // Never again a history that contains this one, whatever its transactions and objects are called there.
  void exclude_supersets(const spec::HistoryFacts& facts);
  // Unary: the i-th says that there are more than i. For minimal histories.
  std::vector<Lit> more_operations_than(), more_objects_than(), more_values_than(), more_session_pairs_than(),
      more_real_time_pairs_than(), more_labels_than();
  bool value(Lit lit) { return (*simulation_)(lit); }

  const Effort& effort() const { return effort_; }
  const std::vector<Clause>& clauses() const { return candidate_.clauses(); }
  const std::vector<InstanceNote>& notes() const { return notes_; }

 private:
  struct Forbidden;
  struct Source;  // an order, and what goes with it, that explains an allowed level

  ModelOptions model_options(const Problem& problem) const;
  void add_allowed();
  void add_forbidden();
  void add_instances_of_alike_witnesses(Forbidden& forbidden);
  void add_symbolic_instances(Forbidden& forbidden);
  bool shares_numbers(const spec::Specification& spec) const;
  bool number_along_acyclic(LevelEncoding& encoding, const FreshWitnesses& fresh);
  // Whether the candidate stands; otherwise an instance was added.
  std::optional<bool> verify(Forbidden& forbidden);
  std::optional<bool> verify_anew(Forbidden& forbidden);
  void add_counterexample(Forbidden& forbidden, Witnesses witnesses);
  void add_instance(Forbidden& forbidden, Lit holds, std::string witnesses);
  std::string describe(const Forbidden& forbidden, const Witnesses& witnesses) const;

  const Problem& problem_;
  const Scope scope_;
  const SearchOptions options_;
  const Stop stop_;
  std::vector<spec::Specification> terms_;
  Circuit circuit_;
  Sat candidate_;
  HistoryModel model_;
  std::deque<LevelEncoding> allowed_;
  std::vector<Witnesses> explanations_;
  std::vector<Source> sources_;
  std::deque<Forbidden> forbidden_;
  std::unique_ptr<Simulation> simulation_;  // of the last candidate
  std::vector<bool> input_values_;
  Effort effort_;
  std::vector<InstanceNote> notes_;
};

}  // namespace assay::synthesis
