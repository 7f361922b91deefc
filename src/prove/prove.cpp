#include "prove/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/contract.h"
#include "prove/meaning.h"
#include "spec/load.h"
#include "synthesis/level_encoding.h"

namespace assay::prove {
namespace {

using spec::Sort;
using spec::Specification;
using spec::WitnessSpec;

// What to put in for B's witnesses.
struct Candidate {
  std::vector<Relation> witnesses;
  std::string words;
  const Relation* along =
      nullptr;           // an order of which it must be shown that the initial transaction is first
  bool guessed = false;  // the guesses of B replace what is named in them
};

class InclusionSearch {
 public:
  InclusionSearch(const Specification& first, const Specification& second, const ProveOptions& options,
                  bool more_induction)
      : first_(first),
        second_(second),
        options_(options),
        logic_({.sessions = options.sessions,
                .blind_writes = options.blind_writes,
                .operations = first.uses_operations || second.uses_operations,
                .repeatable_reads = options.repeatable_reads,
                .clocks = first.uses_clocks || second.uses_clocks}) {
    const auto library = spec::load_library("instances");
    ASSAY_REQUIRE(library.has_value());
    terms_ = library->relations("instances");
    assume_first();
    if (more_induction) compare_closures_with_terms();
    collect_candidates();
  }

  std::size_t candidates() const { return candidates_.size(); }

  // Each of B's conditions, or nothing if one of them does not follow.
  std::optional<InclusionProof> prove(std::size_t candidate, unsigned effort) {
    return prove(candidates_[candidate], effort);
  }

 private:
  static bool orders_all(const WitnessSpec& witness) {
    return witness.kind == WitnessSpec::Kind::TotalOrder && !witness.indexed &&
           witness.domain->kind == spec::Node::Kind::Universe;
  }

  static bool has_closure(const spec::Node& node) {
    return node.kind == spec::Node::Kind::Closure ||
           std::ranges::any_of(node.kids, [](const spec::Node* kid) { return has_closure(*kid); });
  }

  struct Order {
    Relation relation;
    std::string name;
    bool may_start_elsewhere = false;
  };

  // A's witnesses, its axioms and its formula.
  void assume_first() {
    std::vector<Relation>& given = given_;
    for (const WitnessSpec& witness : first_.witnesses) {
      std::vector<Sort> columns(witness.indexed ? 1 : 0, Sort::Obj);
      columns.insert(columns.end(), {Sort::Txn, Sort::Txn});
      given.push_back(logic_.predicate("A." + witness.name, columns));
    }
    meaning_ = &meanings_.emplace_back(logic_, first_, given);
    std::vector<std::size_t> orders;
    for (std::size_t i = 0; i < first_.witnesses.size(); ++i) {
      const WitnessSpec& witness = first_.witnesses[i];
      require_kind(i);
      if (orders_all(witness)) {
        orders.push_back(i);
        orders_.push_back({given[i], witness.name});
      }
      if (!witness.indexed) logic_.compare_closures_with(meaning_->witness(i));
    }
    std::vector<const spec::Node*> conditions{first_.formula};
    for (const spec::Condition& axiom : first_.axioms) conditions.push_back(axiom.formula);
    for (const spec::Node* condition : conditions) {
      logic_.require(meaning_->formula(*condition));
      meaning_->require_greatest_elements(*condition, orders);
      for (const Relation& relation : meaning_->acyclic_relations(*condition))
        orders_.push_back({logic_.order_that_contains(relation),
                           fmt::format("an order along what {} says has no cycle", first_.name), true});
    }
    orders_.push_back({logic_.numbers(), "an order along sessions and reads"});
  }

  void require_kind(std::size_t number) {
    const WitnessSpec& witness = first_.witnesses[number];
    if (witness.kind == WitnessSpec::Kind::Relation) return;
    const bool total = witness.kind == WitnessSpec::Kind::TotalOrder;
    const Relation order = meaning_->witness(number);
    if (!witness.indexed)
      return logic_.require_order(
          order, [&](const z3::expr& t) { return meaning_->in_domain(witness, t, nullptr); }, total);
    const z3::expr x = logic_.element(Sort::Obj);
    const Relation member{[order, x](const Elements& row) { return order.holds({x, row[0], row[1]}); }, ""};
    logic_.require_order(member, [&](const z3::expr& t) { return meaning_->in_domain(witness, t, &x); },
                         total, {x});
  }

  // Where A's own relations do not bound a closure, a term over its order may: `co? . (so | wr)` is
  // transitive.
  void compare_closures_with_terms() {
    for (const Specification& term : terms_)
      if (!has_closure(*term.relation))
        logic_.compare_closures_with(
            meanings_.emplace_back(logic_, term, std::vector<Relation>{orders_[0].relation})
                .relation(*term.relation));
  }

