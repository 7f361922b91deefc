#include "analysis/axioms.h"

#include <fmt/format.h>

namespace assay::analysis {
namespace {

using spec::Base;
using spec::Node;
using spec::Sort;
using z3::expr;
using Elements = std::vector<std::size_t>;  // one per column

// Where a part of an axiom stands: more of a conclusion makes the axiom weaker, more of a premise stronger.
enum class Side : std::uint8_t { Premise, Conclusion };
Side other(Side side) { return side == Side::Premise ? Side::Conclusion : Side::Premise; }

struct Untranslatable {
  Error error;
};

class Translation {
 public:
  Translation(const spec::Specification& specification, AxiomSubject& subject, z3::context& z)
      : spec_(specification), subject_(subject), z_(z) {}

  expr formula(const Node& node, Side side) {
    const auto kid = [&](std::size_t i, Side at) { return formula(*node.kids[i], at); };
    switch (node.kind) {
      case Node::Kind::True: return yes();
      case Node::Kind::False: return no();
      case Node::Kind::Not: return !kid(0, other(side));
      case Node::Kind::And: return kid(0, side) && kid(1, side);
      case Node::Kind::Or: return kid(0, side) || kid(1, side);
      case Node::Kind::Implies: return !kid(0, other(side)) || kid(1, side);
      case Node::Kind::Iff:
        return (!kid(0, other(side)) || kid(1, side)) && (!kid(1, other(side)) || kid(0, side));
      case Node::Kind::All: return all(node, side, node.bound, [&] { return kid(0, side); });
      case Node::Kind::Some: return !all(node, other(side), node.bound, [&] { return !kid(0, side); });
      case Node::Kind::In: return within(*node.kids[0], *node.kids[1], side);
      case Node::Kind::Equal:
        return within(*node.kids[0], *node.kids[1], side) && within(*node.kids[1], *node.kids[0], side);
      case Node::Kind::Member: return member_of(node, side);
      case Node::Kind::Empty:
        return all_rows(node, side, node.kids[0]->columns,
                        [&](const Elements& row) { return !holds(*node.kids[0], row, other(side)); });
      case Node::Kind::Acyclic: {
        Node closure{Node::Kind::Closure, node.place, {node.kids[0]}, node.kids[0]->columns};
        return irreflexive(closure, side);
      }
      case Node::Kind::Irreflexive: return irreflexive(*node.kids[0], side);
      case Node::Kind::Transitive: return transitive(node, side);
      case Node::Kind::Total: return total(node, side);
      case Node::Kind::Lone: refuse(node, "lone");
      case Node::Kind::One: refuse(node, "one");
      case Node::Kind::Within: refuse(node, "within");
      default: refuse(node, "this");
    }
  }

 private:
  expr yes() { return z_.bool_val(true); }
  expr no() { return z_.bool_val(false); }

  [[noreturn]] void refuse(const Node& node, std::string_view what) const {
    throw Untranslatable{spec::error_at(node.place,
                                        fmt::format("{} cannot be used to analyse programs", what),
                                        "say what all transactions keep, over vis, ar, so and W")};
  }
  // Something about all transactions can only be asked for, something about one only be supposed.
  void require_universal(const Node& node, Side side) const {
    if (side == Side::Conclusion) return;
    throw Untranslatable{spec::error_at(
        node.place, "this asks for a transaction to exist, which programs alone do not tell",
        "say what all transactions keep: `some`, joins and closures may stand in premises only")};
  }

  std::size_t size_of(const Node& node, Sort sort) const {
    if (sort == Sort::Txn) return subject_.transactions();
    if (sort == Sort::Obj) return subject_.objects();
    refuse(node, fmt::format("the sort {}", spec::name_of(sort)));
  }

  expr is_there(Sort sort, std::size_t element) {
    return sort == Sort::Txn ? subject_.exists(element) : yes();
  }

  template <class Body>
  expr all(const Node& node, Side side, std::span<const spec::Variable> variables, Body&& body) {
    if (variables.empty()) return body();
    require_universal(node, side);
    const spec::Variable& first = variables[0];
    expr every = yes();
    for (std::size_t e = 0; e < size_of(node, first.sort); ++e) {
      bound_[first.number] = e;
      expr in_domain = is_there(first.sort, e);
      if (first.domain != nullptr) in_domain = in_domain && holds(*first.domain, {e}, other(side));
      every = every && (!in_domain || all(node, side, variables.subspan(1), body));
    }
    return every;
  }

