// Finds what the order of writers at hand breaks at psi, and adds the choices and clauses that it takes to
// repair that.
//
// psi has no total order of points. What counts is reachability: the writer that overwrote a version in its
// key's order must not reach a reader of that version. If it does along an order of writers that nobody
// decided yet, that order becomes a choice. Otherwise the choices along the path cannot all be right, and a
// clause says so.
//
// A path may go through any key, so every pass checks all keys. A read's place in all this depends on its
// writer, so the writers of open reads are chosen from the start.
#pragma once

#include "encoding/clauses.h"
#include "encoding/dirty_keys.h"
#include "encoding/order_choices.h"
#include "encoding/psi_reachability.h"
#include "encoding/version_choices.h"

namespace assay {

class PsiRepair {
 public:
  PsiRepair(const SearchProblem& problem, std::vector<KeyId> broken, Acyclicity& theory,
            OrderChoices& order_choices, VersionChoices& version_choices, Clauses& clauses);

  // When the search is abandoned meanwhile, the rest is left unchecked.
  void run(const Abandoned& abandoned);

 private:
  void sort(KeyId key);
  void check_readers(VersionId version, VersionId next);
  void check_open_read(std::uint32_t read);
  struct MissedRead {
    VersionId version;
    TxnId overwriting, reader;
    std::uint32_t reason;             // of the clause (Clauses::add_missed)
    std::optional<Lit> is_from = {};  // of an open read
  };
  void forbid_reaching(const MissedRead& missed);

  const History& h_;
  const ReadFacts& facts_;
  const VersionIndex& versions_;
  const Points points_;
  Acyclicity& theory_;
  OrderChoices& order_choices_;
  VersionChoices& version_choices_;
  Clauses& clauses_;
  DirtyKeys dirty_;

  PsiReachability reachability_;
  std::vector<VersionId> in_order_;  // of the key at hand
};

}  // namespace assay
