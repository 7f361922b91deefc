// The part of Resolver that knows operators, tests and quantifiers: which columns they need and give.
#include "spec/resolver.h"

namespace assay::spec {

using SyntaxKind = Syntax::Kind;

const Node* Resolver::formula(const Syntax& syntax, const Scope& scope) {
  const Node* node = either(syntax, scope);
  if (!node->is_formula())
    wrong(syntax.place, fmt::format("a relation ({}) where a formula is expected", describe(columns(node))),
          "compare it (in, =), test it (empty, acyclic), or apply it: r(t,s)");
  return node;
}

const Node* Resolver::relation(const Syntax& syntax, const Scope& scope) {
  const Node* node = either(syntax, scope);
  if (node->is_formula()) wrong(syntax.place, "a formula where a relation is expected");
  return node;
}

const Node* Resolver::relation_of_pairs(const Syntax& syntax, const Scope& scope) {
  const Node* node = relation(syntax, scope);
  if (columns(node).size() != 2)
    wrong(syntax.place, fmt::format("a relation of two columns is needed, not {}", describe(columns(node))));
  unify(columns(node)[0], columns(node)[1], syntax.place);
  return node;
}

const Node* Resolver::set(const Syntax& syntax, const Scope& scope) {
  const Node* node = relation(syntax, scope);
  if (columns(node).size() != 1)
    wrong(syntax.place, fmt::format("a set is needed, not {}", describe(columns(node))));
  return node;
}

const Node* Resolver::set_of(const Syntax& syntax, const Scope& scope, SortRef sort) {
  const Node* node = set(syntax, scope);
  unify(columns(node)[0], sort, syntax.place);
  return node;
}

// A set of which is known that it has one member at most.
const Node* Resolver::element(const Syntax& syntax, const Scope& scope) {
  const Node* node = set(syntax, scope);
  const auto is_function_of_operations = [](const Node& relation) {
    return relation.kind == Kind::Base && (relation.number == static_cast<std::size_t>(Base::OpTxn) ||
                                           relation.number == static_cast<std::size_t>(Base::OpObj));
  };
  const bool one = node->kind == Kind::Variable || node->kind == Kind::Initial || node->kind == Kind::Max ||
                   (node->kind == Kind::Join && node->kids[0]->kind == Kind::Variable &&
                    is_function_of_operations(*node->kids[1]));
  if (!one)
    wrong(syntax.place, fmt::format("a set ({}) where an element is expected", describe(columns(node))),
          "name one with all or some, or compare sets with in");
  return node;
}

const Node* Resolver::same_columns(Kind kind, const Syntax& syntax, const Scope& scope) {
  const Node *left = relation(*syntax.kids[0], scope), *right = relation(*syntax.kids[1], scope);
  unify(columns(left), columns(right), syntax.place);
  return &make(kind, syntax.place, {left, right}, columns(left));
}

const Node* Resolver::comparison(Kind kind, const Syntax& syntax, const Scope& scope) {
  const Node *left = relation(*syntax.kids[0], scope), *right = relation(*syntax.kids[1], scope);
  unify(columns(left), columns(right), syntax.place);
  return formula_node(kind, syntax.place, {left, right});
}

const Node* Resolver::product(const Syntax& syntax, const Scope& scope) {
  const Node *left = relation(*syntax.kids[0], scope), *right = relation(*syntax.kids[1], scope);
  Columns refs = columns(left);
  refs.insert(refs.end(), columns(right).begin(), columns(right).end());
  if (refs.size() > 3) wrong(syntax.place, "a relation has at most three columns");
  return &make(Kind::Product, syntax.place, {left, right}, std::move(refs));
}

const Node* Resolver::join(const Syntax& syntax, const Scope& scope) {
  const Node *left = relation(*syntax.kids[0], scope), *right = relation(*syntax.kids[1], scope);
  return join(left, right, syntax.place);
}

const Node* Resolver::join(const Node* left, const Node* right, const Place& place) {
  const Columns &l = columns(left), &r = columns(right);
  if (l.size() + r.size() < 3)
    wrong(place, "a join of two sets has no columns left", "use some e: a(e) and b(e)");
  if (l.size() + r.size() > 5) wrong(place, "a relation has at most three columns");
  unify(l.back(), r.front(), place);
  Columns refs(l.begin(), l.end() - 1);
  refs.insert(refs.end(), r.begin() + 1, r.end());
  return &make(Kind::Join, place, {left, right}, std::move(refs));
}

const Node* Resolver::on_pairs(const Syntax& syntax, const Scope& scope) {
  if (syntax.kind == SyntaxKind::Inverse) {
    const Node* inner = relation(*syntax.kids[0], scope);
    if (columns(inner).size() != 2)
      wrong(syntax.place,
            fmt::format("only a relation of two columns has an inverse, not {}", describe(columns(inner))));
    return &make(Kind::Inverse, syntax.place, {inner}, {columns(inner)[1], columns(inner)[0]});
  }
  const Node* inner = relation_of_pairs(*syntax.kids[0], scope);
  const Columns refs = columns(inner);
  if (syntax.kind != SyntaxKind::Optional) inner = &make(Kind::Closure, syntax.place, {inner}, refs);
  if (syntax.kind == SyntaxKind::Closure) return inner;
  const Node& identity = make(Kind::Identity, syntax.place, {}, refs);
  return &make(Kind::Union, syntax.place, {&identity, inner}, refs);
}

const Node* Resolver::identity_on(const Syntax& syntax, const Scope& scope) {
  const Node* inner = set(*syntax.kids[0], scope);
  const SortRef sort = columns(inner)[0];
  return &make(Kind::IdentityOn, syntax.place, {inner}, {sort, sort});
}

const Node* Resolver::max(const Syntax& syntax, const Scope& scope) {
  const Node *order = relation_of_pairs(*syntax.kids[0], scope), *of_set = set(*syntax.kids[1], scope);
  unify(columns(order)[0], columns(of_set)[0], syntax.place);
  return &make(Kind::Max, syntax.place, {order, of_set}, columns(of_set));
}

const Node* Resolver::test(const Syntax& syntax, const Scope& scope) {
  const bool any = syntax.kind == SyntaxKind::Empty || syntax.kind == SyntaxKind::Nonempty;
  const Node* tested = any ? relation(*syntax.kids[0], scope) : relation_of_pairs(*syntax.kids[0], scope);
  std::vector<const Node*> kids{tested};
  if (syntax.kind == SyntaxKind::Total) {
    if (syntax.kids.size() > 1) kids.push_back(set_of(*syntax.kids[1], scope, columns(tested)[0]));
    else kids.push_back(&make(Kind::Universe, syntax.place, {}, {columns(tested)[0]}));
  }
  const Kind kind = syntax.kind == SyntaxKind::Acyclic       ? Kind::Acyclic
                    : syntax.kind == SyntaxKind::Irreflexive ? Kind::Irreflexive
                    : syntax.kind == SyntaxKind::Transitive  ? Kind::Transitive
                    : syntax.kind == SyntaxKind::Total       ? Kind::Total
                                                             : Kind::Empty;
  Node& node = make(kind, syntax.place, std::move(kids), {});
  node.name = syntax.text;
  return syntax.kind == SyntaxKind::Nonempty ? formula_node(Kind::Not, syntax.place, {&node}) : &node;
}

const Node* Resolver::binding(const Syntax& syntax, const Scope& scope) {
  std::deque<Scope> scopes;
  const Scope* inner = &scope;
  std::vector<Variable> bound;
  Columns refs;
  for (const Binder& binder : syntax.binders) {
    const Node* domain = binder.domain ? set(*binder.domain, *inner) : nullptr;
    scopes.push_back({inner, {}});
    for (const Named& named : binder.names) {
      const SortRef sort = domain ? columns(domain)[0] : fresh();
      const std::size_t number = new_variable(sort);
      Node& variable = make(Kind::Variable, named.place, {}, {sort});
      variable.number = number;
      variable.name = named.text;
      if (!scopes.back()
               .names.emplace(named.text, Binding{.kind = Binding::Kind::Node, .node = &variable})
               .second)
        wrong(named.place, fmt::format("{} is bound twice", named.text));
      bound.push_back({number, named.text, Sort::Txn, domain});
      refs.push_back(sort);
    }
    inner = &scopes.back();
  }
  const Node* body = formula(*syntax.kids[0], *inner);
  const bool comprehension = syntax.kind == SyntaxKind::Comprehension;
  if (comprehension && refs.size() > 3) wrong(syntax.place, "a relation has at most three columns");
  const Kind kind = comprehension                     ? Kind::Comprehension
                    : syntax.kind == SyntaxKind::All  ? Kind::All
                    : syntax.kind == SyntaxKind::Lone ? Kind::Lone
                    : syntax.kind == SyntaxKind::One  ? Kind::One
                                                      : Kind::Some;
  Node& node = make(kind, syntax.place, {body}, comprehension ? refs : Columns{});
  node.bound = std::move(bound);
  return syntax.kind == SyntaxKind::No ? formula_node(Kind::Not, syntax.place, {&node}) : &node;
}

}  // namespace assay::spec