  void collect_candidates() {
    if (const auto alike = synthesis::alike_witnesses(first_, second_)) {
      Candidate candidate;
      for (std::size_t i = 0; i < alike->size(); ++i) {
        candidate.witnesses.push_back(given_[(*alike)[i]]);
        candidate.words += fmt::format("{}{} = {}", i == 0 ? "" : ", ", second_.witnesses[i].name,
                                       first_.witnesses[(*alike)[i]].name);
      }
      candidates_.push_back(std::move(candidate));
    }
    const bool has_relation = std::ranges::any_of(
        second_.witnesses, [](const WitnessSpec& w) { return w.kind == WitnessSpec::Kind::Relation; });
    for (const Order& order : orders_) {
      if (!second_.guesses.empty()) add_candidate(order, order.relation, order.name, true);
      if (!has_relation) {
        add_candidate(order, order.relation, order.name, false);
        continue;
      }
      for (std::size_t i = 0; i < first_.witnesses.size(); ++i)
        if (first_.witnesses[i].kind == WitnessSpec::Kind::Relation && !first_.witnesses[i].indexed)
          add_candidate(order, meaning_->witness(i), first_.witnesses[i].name, false);
      for (const Specification& term : terms_) {
        Meaning& meaning = meanings_.emplace_back(logic_, term, std::vector<Relation>{order.relation});
        add_candidate(order, meaning.relation(*term.relation), fmt::format("{}({})", term.level, order.name),
                      false);
      }
    }
  }

  void add_candidate(const Order& order, const Relation& relation, const std::string& name, bool guessed) {
    Candidate candidate;
    for (const WitnessSpec& witness : second_.witnesses) {
      const bool is_relation = witness.kind == WitnessSpec::Kind::Relation;
      const Relation& one = is_relation ? relation : order.relation;
      candidate.words += fmt::format("{}{} = {}", candidate.words.empty() ? "" : ", ", witness.name,
                                     is_relation ? name : order.name);
      if (!witness.indexed) {
        candidate.witnesses.push_back(one);
        continue;
      }
      candidate.witnesses.push_back({[one](const Elements& row) {
                                       return one.holds({row[1], row[2]});
                                     },
                                     one.key + " for each object"});
    }
    if (order.may_start_elsewhere) candidate.along = &order.relation;
    candidate.guessed = guessed;
    if (guessed) candidate.words += fmt::format(", with the guesses of {}", second_.name);
    candidates_.push_back(std::move(candidate));
  }

  std::optional<InclusionProof> prove(const Candidate& candidate, unsigned effort) {
    std::vector<Relation> witnesses = candidate.witnesses;
    std::vector<std::pair<std::string, z3::expr>> conditions;
    if (candidate.along != nullptr) {
      const z3::expr t = logic_.element(Sort::Txn);
      conditions.emplace_back(
          "the initial transaction is first",
          logic_.all({t}, z3::implies(t != logic_.initial(), candidate.along->holds({logic_.initial(), t}))));
    }
    if (candidate.guessed)
      for (const spec::WitnessGuess& guess : second_.guesses) {
        // Of a guess for an order it would have to be shown that it is one.
        if (second_.witnesses[guess.witness].kind != WitnessSpec::Kind::Relation) return std::nullopt;
        Meaning& before = meanings_.emplace_back(logic_, second_, witnesses);
        witnesses[guess.witness] = before.relation(*guess.relation);
      }
    Meaning& meaning = meanings_.emplace_back(logic_, second_, witnesses);
    for (const spec::Condition& axiom : second_.axioms)
      conditions.emplace_back(axiom.name.empty() ? "an axiom" : axiom.name, meaning.formula(*axiom.formula));
    conditions.emplace_back(second_.level, meaning.formula(*second_.formula));
    std::vector<std::size_t> orders;
    for (std::size_t i = 0; i < second_.witnesses.size(); ++i)
      if (orders_all(second_.witnesses[i])) orders.push_back(i);
    meaning.require_greatest_elements(*second_.formula, orders);
    InclusionProof proof{candidate.words, {}};
    for (const auto& [name, condition] : conditions) {
      z3::solver solver(logic_.context());
      z3::params limits(logic_.context());
      limits.set("rlimit", effort);
      limits.set("ctrl_c", false);
      solver.set(limits);
      for (const z3::expr& axiom : logic_.axioms()) solver.add(axiom);
      solver.add(!condition);
      if (solver.check() != z3::unsat) return std::nullopt;
      proof.obligations.push_back({name, "(set-logic ALL)\n" + solver.to_smt2()});
    }
    return proof;
  }

  const Specification &first_, &second_;
  const ProveOptions& options_;
  Logic logic_;
  std::deque<Meaning> meanings_;
  Meaning* meaning_ = nullptr;
  std::vector<Relation> given_;  // A's witnesses
  std::deque<Order> orders_;
  std::vector<Specification> terms_;
  std::vector<Candidate> candidates_;
};

}  // namespace

Result<std::optional<InclusionProof>> prove_inclusion(const Specification& first, const Specification& second,
                                                      const ProveOptions& options) {
  ASSAY_TRY(Meaning::check(first));
  ASSAY_TRY(Meaning::check(second));
  try {
    const std::size_t candidates = InclusionSearch(first, second, options, false).candidates();
    // Most obligations take no time, so all candidates get a little before any gets much. Each is alone with
    // its closures.
    const std::pair<unsigned, bool> rounds[] = {{options.effort / 50, false},
                                                {options.effort / 50, true},
                                                {options.effort, false},
                                                {options.effort, true}};
    for (const auto& [effort, more_induction] : rounds)
      for (std::size_t i = 0; i < candidates && (options.thorough || effort < options.effort); ++i) {
        if (options.stop && options.stop()) return std::optional<InclusionProof>();
        InclusionSearch search(first, second, options, more_induction);
        if (auto proof = search.prove(i, effort)) return proof;
      }
    return std::optional<InclusionProof>();
  } catch (const z3::exception& problem) {
    return error(fmt::format("Z3 failed: {}", problem.msg()), "this is a bug of assay; please report it");
  }
}

}  // namespace assay::prove
