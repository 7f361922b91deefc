// What a proof says, apart from the order in which it says it.
//
// A line rests in the end on the history and on *premises*: what was supposed, or what a clause left over. So
// each contradiction of the proof is a lemma, "these premises cannot all be true", and so is each edge
// between points that somewhere is supposed: "if these are true, so is it". With what the history says of
// every read (it is from one of its possible writers) the lemmas have no solution; proof_cases.h shows that
// again, in an order fit for people.
//
// One pass over the proof.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "certify/reads.h"
#include "verdict/proof.h"

namespace assay {

struct Lemma {
  LineId line;
  std::set<Literal> premises;
  std::optional<Literal> conclusion;  // nothing: the line is a contradiction
};

class ProofOutline {
 public:
  ProofOutline(const History& history, Level level, const Proof& proof);

  const ProofLine& line(LineId id) const { return *entries_.at(id).line; }
  const std::optional<Literal>& literal(LineId id) const { return entries_.at(id).literal; }
  bool is_premise(LineId id) const { return entries_.at(id).premise; }
  bool is_fact(LineId id) const { return entries_.at(id).rests_on.empty(); }  // rests on no premise

  // Whom the read of a line is from, and the lines it names besides the one that says so.
  struct About {
    TxnId writer;  // none: the initial transaction
    std::span<const LineId> edges;
  };
  About about(const ProofLine& line) const;

  const std::vector<Lemma>& lemmas() const { return lemmas_; }  // in the order of the proof
  const std::vector<Literal>& orders() const {
    return orders_;
  }  // that are supposed somewhere, one of each pair
  const std::set<OpId>& open_reads() const { return open_reads_; }  // whose writers are spoken of
  const Reads& reads() const { return reads_; }
  Point snapshot(TxnId t) const { return {t, !two_points_}; }

 private:
  struct Entry {
    const ProofLine* line;
    bool premise = false;
    std::optional<Literal> literal{};  // what it establishes
    std::set<Literal> rests_on{};      // the premises; of one itself
  };

  std::optional<Literal> edge(const ProofLine& line) const;
  Point from(LineId id) const;
  Point to(LineId id) const;
  std::set<Literal> premises(const ProofLine& line) const;
  void note(const Literal& literal);
  void find_lemmas();

  Reads reads_;
  bool two_points_;
  std::map<LineId, Entry> entries_;
  std::vector<Lemma> lemmas_;
  std::vector<Literal> orders_;
  std::set<OpId> open_reads_;
};

}  // namespace assay
