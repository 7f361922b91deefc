#include "prove/logic.h"

#include <fmt/format.h>

#include "base/contract.h"

namespace assay::prove {

using spec::Base;
using spec::Sort;

Logic::Logic(const Kind& kind)
    : sorts_{context_.uninterpreted_sort("Txn"), context_.uninterpreted_sort("Obj"),
             context_.uninterpreted_sort("Val"), context_.uninterpreted_sort("Op")},
      initial_(context_.constant("T0", sorts_[0])),
      so_(context_.function("so", sorts_[0], sorts_[0], context_.bool_sort())),
      writers_(context_.function("W", sorts_[1], sorts_[0], context_.bool_sort())),
      wr_(context_.function("wr", sorts_[1], sorts_[0], sorts_[0], context_.bool_sort())),
      real_(context_.function("is_read", sorts_[3], context_.bool_sort())),
      po_(context_.function("po", sorts_[3], sorts_[3], context_.bool_sort())),
      by_(context_.function("by", sorts_[3], sorts_[0])),
      at_(context_.function("at", sorts_[3], sorts_[1])),
      source_(context_.function("source", sorts_[3], sorts_[0])),
      rt_(context_.function("rt", sorts_[0], sorts_[0], context_.bool_sort())),
      ended_(context_.function("ended", sorts_[0], sorts_[0], context_.bool_sort())) {
  numbers_ = total_order("numbers");
  add_history_axioms(kind);
}

z3::expr Logic::element(Sort sort) {
  return context_.constant(fmt::format("e{}", names_++).c_str(), this->sort(sort));
}

z3::expr Logic::base(Base base, const Elements& e) {
  switch (base) {
    case Base::So: return so_(e[0], e[1]);
    case Base::Writers: return writers_(e[0], e[1]);
    case Base::Wr: return wr_(e[0], e[1], e[2]);
    case Base::Readers: {
      const z3::expr s = element(Sort::Txn);
      return some({s}, wr_(e[0], s, e[1]));
    }
    case Base::Po: return po_(e[0], e[1]);
    case Base::OpTxn: return real_(e[0]) && by_(e[0]) == e[1];
    case Base::OpObj: return real_(e[0]) && at_(e[0]) == e[1];
    case Base::Rt: return rt_(e[0], e[1]);
    case Base::Ended: return ended_(e[0], e[1]);
    case Base::Rf: return real_(e[1]) && source_(e[1]) == e[0];
    case Base::Reads:
    case Base::Writes: break;
  }
  ASSAY_REQUIRE(false);
  return context_.bool_val(false);
}

namespace {

// Weight 1 is what other solvers assume.
z3::expr quantified(z3::context& context, bool universal, const Elements& bound, const z3::expr& body) {
  if (bound.empty()) return body;
  std::vector<Z3_app> variables;
  for (const z3::expr& variable : bound) variables.push_back(static_cast<Z3_app>(variable));
  const auto count = static_cast<unsigned>(variables.size());
  const auto make = universal ? Z3_mk_forall_const : Z3_mk_exists_const;
  return {context, make(context, 1, count, variables.data(), 0, nullptr, body)};
}

}  // namespace

z3::expr Logic::all(const Elements& bound, const z3::expr& body) {
  return quantified(context_, true, bound, body);
}

z3::expr Logic::some(const Elements& bound, const z3::expr& body) {
  return quantified(context_, false, bound, body);
}

// SMT-LIB knows no conjunction of nothing.
z3::expr Logic::both(const std::vector<z3::expr>& parts) {
  z3::expr_vector vector(context_);
  for (const z3::expr& part : parts)
    if (!part.is_true()) vector.push_back(part);
  return vector.empty() ? context_.bool_val(true) : vector.size() == 1 ? vector[0] : z3::mk_and(vector);
}

Relation Logic::applied(const z3::func_decl& function, const Elements& parameters, const std::string& key) {
  return {[function, parameters](const Elements& elements) {
            z3::expr_vector arguments(function.ctx());
            for (const z3::expr& parameter : parameters) arguments.push_back(parameter);
            for (const z3::expr& element : elements) arguments.push_back(element);
            return function(arguments);
          },
          key};
}

Relation Logic::predicate(const std::string& name, const std::vector<Sort>& columns) {
  z3::sort_vector domain(context_);
  for (const Sort column : columns) domain.push_back(sort(column));
  return applied(context_.function(name.c_str(), domain, context_.bool_sort()), {}, name);
}

void Logic::require_order(const Relation& order, const std::function<z3::expr(const z3::expr&)>& domain,
                          bool total, const Elements& parameters) {
  const z3::expr a = element(Sort::Txn), b = element(Sort::Txn), c = element(Sort::Txn);
  const auto before = [&](const z3::expr& s, const z3::expr& t) { return order.holds({s, t}); };
  const auto say = [&](Elements bound, const z3::expr& body) {
    bound.insert(bound.end(), parameters.begin(), parameters.end());
    require(all(bound, body));
  };
  say({a}, !before(a, a));
  say({a, b}, z3::implies(before(a, b), domain(a) && domain(b)));
  say({a, b, c}, z3::implies(before(a, b) && before(b, c), before(a, c)));
  say({a}, z3::implies(domain(a) && domain(initial_) && a != initial_, before(initial_, a)));
  if (total) say({a, b}, z3::implies(domain(a) && domain(b) && a != b, before(a, b) || before(b, a)));
}

Relation Logic::total_order(const std::string& name) {
  Relation order = predicate(name, {Sort::Txn, Sort::Txn});
  require_order(
      order, [this](const z3::expr&) { return context_.bool_val(true); }, true);
  compare_closures_with(order);
  return order;
}

// The initial transaction precedes all in every relation that matters here, so it can be the first of the
// order. That it can is asked for: nothing may lead to it.
Relation Logic::order_that_contains(const Relation& relation) {
  Relation order = predicate(fmt::format("along{}", names_++), {Sort::Txn, Sort::Txn});
  const z3::expr a = element(Sort::Txn), b = element(Sort::Txn), c = element(Sort::Txn);
  const auto before = [&](const z3::expr& s, const z3::expr& t) { return order.holds({s, t}); };
  require(all({a}, !before(a, a)));
  require(all({a, b, c}, z3::implies(before(a, b) && before(b, c), before(a, c))));
  require(all({a, b}, z3::implies(a != b, before(a, b) || before(b, a))));
  require(all({a, b}, z3::implies(relation.holds({a, b}), before(a, b))));
  compare_closures_with(order);
  return order;
}

Relation Logic::closure(const std::string& key, const Step& step, const Elements& parameters, Sort sort) {
  const std::string name = "(" + key + ")+";
  if (const auto found = closures_.find(key); found != closures_.end())
    return applied(found->second.predicate, parameters, name);
  Elements formal;
  z3::sort_vector domain(context_);
  for (const z3::expr& parameter : parameters) {
    formal.push_back(context_.constant(fmt::format("e{}", names_++).c_str(), parameter.get_sort()));
    domain.push_back(parameter.get_sort());
  }
  domain.push_back(this->sort(sort));
  domain.push_back(this->sort(sort));
  Relation steps = step(formal);
  steps.holds(
      {element(sort), element(sort)});  // so that closures within it are known before axioms are written
  const z3::func_decl function =
      context_.function(fmt::format("closure{}", closures_.size()).c_str(), domain, context_.bool_sort());
  closures_.emplace(key, Closure{function, formal, std::move(steps), sort});
  return applied(function, parameters, name);
}

void Logic::add_history_axioms(const Kind& kind) {
  const z3::expr s = element(Sort::Txn), t = element(Sort::Txn), u = element(Sort::Txn);
  const z3::expr x = element(Sort::Obj);
  const auto before = [&](const z3::expr& a, const z3::expr& b) { return numbers_.holds({a, b}); };
  // Sessions are chains, but no proof here needs that, and so it also holds where a transaction of unknown
  // outcome takes effect after its session went on.
  require(all({s, t}, z3::implies(so_(s, t), before(s, t))));
  require(all({s, t, u}, z3::implies(so_(s, t) && so_(t, u), so_(s, u))));
  require(all({t}, z3::implies(t != initial_, so_(initial_, t))));
  // A read is from one who wrote the object; a transaction reads an object from one.
  require(all({x}, writers_(x, initial_)));
  require(all({x, s, t}, z3::implies(wr_(x, s, t), writers_(x, s) && before(s, t))));
  if (kind.repeatable_reads) require(all({x, s, t, u}, z3::implies(wr_(x, s, u) && wr_(x, t, u), s == t)));
  if (kind.operations) add_read_axioms();
  if (kind.clocks) add_clock_axioms();
  if (!kind.sessions) require(all({s, t}, z3::implies(so_(s, t), s == initial_)));
  if (!kind.blind_writes)
    require(all({x, t}, z3::implies(writers_(x, t) && t != initial_, some({s}, wr_(x, s, t)))));
}

// What begin and end of each transaction give.
void Logic::add_clock_axioms() {
  const z3::expr s = element(Sort::Txn), t = element(Sort::Txn), u = element(Sort::Txn),
                 v = element(Sort::Txn);
  const z3::expr x = element(Sort::Obj);
  require(all({t}, !rt_(t, t) && !rt_(t, initial_) && !ended_(t, t)));
  require(all({t}, z3::implies(t != initial_, rt_(initial_, t) && ended_(initial_, t))));
  require(all({s, t, u, v}, z3::implies(rt_(s, t) && rt_(u, v), rt_(s, v) || rt_(u, t))));
  require(all({s, t}, z3::implies(so_(s, t), rt_(s, t))));
  require(all({x, s, t}, z3::implies(wr_(x, s, t), !rt_(t, s))));
  require(all({s, t}, z3::implies(rt_(s, t), ended_(s, t))));
  require(all({s, t}, z3::implies(s != t, ended_(s, t) || ended_(t, s))));
  require(all({s, t, u}, z3::implies(ended_(s, t) && ended_(t, u), ended_(s, u))));
  require(all({s, t, u}, z3::implies(ended_(s, t) && rt_(t, u), rt_(s, u))));
}

void Logic::add_read_axioms() {
  const z3::expr s = element(Sort::Txn), t = element(Sort::Txn), x = element(Sort::Obj);
  const z3::expr o = element(Sort::Op), p = element(Sort::Op), q = element(Sort::Op);
  // Reads one by one, in the order of their transaction.
  require(all({o}, z3::implies(real_(o), wr_(at_(o), source_(o), by_(o)))));
  require(all({x, s, t}, z3::implies(wr_(x, s, t),
                                     some({o}, real_(o) && by_(o) == t && at_(o) == x && source_(o) == s))));
  require(all({o, p}, z3::implies(po_(o, p), real_(o) && real_(p) && o != p && by_(o) == by_(p))));
  require(all({o, p, q}, z3::implies(po_(o, p) && po_(p, q), po_(o, q))));
  require(
      all({o, p}, z3::implies(real_(o) && real_(p) && by_(o) == by_(p) && o != p, po_(o, p) || po_(p, o))));
}

void Logic::add_closure_axioms(std::vector<z3::expr>& axioms) {
  for (const auto& [key, closure] : closures_) {
    const z3::expr a = element(closure.sort), b = element(closure.sort), c = element(closure.sort);
    const auto with_parameters = [&](Elements bound) {
      bound.insert(bound.end(), closure.parameters.begin(), closure.parameters.end());
      return bound;
    };
    const Relation least = applied(closure.predicate, closure.parameters, key);
    const auto in = [&](const Relation& relation, const z3::expr& s, const z3::expr& t) {
      return relation.holds({s, t});
    };
    axioms.push_back(all(with_parameters({a, b}), z3::implies(in(closure.step, a, b), in(least, a, b))));
    axioms.push_back(
        all(with_parameters({a, b, c}), z3::implies(in(least, a, b) && in(least, b, c), in(least, a, c))));
    if (closure.sort != Sort::Txn) continue;
    // Induction: what contains the steps and is transitive contains the closure.
    std::vector<Relation> bounds = bounds_;
    for (const auto& [other_key, other] : closures_)
      if (other_key != key && other.parameters.empty() && other.sort == Sort::Txn)
        bounds.push_back(applied(other.predicate, {}, other_key));
    for (const Relation& bound : bounds) {
      const z3::expr contains_steps = all({a, b}, z3::implies(in(closure.step, a, b), in(bound, a, b)));
      const z3::expr transitive =
          all({a, b, c}, z3::implies(in(bound, a, b) && in(bound, b, c), in(bound, a, c)));
      axioms.push_back(
          all(closure.parameters, z3::implies(contains_steps && transitive,
                                              all({a, b}, z3::implies(in(least, a, b), in(bound, a, b))))));
    }
  }
}

std::vector<z3::expr> Logic::axioms() {
  std::vector<z3::expr> all = axioms_;
  add_closure_axioms(all);
  return all;
}

}  // namespace assay::prove
