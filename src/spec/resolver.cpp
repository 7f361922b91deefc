#include "spec/resolver.h"

#include "base/similar.h"
#include "spec/monotone.h"

namespace assay::spec {
namespace {

using SyntaxKind = Syntax::Kind;

// How deep definitions may use each other; each is put in where it is used, so this also bounds size.
constexpr std::size_t kDeepestUse = 400;

// Which names are families: used bare they are the union over their index.
bool is_family(const Binding& binding, const std::vector<WitnessSpec>& witnesses) {
  if (binding.kind == Binding::Kind::Witness) return witnesses.at(binding.number).indexed;
  return binding.kind == Binding::Kind::Base && (binding.number == static_cast<std::size_t>(Base::Wr) ||
                                                 binding.number == static_cast<std::size_t>(Base::Readers) ||
                                                 binding.number == static_cast<std::size_t>(Base::Writers));
}

bool is_set_family(const Binding& binding) {
  return binding.kind == Binding::Kind::Base && (binding.number == static_cast<std::size_t>(Base::Readers) ||
                                                 binding.number == static_cast<std::size_t>(Base::Writers));
}

}  // namespace

const Node* Resolver::either(const Syntax& syntax, const Scope& scope) {
  if (++depth_ > kDeepestUse) wrong(syntax.place, "definitions use each other too deeply");
  struct Leave {
    std::size_t& depth;
    ~Leave() { --depth; }
  } leave{depth_};
  const auto kid = [&](std::size_t i) { return formula(*syntax.kids[i], scope); };
  const auto negated = [&](const Node* node) { return formula_node(Kind::Not, syntax.place, {node}); };
  switch (syntax.kind) {
    case SyntaxKind::Name: return name(syntax, scope);
    case SyntaxKind::Call: return call(syntax, scope);
    case SyntaxKind::Index: return index(syntax, scope);
    case SyntaxKind::LetIn: return local(syntax, scope);
    case SyntaxKind::Union: return same_columns(Kind::Union, syntax, scope);
    case SyntaxKind::Difference: return same_columns(Kind::Difference, syntax, scope);
    case SyntaxKind::Intersection: return same_columns(Kind::Intersection, syntax, scope);
    case SyntaxKind::Product: return product(syntax, scope);
    case SyntaxKind::Join: return join(syntax, scope);
    case SyntaxKind::Inverse:
    case SyntaxKind::Closure:
    case SyntaxKind::ReflexiveClosure:
    case SyntaxKind::Optional: return on_pairs(syntax, scope);
    case SyntaxKind::IdentityOn: return identity_on(syntax, scope);
    case SyntaxKind::Max: return max(syntax, scope);
    case SyntaxKind::Comprehension:
    case SyntaxKind::All:
    case SyntaxKind::Some:
    case SyntaxKind::No:
    case SyntaxKind::Lone:
    case SyntaxKind::One: return binding(syntax, scope);
    case SyntaxKind::True: return formula_node(Kind::True, syntax.place, {});
    case SyntaxKind::False: return formula_node(Kind::False, syntax.place, {});
    case SyntaxKind::Not: return negated(kid(0));
    case SyntaxKind::And: return formula_node(Kind::And, syntax.place, {kid(0), kid(1)});
    case SyntaxKind::Or: return formula_node(Kind::Or, syntax.place, {kid(0), kid(1)});
    case SyntaxKind::Implies: return formula_node(Kind::Implies, syntax.place, {kid(0), kid(1)});
    case SyntaxKind::Iff: return formula_node(Kind::Iff, syntax.place, {kid(0), kid(1)});
    case SyntaxKind::In: return comparison(Kind::In, syntax, scope);
    case SyntaxKind::NotIn: return negated(comparison(Kind::In, syntax, scope));
    case SyntaxKind::Equal: return comparison(Kind::Equal, syntax, scope);
    case SyntaxKind::NotEqual: return negated(comparison(Kind::Equal, syntax, scope));
    case SyntaxKind::Nonempty:
    case SyntaxKind::Empty:
    case SyntaxKind::Acyclic:
    case SyntaxKind::Irreflexive:
    case SyntaxKind::Transitive:
    case SyntaxKind::Total: return test(syntax, scope);
    case SyntaxKind::Within: {
      const Node* only = set(*syntax.kids[0], scope);
      unify(columns(only)[0], of(Sort::Txn), syntax.place);
      return formula_node(Kind::Within, syntax.place, {only, kid(1)});
    }
  }
  wrong(syntax.place, "this means nothing");
}

const Node* Resolver::name(const Syntax& syntax, const Scope& scope) {
  const Binding* binding = find(syntax.text, scope);
  if (binding == nullptr) unknown(syntax, scope);
  switch (binding->kind) {
    case Binding::Kind::Node: return binding->node;
    case Binding::Kind::Let: return let(*binding->let, *binding->scope, {}, {}, syntax.place);
    case Binding::Kind::Definition: return definition(*binding->definition, *binding->scope, syntax.place);
    case Binding::Kind::Witness:
    case Binding::Kind::Base: {
      const Node* node = binding->kind == Binding::Kind::Witness ? witness(binding->number, syntax.place)
                                                                 : base(binding->number, syntax.place);
      if (!is_family(*binding, witnesses_))
        return node;  // a family without its index is the union of its members
      return join(&make(Kind::Universe, syntax.place, {}, {of(Sort::Obj)}), node, syntax.place);
    }
    case Binding::Kind::Label: {
      Node& node = make(Kind::Label, syntax.place, {}, {of(binding->sort)});
      node.number = binding->number;
      node.name = syntax.text;
      return &node;
    }
    case Binding::Kind::Initial: return &make(Kind::Initial, syntax.place, {}, {of(Sort::Txn)});
    case Binding::Kind::Identity: {
      const SortRef txn = of(Sort::Txn);
      return &make(Kind::Identity, syntax.place, {}, {txn, txn});
    }
    case Binding::Kind::Sort: {
      Node& node = make(Kind::Universe, syntax.place, {}, {of(static_cast<Sort>(binding->number))});
      return &node;
    }
  }
  unknown(syntax, scope);
}

const Node* Resolver::witness(std::size_t number, const Place& place) {
  const SortRef txn = of(Sort::Txn);
  const bool indexed = witnesses_.at(number).indexed;
  Node& node = make(Kind::Witness, place, {}, indexed ? Columns{of(Sort::Obj), txn, txn} : Columns{txn, txn});
  node.number = number;
  return &node;
}

const Node* Resolver::base(std::size_t number, const Place& place) {
  Columns refs;
  for (const Sort sort : columns_of(static_cast<Base>(number))) refs.push_back(of(sort));
  Node& node = make(Kind::Base, place, {}, std::move(refs));
  node.number = number;
  return &node;
}

const Node* Resolver::definition(const Definition& definition, const Scope& scope, const Place& used_at) {
  if (definition.formula) return formula(*definition.formula, scope);
  const Node* all = formula_node(Kind::True, used_at, {});
  for (const Named& anomaly : definition.forbids) {
    const Syntax written{SyntaxKind::Name, anomaly.place, anomaly.text, {}};
    const Binding* binding = find(anomaly.text, scope);
    if (binding == nullptr) unknown(written, scope);
    if (binding->kind != Binding::Kind::Definition || !binding->definition->anomaly)
      wrong(anomaly.place, fmt::format("{} is not an anomaly", anomaly.text),
            "define it: anomaly NAME in FRAMEWORK: ...");
    Node& forbidden = make(Kind::Not, anomaly.place, {formula(written, scope)}, {});
    forbidden.name = fmt::format("no {}", anomaly.text);
    all = formula_node(Kind::And, used_at, {all, &forbidden});
  }
  return all;
}

const Node* Resolver::let(const Let& let, const Scope& scope, std::span<const Node* const> arguments,
                          std::span<const Node* const> indices, const Place& place) {
  if (arguments.size() != let.parameters.size())
    wrong(place, fmt::format("{} takes {} parameter{}, not {}", let.name.text, let.parameters.size(),
                             let.parameters.size() == 1 ? "" : "s", arguments.size()));
  if (let.recursive) return fixpoint(let, scope, place);
  Scope inner{&scope, {}};
  for (std::size_t i = 0; i < arguments.size(); ++i)
    inner.names[let.parameters[i].text] = {.kind = Binding::Kind::Node, .node = arguments[i]};
  if (let.indices.empty() || !indices.empty()) {
    if (indices.size() != let.indices.size())
      wrong(place, fmt::format("{} has {} index{}, not {}", let.name.text, let.indices.size(),
                               let.indices.size() == 1 ? "" : "es", indices.size()));
    for (std::size_t i = 0; i < indices.size(); ++i)
      inner.names[let.indices[i].text] = {.kind = Binding::Kind::Node, .node = indices[i]};
    return either(*let.body, inner);
  }
  std::vector<Variable> bound;
  for (const Named& index : let.indices) {
    const SortRef sort = fresh();
    const std::size_t number = new_variable(sort);
    bound.push_back({number, index.text, Sort::Txn, nullptr});
    Node& variable = make(Kind::Variable, index.place, {}, {sort});
    variable.number = number;
    variable.name = index.text;
    inner.names[index.text] = {.kind = Binding::Kind::Node, .node = &variable};
  }
  const Node* body = relation(*let.body, inner);
  Node& node = make(Kind::UnionOver, place, {body}, columns(body));
  node.bound = std::move(bound);
  return &node;
}

const Node* Resolver::fixpoint(const Let& let, const Scope& scope, const Place& place) {
  if (!let.indices.empty() || !let.parameters.empty())
    wrong(let.name.place, "let rec takes no parameters and no index");
  if (let.type.empty())
    wrong(let.name.place, "let rec needs the sorts of its columns", "let rec r : Txn * Txn = ...");
  Columns refs;
  for (const Named& sort : let.type) {
    const Binding* binding = find(sort.text, scope);
    if (binding == nullptr || binding->kind != Binding::Kind::Sort)
      wrong(sort.place, fmt::format("{} is not a sort", sort.text), "Txn, Obj, Val or Op");
    refs.push_back(of(static_cast<Sort>(binding->number)));
  }
  const std::size_t number = new_variable(of(Sort::Txn));
  Node& variable = make(Kind::FixpointVariable, let.name.place, {}, refs);
  variable.number = number;
  Scope inner{&scope, {}};
  inner.names[let.name.text] = {.kind = Binding::Kind::Node, .node = &variable};
  const Node* body = relation(*let.body, inner);
  unify(columns(body), refs, let.body->place);
  const auto is_it = [&](const Node& node) {
    return node.kind == Kind::FixpointVariable && node.number == number;
  };
  if (signs_of(*body, is_it).less)
    wrong(let.name.place, fmt::format("{} is used where more of it can give less", let.name.text),
          "not under not, =, max, a test, on the left of => or in, or on the right of \\");
  Node& node = make(Kind::Fixpoint, place, {body}, refs);
  node.number = number;
  return &node;
}

const Node* Resolver::call(const Syntax& syntax, const Scope& scope) {
  const Syntax& callee = *syntax.kids[0];
  const Binding* binding = callee.kind == SyntaxKind::Name ? find(callee.text, scope) : nullptr;
  if (callee.kind == SyntaxKind::Name && binding == nullptr) unknown(callee, scope);
  if (binding != nullptr && is_set_family(*binding)) return index(syntax, scope);
  if (binding == nullptr || binding->kind != Binding::Kind::Let || binding->let->parameters.empty())
    return member(syntax, scope);
  std::vector<const Node*> arguments;
  for (std::size_t i = 1; i < syntax.kids.size(); ++i) arguments.push_back(either(*syntax.kids[i], scope));
  return let(*binding->let, *binding->scope, arguments, {}, syntax.place);
}

const Node* Resolver::index(const Syntax& syntax, const Scope& scope) {
  const Syntax& family = *syntax.kids[0];
  const Binding* binding = family.kind == SyntaxKind::Name ? find(family.text, scope) : nullptr;
  if (family.kind == SyntaxKind::Name && binding == nullptr) unknown(family, scope);
  if (binding != nullptr && binding->kind == Binding::Kind::Let && !binding->let->indices.empty() &&
      binding->let->parameters.empty()) {
    std::vector<const Node*> indices;
    for (std::size_t i = 1; i < syntax.kids.size(); ++i) indices.push_back(element(*syntax.kids[i], scope));
    return let(*binding->let, *binding->scope, {}, indices, syntax.place);
  }
  if (binding == nullptr || !is_family(*binding, witnesses_))
    wrong(syntax.place, "only a family has an index", "membership is written r(t,s)");
  const Node* node = binding->kind == Binding::Kind::Witness ? witness(binding->number, family.place)
                                                             : base(binding->number, family.place);
  for (std::size_t i = 1; i < syntax.kids.size(); ++i) {
    if (columns(node).size() < 2) wrong(syntax.kids[i]->place, fmt::format("{} has one index", family.text));
    node = join(element(*syntax.kids[i], scope), node, syntax.place);
  }
  return node;
}

const Node* Resolver::member(const Syntax& syntax, const Scope& scope) {
  const Node* of_relation = relation(*syntax.kids[0], scope);
  const Columns refs = columns(of_relation);
  if (refs.size() != syntax.kids.size() - 1)
    wrong(syntax.place,
          fmt::format("{} column{} ({}) but {} argument{}", refs.size(), refs.size() == 1 ? "" : "s",
                      describe(refs), syntax.kids.size() - 1, syntax.kids.size() == 2 ? "" : "s"));
  std::vector<const Node*> kids{of_relation};
  for (std::size_t i = 0; i < refs.size(); ++i) {
    kids.push_back(element(*syntax.kids[i + 1], scope));
    unify(columns(kids.back())[0], refs[i], syntax.kids[i + 1]->place);
  }
  return formula_node(Kind::Member, syntax.place, std::move(kids));
}

const Node* Resolver::local(const Syntax& syntax, const Scope& scope) {
  Scope inner{&scope, {}};
  inner.names[syntax.text] = {.kind = Binding::Kind::Node, .node = either(*syntax.kids[0], scope)};
  return either(*syntax.kids[1], inner);
}

void Resolver::declare(const std::vector<Witness>& witnesses, const Scope& scope) {
  for (const Witness& witness : witnesses) {
    WitnessSpec spec{witness.name.text, static_cast<WitnessSpec::Kind>(witness.kind),
                     witness.index.has_value(), nullptr};
    Scope inner{&scope, {}};
    if (witness.index) {
      const SortRef sort = of(Sort::Obj);
      spec.index = new_variable(sort);
      Node& variable = make(Kind::Variable, witness.index->place, {}, {sort});
      variable.number = spec.index;
      inner.names[witness.index->text] = {.kind = Binding::Kind::Node, .node = &variable};
    }
    spec.domain = set(*witness.domain, inner);
    const auto sort = sort_[root(columns(spec.domain)[0])];
    if (sort && *sort != Sort::Txn)
      wrong(witness.domain->place, fmt::format("a witness relates transactions, not {}", name_of(*sort)),
            "such as: on Txn, on W(x)");
    unify(columns(spec.domain)[0], of(Sort::Txn), witness.domain->place);
    witnesses_.push_back(std::move(spec));
  }
}

WitnessGuess Resolver::guess(const Guess& guess, const Scope& scope) {
  const Binding* binding = find(guess.witness.text, scope);
  if (binding == nullptr || binding->kind != Binding::Kind::Witness)
    wrong(guess.witness.place, fmt::format("{} is not a witness of this framework", guess.witness.text));
  if (witnesses_.at(binding->number).indexed)
    wrong(guess.witness.place, fmt::format("{} has an index", guess.witness.text),
          "only a witness without an index can be guessed");
  const Node* relation = relation_of_pairs(*guess.relation, scope);
  unify(columns(relation)[0], of(Sort::Txn), guess.relation->place);
  return {binding->number, relation};
}

const Binding* Resolver::find(const std::string& name, const Scope& scope) const {
  for (const Scope* link = &scope; link != nullptr; link = link->parent)
    if (const auto found = link->names.find(name); found != link->names.end()) return &found->second;
  return nullptr;
}

void Resolver::unknown(const Syntax& syntax, const Scope& scope) const {
  std::vector<std::string> known;
  for (const Scope* link = &scope; link != nullptr; link = link->parent)
    for (const auto& [name, binding] : link->names) known.push_back(name);
  wrong(syntax.place, fmt::format("{} is not defined here", syntax.text), did_you_mean(syntax.text, known));
}

}  // namespace assay::spec
