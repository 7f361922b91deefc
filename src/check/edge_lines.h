// Writes the edges of a search as lines of a proof: known edges, and edges that literals activate.
#pragma once

#include <vector>

#include "check/derived.h"
#include "check/supposed_literals.h"

namespace assay {

class EdgeLines {
 public:
  EdgeLines(const ReadFacts& facts, const WriteOrder& search, const Points& points, DerivedFacts& known,
            const SupposedLiterals& supposed, ProofBuilder& proof)
      : facts_(facts), search_(search), points_(points), known_(known), supposed_(supposed), proof_(proof) {}

  // The edges of a path or cycle as steps between points.
  std::vector<Step> steps(std::span<const std::uint32_t> edges) const;
  // States the facts that the path needs. Must be called before the scope's first supposition.
  void state_facts(const std::vector<Step>& path);
  // A line for each step. The literals that activate its edges must be supposed or established.
  std::vector<LineId> lines(const std::vector<Step>& path);

 private:
  bool is_known(const Step& step) const { return step.number < search_.theory().fact_count(); }
  bool is_late_fact(const Step& step) const {
    return !is_known(step) && supposed_.is_fact(search_.theory().literal(step.number));
  }
  LineId line(const Step& step);
  LineId shown(const Step& step);

  const ReadFacts& facts_;
  const WriteOrder& search_;
  const Points& points_;
  DerivedFacts& known_;
  const SupposedLiterals& supposed_;
  ProofBuilder& proof_;
};

}  // namespace assay