  template <class Body>
  expr all_rows(const Node& node, Side side, const std::vector<Sort>& sorts, Body&& body, Elements row = {}) {
    if (row.size() == sorts.size()) return body(row);
    require_universal(node, side);
    const Sort sort = sorts[row.size()];
    expr every = yes();
    for (std::size_t e = 0; e < size_of(node, sort); ++e) {
      Elements longer = row;
      longer.push_back(e);
      every = every && (!is_there(sort, e) || all_rows(node, side, sorts, body, std::move(longer)));
    }
    return every;
  }

  template <class Body>
  expr some_row(const Node& node, Side side, const std::vector<Sort>& sorts, Body&& body) {
    return !all_rows(node, other(side), sorts, [&](const Elements& row) { return !body(row); });
  }

  expr within(const Node& left, const Node& right, Side side) {
    if (left.kind == Node::Kind::Variable) return holds(right, {bound_.at(left.number)}, side);
    return all_rows(left, side, left.columns, [&](const Elements& row) {
      return !holds(left, row, other(side)) || holds(right, row, side);
    });
  }

  expr member_of(const Node& node, Side side, Elements row = {}) {
    const std::size_t next = row.size() + 1;
    if (next == node.kids.size()) return holds(*node.kids[0], row, side);
    const Node& element = *node.kids[next];
    row.push_back(0);
    if (element.kind == Node::Kind::Variable) {
      row.back() = bound_.at(element.number);
      return member_of(node, side, std::move(row));
    }
    return all_rows(element, side, element.columns, [&](const Elements& value) {
      row.back() = value[0];
      return !holds(element, value, other(side)) || member_of(node, side, row);
    });
  }

  expr irreflexive(const Node& relation, Side side) {
    return all_rows(relation, side, {relation.columns[0]}, [&](const Elements& e) {
      return !holds(relation, {e[0], e[0]}, other(side));
    });
  }

  expr transitive(const Node& node, Side side) {
    const Node& relation = *node.kids[0];
    const Sort sort = relation.columns[0];
    return all_rows(node, side, {sort, sort, sort}, [&](const Elements& e) {
      return !(holds(relation, {e[0], e[1]}, other(side)) && holds(relation, {e[1], e[2]}, other(side))) ||
             holds(relation, {e[0], e[2]}, side);
    });
  }

  expr total(const Node& node, Side side) {
    const Node &relation = *node.kids[0], &set = *node.kids[1];
    const Sort sort = relation.columns[0];
    return all_rows(node, side, {sort, sort}, [&](const Elements& e) {
      if (e[0] >= e[1]) return yes();
      return !(holds(set, {e[0]}, other(side)) && holds(set, {e[1]}, other(side))) ||
             holds(relation, {e[0], e[1]}, side) || holds(relation, {e[1], e[0]}, side);
    });
  }

  // Whether the relation has the row.
  expr holds(const Node& node, const Elements& row, Side side) {
    const auto kid = [&](std::size_t i, const Elements& r) { return holds(*node.kids[i], r, side); };
    switch (node.kind) {
      case Node::Kind::Base: return base(node, row, side);
      case Node::Kind::Witness:
        if (row[0] == row[1]) return no();
        return spec_.witnesses[node.number].name == "vis" ? subject_.vis(row[0], row[1])
                                                          : subject_.ar(row[0], row[1]);
      case Node::Kind::Universe: return yes();
      case Node::Kind::Identity: return z_.bool_val(row[0] == row[1]);
      case Node::Kind::Initial: refuse(node, "T0");
      case Node::Kind::Variable: return z_.bool_val(bound_.at(node.number) == row[0]);
      case Node::Kind::Union: return kid(0, row) || kid(1, row);
      case Node::Kind::Intersection: return kid(0, row) && kid(1, row);
      case Node::Kind::Difference: return kid(0, row) && !holds(*node.kids[1], row, other(side));
      case Node::Kind::Product: {
        const auto middle = row.begin() + static_cast<std::ptrdiff_t>(node.kids[0]->columns.size());
        return kid(0, Elements(row.begin(), middle)) && kid(1, Elements(middle, row.end()));
      }
      case Node::Kind::Join: return join(node, row, side);
      case Node::Kind::Inverse: return kid(0, {row[1], row[0]});
      case Node::Kind::Closure: return closure(node, row, side);
      case Node::Kind::IdentityOn: return row[0] == row[1] ? kid(0, {row[0]}) : no();
      case Node::Kind::Comprehension: return comprehension(node, row, side);
      case Node::Kind::UnionOver: return !all(node, other(side), node.bound, [&] { return !kid(0, row); });
      case Node::Kind::Max: refuse(node, "max");
      case Node::Kind::Fixpoint:
      case Node::Kind::FixpointVariable: refuse(node, "let rec");
      default: refuse(node, "this");
    }
  }

