// The choices about versions: which of its possible writers an open read is from, and which versions are
// there at all.
//
// The first is the wr-constraint of VeriStrong's hyper-polygraphs (Cai et al. 2026): a read is from one of
// its possible writers. Whether a conditional write took place is a truth constraint of Vbox; it depends on
// the version that the write met. A transaction of unknown outcome counts in an execution that needs one of
// its versions, and is left out of the others.
//
// The clauses that follow from a choice by its own meaning are added here and by `DefiningClauses`.
#pragma once

#include <unordered_map>

#include "encoding/choices.h"
#include "encoding/clauses.h"

namespace assay {

class VersionChoices {
 public:
  VersionChoices(const SearchProblem& problem, Choices& choices, Clauses& clauses,
                 const DynamicOrder& execution);

  // Makes a choice for each possible writer of an open read, and says that one of them is right. The one that
  // comes last before the reader in the execution at hand is tried first.
  void choose_writer(std::uint32_t read);
  bool has_writers(std::uint32_t read) const { return from_[read] != kNoVar; }
  // The open read is from candidate number `candidate` of its own, or from this version. It has_writers().
  Lit is_from(std::uint32_t read, std::size_t candidate) const {
    return Lit(from_[read] + static_cast<Var>(candidate), true);
  }
  Lit is_from(std::uint32_t read, VersionId version) const;
  // The version that the search has chosen for an open read; none() if it has not chosen.
  VersionId chosen(std::uint32_t read) const;

  // The transaction, of unknown outcome, counts.
  Lit counting(TxnId t);
  bool counts(TxnId t) const {
    if (facts_.counts[t.index()]) return true;
    const auto found = counting_.find(t);
    return found != counting_.end() && choices_.is_true(Lit(found->second, true));
  }
  // Those that a choice was made about: each with its variable, and in the order in which they were made.
  const std::unordered_map<TxnId, Var>& counting_variables() const { return counting_; }
  const std::vector<TxnId>& made_counting() const { return made_counting_; }

  // The conditional write took place.
  Lit took(VersionId conditional);
  const std::vector<std::uint32_t>& made_took() const { return made_took_; }  // likewise
  // What the search has decided about a conditional write; nothing while there is no choice about it.
  std::optional<bool> decided(std::uint32_t conditional) const;
  // Whether a conditional write took place in the execution at hand, when its key was last checked.
  bool takes_place(std::uint32_t conditional) const { return takes_place_[conditional]; }
  void set_takes_place(std::uint32_t conditional, bool does) { takes_place_[conditional] = does; }
  // Makes the clause hold only if the version is there.
  void add_condition(VersionId version, std::vector<Lit>& clause) {
    if (facts_.is_conditional(version)) clause.push_back(~took(version));
  }

 private:
  std::int64_t age(VersionId version, std::uint32_t snapshot) const;

  static constexpr Var kNoVar = UINT32_MAX;

  const ReadFacts& facts_;
  const KnownGraph& known_;
  const Points points_;
  Choices& choices_;
  Clauses& clauses_;
  const DynamicOrder& execution_;
  std::vector<Var> from_;  // by open read: the variable of its first candidate
  std::unordered_map<TxnId, Var> counting_;
  std::vector<TxnId> made_counting_;
  std::vector<Var> took_;          // by conditional write
  std::vector<bool> takes_place_;  // by conditional write
  std::vector<std::uint32_t> made_took_;
};

}  // namespace assay
