#include "spec/monotone.h"

#include <unordered_map>

namespace assay::spec {
namespace {

// Arguments of definitions are shared, so nodes are visited once.
class SignsOfNodes {
 public:
  explicit SignsOfNodes(const std::function<bool(const Node&)>& grows) : grows_(grows) {}

  Signs of(const Node& node) {
    if (grows_(node)) return {true, false};
    if (const auto known = known_.find(&node); known != known_.end()) return known->second;
    const Signs signs = compute(node);
    known_.emplace(&node, signs);
    return signs;
  }

 private:
  Signs compute(const Node& node) {
    using enum Node::Kind;
    std::vector<Signs> kids;
    for (const Node* kid : node.kids) kids.push_back(of(*kid));
    Signs together;
    for (const Signs kid : kids) together = together | kid;
    Signs domains;
    for (const spec::Variable& variable : node.bound)
      if (variable.domain != nullptr) domains = domains | of(*variable.domain);
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

  const std::function<bool(const Node&)>& grows_;
  std::unordered_map<const Node*, Signs> known_;
};

}  // namespace

Signs signs_of(const Node& node, const std::function<bool(const Node&)>& grows) {
  return SignsOfNodes(grows).of(node);
}

}  // namespace assay::spec