  expr base(const Node& node, const Elements& row, Side side) {
    switch (static_cast<Base>(node.number)) {
      case Base::So: return row[0] == row[1] ? no() : subject_.so(row[0], row[1]);
      case Base::Writers:
        if (side == Side::Premise) return subject_.writes(row[0], row[1]);
        refuse(node, "W in a conclusion");
      case Base::Wr: refuse(node, "wr");
      case Base::Reads: refuse(node, "reads");
      case Base::Writes: refuse(node, "writes");
      case Base::Readers: refuse(node, "R");
      default: refuse(node, "an operation");
    }
  }

  expr join(const Node& node, const Elements& row, Side side) {
    const Node &left = *node.kids[0], &right = *node.kids[1];
    const auto middle = row.begin() + static_cast<std::ptrdiff_t>(left.columns.size() - 1);
    const auto through = [&](std::size_t element) {
      Elements first(row.begin(), middle), second{element};
      first.push_back(element);
      second.insert(second.end(), middle, row.end());
      return holds(left, first, side) && holds(right, second, side);
    };
    for (const Node* end : {&left, &right})
      if (end->kind == Node::Kind::Variable) return through(bound_.at(end->number));
    return some_row(node, side, {right.columns[0]}, [&](const Elements& e) { return through(e[0]); });
  }

  // Paths of up to as many steps as there are elements.
  expr closure(const Node& node, const Elements& row, Side side) {
    require_universal(node, other(side));
    const std::size_t n = size_of(node, node.columns[0]);
    std::vector<expr> reached;
    for (std::size_t to = 0; to < n; ++to) reached.push_back(holds(*node.kids[0], {row[0], to}, side));
    for (std::size_t step = 1; step < n; ++step) {
      std::vector<expr> further = reached;
      for (std::size_t to = 0; to < n; ++to)
        for (std::size_t by = 0; by < n; ++by)
          if (by != to)
            further[to] = further[to] || (is_there(node.columns[0], by) && reached[by] &&
                                          holds(*node.kids[0], {by, to}, side));
      reached = std::move(further);
    }
    return reached[row[1]];
  }

  expr comprehension(const Node& node, const Elements& row, Side side) {
    expr all = yes();
    for (std::size_t c = 0; c < row.size(); ++c) {
      bound_[node.bound[c].number] = row[c];
      if (node.bound[c].domain != nullptr) all = all && holds(*node.bound[c].domain, {row[c]}, side);
    }
    return all && formula(*node.kids[0], side);
  }

  const spec::Specification& spec_;
  AxiomSubject& subject_;
  z3::context& z_;
  std::map<std::size_t, std::size_t> bound_;
};

}  // namespace

Result<expr> instantiated(const Node& formula, const spec::Specification& specification,
                          AxiomSubject& subject, z3::context& z) {
  try {
    return Translation(specification, subject, z).formula(formula, Side::Conclusion).simplify();
  } catch (Untranslatable& problem) {
    return std::move(problem.error);
  }
}

expr sessions_are_chains(AxiomSubject& subject, z3::context& z) {
  expr all = z.bool_val(true);
  const std::size_t n = subject.transactions();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      all = all && !(subject.so(i, j) && subject.so(j, i));
      for (std::size_t k = 0; k < n; ++k) {
        if (k == i || k == j) continue;
        const expr related = subject.so(i, j) || subject.so(j, i);
        all = all && implies(subject.so(i, j) && subject.so(j, k), subject.so(i, k)) &&
              implies(subject.so(i, k) && subject.so(j, k), related) &&
              implies(subject.so(k, i) && subject.so(k, j), related);
      }
    }
  return all;
}

}  // namespace assay::analysis
