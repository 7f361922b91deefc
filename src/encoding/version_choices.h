// The choices about versions: the writer of each open read, and which versions exist at all.
//
// The first is the wr-constraint of VeriStrong's hyper-polygraphs (Cai et al. 2026): a read is from one of
// its candidate writers. Whether a conditional write took place is a truth constraint of Vbox; it depends on
// the version that the write read. A transaction of unknown outcome counts in executions that need one of its
// versions, and is absent from the others.
//
// The clauses that define a choice are added here and by `DefiningClauses`.
#pragma once

#include <unordered_map>

#include "encoding/choices.h"
#include "encoding/clauses.h"

namespace assay {

class VersionChoices {
 public:
  VersionChoices(const SearchProblem& problem, Choices& choices, Clauses& clauses,
                 const DynamicOrder& execution);

  // Makes a variable for each candidate writer of an open read, and a clause that one of them is true. The
  // search first tries the last candidate before the reader in the current execution.
  void choose_writer(std::uint32_t read);
  bool has_writers(std::uint32_t read) const { return from_[read] != kNoVar; }
  // The literal that the open read is from its candidate with this index, or from this version. Requires
  // has_writers().
  Lit is_from(std::uint32_t read, std::size_t candidate) const {
    return Lit(from_[read] + static_cast<Var>(candidate), true);
  }
  Lit is_from(std::uint32_t read, VersionId version) const;
  // The version that the search has chosen for an open read, or none().
  VersionId chosen(std::uint32_t read) const;

  // The literal that a transaction of unknown outcome counts.
  Lit counting(TxnId t);
  bool counts(TxnId t) const {
    if (facts_.counts[t.index()]) return true;
    const auto found = counting_.find(t);
    return found != counting_.end() && choices_.is_true(Lit(found->second, true));
  }
  // The transactions with such a variable, and the same in order of creation.
  const std::unordered_map<TxnId, Var>& counting_variables() const { return counting_; }
  const std::vector<TxnId>& made_counting() const { return made_counting_; }

  // The literal that the conditional write took place.
  Lit took(VersionId conditional);
  const std::vector<std::uint32_t>& made_took() const { return made_took_; }  // in order of creation
  // The decided outcome of a conditional write; nothing if it has no variable.
  std::optional<bool> decided(std::uint32_t conditional) const;
  // Whether a conditional write took place in the current execution, when its key was last checked.
  bool takes_place(std::uint32_t conditional) const { return takes_place_[conditional]; }
  void set_takes_place(std::uint32_t conditional, bool does) { takes_place_[conditional] = does; }
  // Restricts the clause to executions in which the version exists.
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
