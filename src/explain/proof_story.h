// Translates the lines of a proof into dependencies between transactions.
//
//   - A `missed` or `exclusive` line becomes a write order. Its reason is the path that it follows from.
//   - A refuted assumption becomes the opposite order. Its reason is the cycle that the assumption leads to.
//   - A premise becomes the dependencies by which it is known in the current case.
//
// A cycle uses as few inferred write orders as possible. Suppose reader R missed A's write and read W's. Then
// "A wrote before W" holds only because the cycle would close otherwise. So the story says "R read from W,
// which A overwrote" instead: the anti-dependency that readers look for.
#pragma once

#include <map>
#include <memory>
#include <set>

#include "explain/explanation.h"
#include "explain/proof_outline.h"
#include "explain/words.h"

namespace assay {

using Steps = std::vector<Dependency>;

// How a literal is known at some point of the story: the dependencies that show it, and the assumptions it
// rests on.
struct Known {
  Steps told;  // empty unless the literal is an order, or names the writer of a read
  std::set<Literal> rests_on;
};
using Knowledge = std::map<Literal, std::shared_ptr<const Known>>;

class ProofTeller {
 public:
  ProofTeller(const History& history, const Words& words, Level level, const ProofOutline& outline)
      : h_(history), words_(words), level_(level), outline_(outline) {}

  // The cycle of a contradiction, and the path of an edge. All premises of the line must be known.
  Steps cycle(LineId id, const Knowledge& known);
  Steps path(LineId id, const Knowledge& known);
  Steps without_missed(Steps cycle) const;

  Dependency source(OpId read, TxnId writer) const;
  Dependency supposed(const Literal& order) const;
  // The order that remains, because its opposite leads to this cycle.
  Dependency refuted(const Literal& order, Steps cycle) const;

  std::size_t told() const { return told_steps_; }  // how many dependencies it has made

 private:
  Steps steps(std::span<const LineId> lines, const Knowledge& known);
  void add(LineId id, const Knowledge& known, Steps& out);
  Dependency dependency(const ProofLine& line, const Knowledge& known);
  Dependency anti_dependency(OpId read, TxnId writer, TxnId overwriting, Steps order) const;
  static Steps without_detour(Steps order);
  Dependency missed(const ProofLine& line, const Knowledge& known);
  Dependency exclusive(const ProofLine& line, const Knowledge& known);
  Dependency observed(const ProofLine& line) const;
  Dependency write_order(TxnId first, TxnId second, KeyId key, std::string sentence) const;
  std::string claim(const Literal& order, KeyId key) const;
  std::shared_ptr<const Reason> reason(Reason why) const;
  OpId first_write(TxnId t, KeyId key) const;
  OpId last_write(TxnId t, KeyId key) const;
  KeyId common_key(const Literal& order, const Steps& steps) const;
  TxnId reader(OpId read) const { return outline_.reads().transaction(read); }

  const History& h_;
  const Words& words_;
  Level level_;
  const ProofOutline& outline_;
  std::map<LineId, Dependency> facts_;  // dependencies without premises, made once
  std::size_t told_steps_ = 0;
};

}  // namespace assay
