// The lines of a proof as dependencies between transactions.
//
//   - `missed` and `exclusive` are orders of writers, with the path they rest on as the reason;
//   - what was refuted is the opposite order, with the cycle that it leads to as the reason;
//   - a premise is told as whoever established it tells it.
//
// A cycle is told with as few inferred orders of writers as possible: where reader R missed A, "A wrote
// before W" is only true because the cycle would close otherwise, so it becomes "R read from W, which A
// overwrote", the anti-dependency everyone looks for.
#pragma once

#include <map>
#include <memory>
#include <set>

#include "explain/explanation.h"
#include "explain/proof_outline.h"
#include "explain/words.h"

namespace assay {

using Steps = std::vector<Dependency>;

// What is established at some place of the story: how it is told, and the suppositions it rests on.
struct Known {
  Steps told;  // of an order, and of whom a read is from; otherwise there is nothing to tell
  std::set<Literal> rests_on;
};
using Knowledge = std::map<Literal, std::shared_ptr<const Known>>;

class ProofTeller {
 public:
  ProofTeller(const History& history, const Words& words, Level level, const ProofOutline& outline)
      : h_(history), words_(words), level_(level), outline_(outline) {}

  // The cycle of a line that is a contradiction, and the path of one that is an edge. All its premises are
  // known.
  Steps cycle(LineId id, const Knowledge& known);
  Steps path(LineId id, const Knowledge& known);
  Steps without_missed(Steps cycle) const;

  Dependency source(OpId read, TxnId writer) const;
  Dependency supposed(const Literal& order) const;
  // The order is what is left, since the other way round there is this cycle.
  Dependency refuted(const Literal& order, Steps cycle) const;

  std::size_t told() const { return told_steps_; }  // how many dependencies were told

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
  std::map<LineId, Dependency> facts_;  // told once
  std::size_t told_steps_ = 0;
};

}  // namespace assay
