#include "analysis/written_level.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/axioms.h"
#include "spec/load.h"

namespace assay::analysis {
namespace {

using spec::Node;
using spec::Specification;
using z3::expr;

// Whether two formulas of different specifications are the same up to the names of bound variables.
class Comparison {
 public:
  Comparison(const Specification& a, const Specification& b) : a_(a), b_(b) {}

  bool alike(const Node& a, const Node& b) {
    if (a.kind != b.kind || a.columns != b.columns || a.kids.size() != b.kids.size() ||
        a.bound.size() != b.bound.size())
      return false;
    for (std::size_t v = 0; v < a.bound.size(); ++v) {
      const spec::Variable &x = a.bound[v], &y = b.bound[v];
      const bool both = x.domain != nullptr && y.domain != nullptr;
      if (x.sort != y.sort || (x.domain == nullptr) != (y.domain == nullptr) ||
          (both && !alike(*x.domain, *y.domain)))
        return false;
      partner_[x.number] = y.number;
    }
    for (std::size_t i = 0; i < a.kids.size(); ++i)
      if (!alike(*a.kids[i], *b.kids[i])) return false;
    switch (a.kind) {
      case Node::Kind::Variable: return partner_.contains(a.number) && partner_[a.number] == b.number;
      case Node::Kind::Witness: return a_.witnesses[a.number].name == b_.witnesses[b.number].name;
      case Node::Kind::Fixpoint:
      case Node::Kind::FixpointVariable: return false;
      default: return a.number == b.number;
    }
  }

 private:
  const Specification &a_, &b_;
  std::map<std::size_t, std::size_t> partner_;
};

// The axiom of cerone that says what reads return; every execution of the encoding keeps it.
bool says_what_reads_return(const Node& axiom, const Specification& specification,
                            const Specification& cerone) {
  return std::ranges::any_of(cerone.axioms, [&](const spec::Condition& known) {
    return known.name == "ext" && Comparison(specification, cerone).alike(axiom, *known.formula);
  });
}

Result<void> check_witnesses(const Specification& specification) {
  using Kind = spec::WitnessSpec::Kind;
  const auto has = [&](std::string_view name, Kind kind) {
    return std::ranges::any_of(specification.witnesses, [&](const spec::WitnessSpec& witness) {
      return witness.name == name && witness.kind == kind && !witness.indexed &&
             witness.domain->kind == Node::Kind::Universe;
    });
  };
  if (specification.witnesses.size() == 2 && has("ar", Kind::TotalOrder) && has("vis", Kind::Relation))
    return {};
  return error(fmt::format("{} is not a level of visibility and arbitration", specification.name),
               "its framework must have the witnesses ar : total order on Txn and vis : relation on Txn, as "
               "cerone has");
}

// Three transactions and one row of which nothing else is known.
class AnyThree : public AxiomSubject {
 public:
  explicit AnyThree(z3::context& z) : z_(z) {}
  std::size_t transactions() const override { return 3; }
  std::size_t objects() const override { return 1; }
  expr exists(std::size_t) override { return z_.bool_val(true); }
  expr vis(std::size_t s, std::size_t t) override { return named("vis", s, t); }
  expr ar(std::size_t s, std::size_t t) override { return s > t ? !ar(t, s) : named("ar", s, t); }
  expr so(std::size_t s, std::size_t t) override { return named("so", s, t); }
  expr writes(std::size_t, std::size_t t) override { return named("W", 0, t); }

 private:
  expr named(std::string_view what, std::size_t s, std::size_t t) {
    return z_.bool_const(fmt::format("{} {} {}", what, s, t).c_str());
  }
  z3::context& z_;
};

// Asks about transactions 0, 1 and 2; the axioms hold of all three alike.
class Consequences {
 public:
  Consequences(z3::context& z, const std::vector<expr>& axioms) : three_(z), solver_(z) {
    for (const expr& axiom : axioms) solver_.add(axiom);
    solver_.add(!(three_.ar(0, 1) && three_.ar(1, 2) && three_.ar(2, 0)));
    solver_.add(!(three_.ar(1, 0) && three_.ar(2, 1) && three_.ar(0, 2)));
    solver_.add(sessions_are_chains(three_, z));
  }
  bool follows(const expr& premise, const expr& conclusion) {
    solver_.push();
    solver_.add(premise && !conclusion);
    const bool never = solver_.check() == z3::unsat;
    solver_.pop();
    return never;
  }
  AnyThree& three() { return three_; }

 private:
  AnyThree three_;
  z3::solver solver_;
};

}  // namespace

Result<std::shared_ptr<const WrittenLevel>> load_written_level(const std::string& name) {
  auto specification = spec::load_specification(name);
  if (!specification) return std::move(specification).error();
  ASSAY_TRY(check_witnesses(*specification));
  const auto cerone = spec::load_specification("cerone:RA");
  if (!cerone) return cerone.error();

  auto level = std::make_shared<WrittenLevel>();
  level->name = specification->name;
  level->specification = std::move(*specification);
  bool reads_return = false;
  for (const spec::Condition& axiom : level->specification.axioms) {
    const bool known = says_what_reads_return(*axiom.formula, level->specification, *cerone);
    reads_return |= known;
    if (!known) level->axioms.push_back(axiom.formula);
  }
  level->axioms.push_back(level->specification.formula);
  if (!reads_return)
    return error(fmt::format("the framework of {} does not say what a read returns", level->name),
                 "include cerone, or take over its axiom ext as it is");

  z3::context z;
  AnyThree any(z);
  std::vector<expr> axioms;
  for (const Node* axiom : level->axioms) {
    auto formula = instantiated(*axiom, level->specification, any, z);
    if (!formula) return std::move(formula).error();
    axioms.push_back(*formula);
  }
  Consequences level_says(z, axioms);
  AnyThree& t = level_says.three();
  if (!level_says.follows(t.vis(0, 1), t.ar(0, 1)))
    return error(fmt::format("{} lets transactions see later ones", level->name),
                 "add the axiom vis in ar: nothing else can be analysed");
  level->row = {.level = StoreLevel::Written, .id = level->name, .name = level->name};
  level->row.causal = level_says.follows(t.vis(0, 1) && t.vis(1, 2), t.vis(0, 2));
  level->row.prefix = level_says.follows(t.ar(0, 1) && t.vis(1, 2), t.vis(0, 2));
  level->row.no_conflict = level_says.follows(t.writes(0, 0) && t.writes(0, 1) && t.ar(0, 1), t.vis(0, 1));
  level->row.total = level_says.follows(t.ar(0, 1), t.vis(0, 1));
  return std::shared_ptr<const WrittenLevel>(std::move(level));
}

}  // namespace assay::analysis
