// Finds what the order of writers at hand breaks at psi, and adds the choices and clauses that it takes to
// repair that.
//
// psi has no total order of points. What counts is reachability: the writer that overwrote a version in its
// key's order must not reach a reader of that version, along known edges, edges that a literal switches on,
// and the order of writers that the execution at hand happens to have. A search backwards from the reader
// finds such a path. If the search relied on an order of writers that nobody decided yet, it becomes a
// choice. If it did not, the choices along the path cannot all be right, and a clause says so.
//
// A path may go through any key, so every pass checks all keys. A read's place in all this depends on its
// writer, so the writers of open reads are chosen from the start.
#pragma once

#include "encoding/clauses.h"
#include "encoding/dirty_keys.h"
#include "encoding/order_choices.h"
#include "encoding/version_choices.h"

namespace assay {

class PsiRepair {
 public:
  PsiRepair(const SearchProblem& problem, std::vector<KeyId> broken, Acyclicity& theory,
            OrderChoices& order_choices, VersionChoices& version_choices, Clauses& clauses);

  void run();

 private:
  void sort(KeyId key);
  void check(KeyId key);
  void check_readers(VersionId version, VersionId next);
  void check_open_read(std::uint32_t read);
  struct MissedRead {
    VersionId version;
    TxnId overwriting, reader;
    std::uint32_t reason;             // of the clause (Clauses::add_missed)
    std::optional<Lit> is_from = {};  // of an open read
  };
  void forbid_reaching(const MissedRead& missed);
  bool reaches(std::uint32_t from, std::uint32_t to);
  void arrive(std::uint32_t node, std::uint32_t next, std::uint32_t edge, std::uint32_t goal);

  const History& h_;
  const ReadFacts& facts_;
  const VersionIndex& versions_;
  const Points points_;
  Acyclicity& theory_;
  OrderChoices& order_choices_;
  VersionChoices& version_choices_;
  Clauses& clauses_;
  DirtyKeys dirty_;

  std::vector<VersionId> in_order_;  // of the key at hand
  std::vector<VersionId> previous_;  // by version: the one before it in the order at hand

  // The search backwards: how a path goes on from each node that it has visited.
  struct Step {
    std::uint32_t to, edge;  // kUndecided: by the order at hand of two writers
  };
  static constexpr std::uint32_t kUndecided = UINT32_MAX;
  std::vector<Step> step_;
  std::vector<std::uint32_t> queue_, visited_;  // by node: the last search that visited it
  std::uint32_t search_ = 0;
};

}  // namespace assay
