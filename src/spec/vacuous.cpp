// Witnesses that demand nothing, because the empty relation or the full one always does.
//
// Someone who declares `witness rt : order on Txn` for real time and asks for `rt in co` gets a level that
// ignores real time: a witness is whatever fits best, and the order without pairs always fits. Such a witness
// is seen by the signs of its uses: if more of it can only make the conditions harder, the least one is best.
// A total order is never idle, since it cannot be empty.
#include <algorithm>

#include "spec/resolver.h"

namespace assay::spec {
namespace {

// Which way a node may change when a witness grows.
struct Signs {
  bool more = false, less = false;

  Signs operator-() const { return {less, more}; }
  Signs operator|(Signs other) const { return {more || other.more, less || other.less}; }
  bool any() const { return more || less; }
};

Signs signs(const Node& node, std::size_t witness) {
  using enum Node::Kind;
  if (node.kind == Witness) return {node.number == witness, false};
  if (!node.uses_witness) return {};
  std::vector<Signs> kids;
  for (const Node* kid : node.kids) kids.push_back(signs(*kid, witness));
  Signs together;
  for (const Signs kid : kids) together = together | kid;
  Signs domains;
  for (const spec::Variable& variable : node.bound)
    if (variable.domain != nullptr) domains = domains | signs(*variable.domain, witness);
  switch (node.kind) {
    case Union:
    case Intersection:
    case Product:
    case Join:
    case Inverse:
    case Closure:
    case IdentityOn:
    case Comprehension:
    case UnionOver:
    case Fixpoint:
    case And:
    case Or:
    case Some: return together | domains;
    case All: return together | -domains;
    case Difference: return kids[0] | -kids[1];
    case Implies:
    case In: return -kids[0] | kids[1];
    case Not:
    case Empty:
    case Acyclic:
    case Irreflexive: return -together;
    case Total: return kids[0] | -kids[1];
    case Member: {
      Signs elements;
      for (std::size_t i = 1; i < kids.size(); ++i) elements = elements | kids[i];
      return kids[0] | elements | -elements;
    }
    default: {
      const Signs either = together | domains;
      return either | -either;
    }
  }
}

}  // namespace

std::vector<std::string> idle_witnesses(const Specification& spec) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < spec.witnesses.size(); ++i) {
    if (spec.witnesses[i].kind == WitnessSpec::Kind::TotalOrder) continue;
    Signs all = signs(*spec.formula, i);
    for (const Condition& axiom : spec.axioms) all = all | signs(*axiom.formula, i);
    const bool full = all.more && !all.less && spec.witnesses[i].kind == WitnessSpec::Kind::Relation;
    const bool none = all.less && !all.more;
    if (!full && !none) continue;
    result.push_back(
        fmt::format("witness {} of {} demands nothing: the {} relation always fits best. A witness is found, "
                    "not recorded; "
                    "histories have no real time",
                    spec.witnesses[i].name, spec.name, none ? "empty" : "full"));
  }
  return result;
}

}  // namespace assay::spec
