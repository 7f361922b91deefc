// How a Search begins: allowed levels with their witnesses, and what is known to follow from forbidden ones.
#include <algorithm>

#include "base/contract.h"
#include "spec/load.h"
#include "synthesis/search_parts.h"

namespace assay::synthesis {

using spec::WitnessSpec;

namespace {

std::vector<spec::Specification> library_terms() {
  const auto library = spec::load_library("instances");
  ASSAY_REQUIRE(library.has_value());
  return library->relations("instances");
}

}  // namespace

ModelOptions Search::model_options(const Problem& problem) const {
  ModelOptions result{.numbered = options_.numbered};
  for (const auto* list : {&problem.allow, &problem.forbid})
    for (const spec::Specification& spec : *list) result = options_for(spec, result);
  return result;
}

Search::Search(const Problem& problem, const Scope& scope, const SearchOptions& options, Stop stop)
    : problem_(problem),
      scope_(scope),
      options_(options),
      stop_(std::move(stop)),
      terms_(library_terms()),
      circuit_(stop_),
      candidate_(circuit_, stop_),
      model_(circuit_, scope, model_options(problem)) {
  for (const Lit lit : model_.constraints()) candidate_.require(lit);
  // What need not happen does not, so that what is found is easier to read.
  for (const Lit lit : model_.inputs()) candidate_.prefer(!lit);
  add_allowed();
  add_forbidden();
}

// Whether every order that the level accepts contains sessions and reads, so that transactions can be
// numbered by it.
bool Search::shares_numbers(const spec::Specification& spec) const {
  for (const bool with_formula : {false, true}) {
    Circuit circuit(stop_);
    Sat sat(circuit, stop_);
    HistoryModel model(circuit, scope_, options_for(spec, {.numbered = false}));
    spec::Specification part = spec;
    if (!with_formula) {
      if (spec.axioms.empty()) continue;
      part.formula = spec.axioms.back().formula;
    }
    LevelEncoding encoding(circuit, model, part);
    FreshWitnesses fresh = encoding.fresh();
    const auto number = encoding.commit_order();
    if (!number) return false;
    for (const Lit lit : model.constraints()) sat.require(lit);
    sat.require(fresh.valid);
    sat.require(encoding.holds(fresh.witnesses));
    const Table& order = fresh.witnesses.tables[*number];
    std::vector<Lit> outside;
    const std::size_t n = order.sizes[0];
    for (std::size_t i = 0; i < n * n; ++i) {
      std::vector<Lit> related{model.world()[spec::Base::So].cells[i]};
      for (std::size_t x = 0; x < scope_.objects; ++x)
        related.push_back(fresh.witnesses.wr.cells[x * n * n + i]);
      outside.push_back(circuit.both(circuit.any(std::move(related)), !order.cells[i]));
    }
    sat.require(circuit.any(std::move(outside)));
    if (sat.solve() == Sat::Answer::Unsatisfiable) return true;
  }
  return false;
}

// Where a level says that a relation is acyclic that contains sessions and reads, transactions can be
// numbered along it.
bool Search::number_along_acyclic(LevelEncoding& encoding, const FreshWitnesses& fresh) {
  const Table& so = model_.world()[spec::Base::So];
  const std::size_t n = so.sizes[0];
  for (const Table& relation : encoding.acyclic_relations(fresh.witnesses)) {
    Sat sat(circuit_, stop_);
    std::vector<Lit> outside;
    for (std::size_t i = 0; i < n * n; ++i) {
      std::vector<Lit> related{so.cells[i]};
      for (std::size_t x = 0; x < scope_.objects; ++x)
        related.push_back(fresh.witnesses.wr.cells[x * n * n + i]);
      outside.push_back(circuit_.both(circuit_.any(std::move(related)), !relation.cells[i]));
    }
    sat.require(circuit_.any(std::move(outside)));
    if (sat.solve() != Sat::Answer::Unsatisfiable) continue;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) candidate_.require(!relation.at(i, j));
    return true;
  }
  return false;
}

void Search::add_allowed() {
  bool numbers_free = options_.numbered;
  for (const spec::Specification& spec : problem_.allow) {
    LevelEncoding& encoding = allowed_.emplace_back(circuit_, model_, spec);
    const bool by_number = numbers_free && encoding.commit_order() && shares_numbers(spec);
    if (by_number) numbers_free = false;
    FreshWitnesses fresh = encoding.fresh(by_number ? &model_.order() : nullptr);
    const Lit holds = encoding.simplify_and_hold(fresh);
    candidate_.require(fresh.valid);
    candidate_.require(holds);
    if (const auto number = encoding.commit_order()) {
      Source source{fresh.witnesses.tables[*number], {}, fresh.witnesses.wr, spec.name};
      for (std::size_t i = 0; i < spec.witnesses.size(); ++i)
        if (spec.witnesses[i].kind == WitnessSpec::Kind::Relation && !spec.witnesses[i].indexed)
          source.relations.push_back(fresh.witnesses.tables[i]);
      sources_.push_back(std::move(source));
    } else if (numbers_free && number_along_acyclic(encoding, fresh)) {
      numbers_free = false;
      sources_.push_back({model_.order(), {}, fresh.witnesses.wr, spec.name});
    }
    explanations_.push_back(std::move(fresh.witnesses));
  }
  if (numbers_free || sources_.empty())
    sources_.push_back({model_.order(), {}, model_.world()[spec::Base::Wr], "the numbers"});
}

