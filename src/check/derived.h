// Writes the proofs of edges that saturation derived.
//
// Saturation records only the rule of a derived edge. The rule's premise is a path of edges with smaller
// numbers, which is searched for when a proof needs the edge. The search goes backwards and prefers paths
// with few derived edges, since each of them needs a proof too. Cost: a search for each derived edge in the
// proof. The exclusion of a candidate writer of a read is proved in the same way. When only one candidate is
// left, the read is from it.
#pragma once

#include <unordered_map>

#include "check/justified_paths.h"
#include "check/steps.h"

namespace assay {

class DerivedFacts {
 public:
  // The edges before number `justified` form no cycle, and justify all others.
  DerivedFacts(const History& history, const ReadFacts& facts, const PointRules& rules,
               const KnownGraph& known, std::size_t justified);

  // States known edges, and everything that they follow from. No supposition may be open.
  void state(std::span<const Step> steps, ProofBuilder& proof);
  LineId line(const Step& step, ProofBuilder& proof) const;  // of a step that was stated
  // The edges of a path or cycle, known or not, as steps between points.
  std::vector<Step> join(std::vector<Step> edges) const {
    return join_steps(std::move(edges), facts_, points_, std::min(known_.given, known_.edges.size()));
  }
  // States the edges of a path or cycle, and returns their lines.
  std::vector<LineId> lines(std::span<const std::uint32_t> path, ProofBuilder& proof);

  // The edges of a path of justified edges, which must exist.
  std::vector<std::uint32_t> path(std::uint32_t from, std::uint32_t to) {
    return paths_.find(from, to, justified_);
  }
  // States that the read is not from a candidate (an index in ReadFacts::candidates), which must be excluded.
  // No supposition may be open.
  LineId exclude(const OpenRead& read, std::uint32_t candidate, ProofBuilder& proof);
  // A write of the key by t, possibly a conditional one.
  OpId write_of(TxnId t, KeyId key) const;
  // A write by a of a key that b writes too.
  OpId common_write(TxnId a, TxnId b) const;

 private:
  bool is_derived(std::uint32_t edge) const { return edge >= known_.given; }
  std::vector<Step> steps(std::span<const std::uint32_t> path) const;
  std::vector<std::uint32_t> grounds(std::uint32_t edge);
  LineId prove(std::uint32_t edge, std::span<const std::uint32_t> grounds, ProofBuilder& proof);
  LineId prove_without_order(Edge edge, OpId read, TxnId writer, LineId overwritten,
                             ProofBuilder& proof) const;

  // The writer of a read that has one candidate, or of which one candidate is left.
  struct Source {
    TxnId reader, writer;
    const OpenRead* open;  // null if it has one candidate
  };
  Source source(OpId op) const;
  LineId line_of_source(const Source& source, ProofBuilder& proof);
  // The paths that prove an exclusion: from the candidate to the writer in between, and from there to the
  // reader; or from the reader to the candidate.
  struct Shown {
    std::vector<std::uint32_t> to_between{}, to_reader{}, to_writer{};
  };
  Shown shown(const OpenRead& read, std::uint32_t candidate);

  const History& h_;
  const ReadFacts& facts_;
  const PointRules& rules_;
  const KnownGraph& known_;
  Points points_;
  std::size_t justified_;
  JustifiedPaths paths_;
  std::unordered_map<std::uint32_t, LineId> lines_;     // of derived edges
  std::unordered_map<std::uint32_t, LineId> excluded_;  // by candidate: the line that excludes it
};

}  // namespace assay
