// Witnesses that demand nothing, because the empty relation or the full one always does.
//
// Someone who declares `witness clock : order on Txn` for real time and asks for `clock in co` gets a level
// that ignores real time (which is rt): a witness is whatever fits best, and the order without pairs always
// fits. Such a witness is seen by the signs of its uses: if more of it can only make the conditions harder,
// the least one is best. A total order is never idle, since it cannot be empty.
#include "spec/monotone.h"
#include "spec/resolver.h"

namespace assay::spec {
std::vector<std::string> idle_witnesses(const Specification& spec) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < spec.witnesses.size(); ++i) {
    if (spec.witnesses[i].kind == WitnessSpec::Kind::TotalOrder) continue;
    const auto is_it = [&](const Node& node) { return node.kind == Node::Kind::Witness && node.number == i; };
    Signs all = signs_of(*spec.formula, is_it);
    for (const Condition& axiom : spec.axioms) all = all | signs_of(*axiom.formula, is_it);
    const bool full = all.more && !all.less && spec.witnesses[i].kind == WitnessSpec::Kind::Relation;
    const bool none = all.less && !all.more;
    if (!full && !none) continue;
    result.push_back(
        fmt::format("witness {} of {} demands nothing: the {} relation always fits best. A witness is found, "
                    "not recorded; "
                    "real time is rt",
                    spec.witnesses[i].name, spec.name, none ? "empty" : "full"));
  }
  return result;
}

}  // namespace assay::spec