void Search::add_forbidden() {
  for (std::size_t i = 0; i < problem_.forbid.size(); ++i) {
    Forbidden& forbidden = forbidden_.emplace_back(circuit_, model_, problem_.forbid[i], i);
    const spec::Specification& spec = problem_.forbid[i];
    if (options_.shortcut && spec.witnesses.size() == 1 && forbidden.encoding.commit_order() &&
        !scope_.duplicates) {
      FreshWitnesses fresh = forbidden.encoding.fresh();
      const Lit holds = forbidden.encoding.holds(fresh.witnesses);
      if (auto asked = asked_order(circuit_, holds, fresh.witnesses.tables[0])) {
        add_instance(forbidden, !circuit_.either(asked->refused, cyclic(circuit_, asked->asked)),
                     "the order it asks for");
        forbidden.exact = true;
        ++effort_.shortcuts;
      }
    }
    if (options_.symbolic) add_symbolic_instances(forbidden);
  }
}

// What explains an allowed level may explain the forbidden one: where both declare the same witnesses, such
// as two levels of one framework.
void Search::add_instances_of_alike_witnesses(Forbidden& forbidden) {
  const spec::Specification& spec = forbidden.encoding.spec();
  for (std::size_t i = 0; i < problem_.allow.size(); ++i) {
    const auto alike = alike_witnesses(problem_.allow[i], spec);
    if (!alike) continue;
    Witnesses witnesses{{}, explanations_[i].wr};
    for (const std::size_t from : *alike) witnesses.tables.push_back(explanations_[i].tables[from]);
    add_instance(forbidden, forbidden.encoding.holds(witnesses),
                 fmt::format("the witnesses of {}", problem_.allow[i].name));
  }
}

void Search::add_symbolic_instances(Forbidden& forbidden) {
  add_instances_of_alike_witnesses(forbidden);
  const spec::Specification& spec = forbidden.encoding.spec();
  const std::size_t n = model_.order().sizes[0];
  const bool has_relation = std::ranges::any_of(
      spec.witnesses, [](const WitnessSpec& w) { return w.kind == WitnessSpec::Kind::Relation; });
  for (const Source& source : sources_) {
    const World world = scope_.duplicates ? model_.with_writers(source.wr) : model_.world();
    std::vector<std::pair<Table, std::string>> relations;
    for (const Table& relation : source.relations)
      relations.emplace_back(relation, fmt::format("that of {}", source.name));
    for (const spec::Specification& term : terms_)
      relations.emplace_back(term_at(circuit_, world, term, source.order), term.level);
    if (!has_relation) relations.resize(1);
    for (const auto& [relation, name] : relations) {
      Witnesses witnesses{{}, source.wr};
      for (const WitnessSpec& witness : spec.witnesses) {
        const Table& one = witness.kind == WitnessSpec::Kind::Relation ? relation : source.order;
        Table table = one;
        if (witness.indexed) {
          table = Table({scope_.objects, n, n});
          for (std::size_t i = 0; i < table.cells.size(); ++i) table.cells[i] = one.cells[i % (n * n)];
        }
        witnesses.tables.push_back(std::move(table));
      }
      const std::string relation_part = has_relation ? fmt::format(", relations by {}", name) : "";
      add_instance(forbidden, forbidden.encoding.holds(witnesses),
                   fmt::format("orders of {}{}", source.name, relation_part));
      if (spec.guesses.empty()) continue;
      const Lit valid = put_in_guesses(circuit_, world, spec, witnesses.tables);
      add_instance(forbidden, circuit_.both(valid, forbidden.encoding.holds(witnesses)),
                   fmt::format("orders of {}{}, guesses of {}", source.name, relation_part, spec.name));
    }
  }
}

void Search::add_instance(Forbidden& forbidden, Lit holds, std::string witnesses) {
  const std::size_t first = candidate_.clauses().size();
  candidate_.require(!holds);
  notes_.push_back({forbidden.number, std::move(witnesses), first, candidate_.clauses().size()});
  ++effort_.instances;
}

}  // namespace assay::synthesis
