// Finds the reads that the current order of writers contradicts at psi, and adds choices and clauses that
// repair this.
//
// psi has no total order of points; reachability decides. The writer that overwrote a version must not reach
// a reader of that version. If it does along an order of writers that is undecided, that order becomes a
// choice. Otherwise the choices along the path cannot all be true, and become a clause.
//
// A path may go through any key, so every pass checks all keys. The constraints of a read depend on its
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

  // Returns early if the search is abandoned.
  void run(const Abandoned& abandoned);

 private:
  void sort(KeyId key);
  void check_readers(VersionId version, VersionId next);
  void check_open_read(std::uint32_t read);
  struct MissedRead {
    VersionId version;
    TxnId overwriting, reader;
    std::uint32_t reason;             // the read, as a reason in Clauses::add_missed
    std::optional<Lit> is_from = {};  // open reads: the literal of the chosen writer
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
  std::vector<VersionId> in_order_;  // the versions of the current key
};

}  // namespace assay
