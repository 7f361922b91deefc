// What a proof shows, apart from the order of its lines.
//
// A line follows from the history and from premises. A premise is an assumption of the proof, or the last
// literal that a clause has left. So each contradiction in the proof is a lemma: "these premises cannot all
// be true." Each edge whose order the proof assumes or refutes somewhere is a lemma too: "if these premises
// are true, so is this edge." In addition, the history says that every read is from one of its candidate
// writers. Together these have no solution; proof_cases.h shows that again, in an order that people can
// follow.
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
  bool is_fact(LineId id) const { return entries_.at(id).rests_on.empty(); }  // it needs no premise

  // The writer that the line's read is from, and the lines that it names except the one that gives the
  // writer.
  struct About {
    TxnId writer;  // none: the initial transaction
    std::span<const LineId> edges;
  };
  About about(const ProofLine& line) const;

  const std::vector<Lemma>& lemmas() const { return lemmas_; }  // in the order of the proof
  // The orders that the proof assumes or refutes somewhere, one of each pair of opposites.
  const std::vector<Literal>& orders() const { return orders_; }
  const std::set<OpId>& open_reads() const { return open_reads_; }  // reads with premises about their writers
  const Reads& reads() const { return reads_; }
  Point snapshot(TxnId t) const { return {t, !two_points_}; }

 private:
  struct Entry {
    const ProofLine* line;
    bool premise = false;
    std::optional<Literal> literal{};  // what it establishes
    std::set<Literal> rests_on{};      // its premises; a premise rests on itself
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
