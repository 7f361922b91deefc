#include "synthesis/search.h"

#include <algorithm>

#include "base/contract.h"
#include "spec/load.h"

namespace assay::synthesis {

using spec::WitnessSpec;

// The verifier has a circuit of its own; its model has the same inputs in the same order.
struct Search::Forbidden {
  Forbidden(Circuit& circuit, HistoryModel& model, const spec::Specification& spec, std::size_t which)
      : number(which), encoding(circuit, model, spec) {}

  std::size_t number;
  LevelEncoding encoding;
  bool exact = false;  // what was required says all there is to say

  struct Verifier {
    Verifier(const HistoryModel& like, const ModelOptions& options, const spec::Specification& spec,
             const Stop& stop)
        : sat(circuit, stop), model(circuit, like.scope(), options), encoding(circuit, model, spec) {
      witnesses = encoding.fresh();
      const Lit holds = encoding.simplify_and_hold(witnesses);
      sat.require(witnesses.valid);
      sat.require(holds);
      for (const Lit input : model.inputs()) sat.use(input);
      for (const Lit input : witnesses.inputs) sat.prefer(input);
    }
    Circuit circuit;
    Sat sat;
    HistoryModel model;
    LevelEncoding encoding;
    FreshWitnesses witnesses;
  };
  std::unique_ptr<Verifier> verifier;
};

struct Search::Source {
  Table order;
  std::vector<Table> relations;
  Table wr;
  std::string name;
};

Search::~Search() = default;

namespace {

std::vector<spec::Specification> library_terms() {
  const auto library = spec::load_library("instances");
  ASSAY_REQUIRE(library.has_value());
  return library->relations("instances");
}

Table constants(const Table& table, const std::function<bool(Lit)>& value) {
  Table result = table;
  for (Lit& cell : result.cells) cell = constant(value(cell));
  return result;
}

}  // namespace

ModelOptions Search::model_options(const Problem& problem) const {
  ModelOptions result{.numbered = options_.numbered};
  for (const auto* list : {&problem.allow, &problem.forbid})
    for (const spec::Specification& spec : *list) {
      result.operations |= spec.uses_operations;
      result.values |= spec.uses_values;
    }
  return result;
}

Search::Search(const Problem& problem, const Scope& scope, const SearchOptions& options, Stop stop)
    : problem_(problem),
      scope_(scope),
      options_(options),
      stop_(std::move(stop)),
      terms_(library_terms()),
      candidate_(circuit_, stop_),
      model_(circuit_, scope, model_options(problem)) {
  for (const Lit lit : model_.constraints()) candidate_.require(lit);
  for (const Lit lit : model_.inputs()) candidate_.use(lit);
  add_allowed();
  add_forbidden();
}

// Whether every order that the level accepts contains sessions and reads, so that transactions can be
// numbered by it.
bool Search::shares_numbers(const spec::Specification& spec) const {
  for (const bool with_formula : {false, true}) {
    Circuit circuit;
    Sat sat(circuit, stop_);
    HistoryModel model(circuit, scope_,
                       {.numbered = false, .operations = spec.uses_operations, .values = spec.uses_values});
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

void Search::add_symbolic_instances(Forbidden& forbidden) {
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
    }
  }
}

void Search::add_instance(Forbidden& forbidden, Lit holds, std::string witnesses) {
  const std::size_t first = candidate_.clauses().size();
  candidate_.require(!holds);
  notes_.push_back({forbidden.number, std::move(witnesses), first, candidate_.clauses().size()});
  ++effort_.instances;
}

Search::Answer Search::next(std::span<const Lit> assumptions) {
  while (true) {
    const Sat::Answer answer = candidate_.solve(assumptions);
    effort_.gates = circuit_.size();
    effort_.clauses = candidate_.clauses().size();
    if (answer == Sat::Answer::Stopped) return Answer::Stopped;
    if (answer == Sat::Answer::Unsatisfiable) return Answer::None;
    ++effort_.candidates;
    input_values_.assign(circuit_.size(), false);
    for (std::uint32_t gate = 1; gate < circuit_.size(); ++gate)
      if (circuit_.is_input(gate)) input_values_[gate] = candidate_.value({2 * gate});
    const auto input_value = [this](std::uint32_t gate) {
      return gate < input_values_.size() && input_values_[gate];
    };
    simulation_ = std::make_unique<Simulation>(circuit_, input_value);
    bool stands = true;
    for (Forbidden& forbidden : forbidden_) {
      if (forbidden.exact) continue;
      const auto verdict = options_.incremental ? verify(forbidden) : verify_anew(forbidden);
      if (!verdict) return Answer::Stopped;
      stands &= *verdict;
    }
    if (stands) return Answer::Found;
  }
}

std::optional<bool> Search::verify(Forbidden& forbidden) {
  if (!forbidden.verifier)
    forbidden.verifier = std::make_unique<Forbidden::Verifier>(model_, model_options(problem_),
                                                               forbidden.encoding.spec(), stop_);
  Forbidden::Verifier& verifier = *forbidden.verifier;
  std::vector<Lit> assumptions;
  for (std::size_t i = 0; i < model_.inputs().size(); ++i) {
    const Lit input = verifier.model.inputs()[i];
    assumptions.push_back(value(model_.inputs()[i]) ? input : !input);
  }
  switch (verifier.sat.solve(assumptions)) {
    case Sat::Answer::Stopped: return std::nullopt;
    case Sat::Answer::Unsatisfiable: return true;
    case Sat::Answer::Satisfiable: break;
  }
  const auto constant_value = [&](Lit lit) { return verifier.sat.value(lit); };
  Witnesses witnesses;
  for (const Table& table : verifier.witnesses.witnesses.tables)
    witnesses.tables.push_back(constants(table, constant_value));
  witnesses.wr = scope_.duplicates ? constants(verifier.witnesses.witnesses.wr, constant_value) : Table();
  add_counterexample(forbidden, std::move(witnesses));
  return false;
}

// The same with a solver that knows nothing but this candidate.
std::optional<bool> Search::verify_anew(Forbidden& forbidden) {
  forbidden.verifier.reset();
  return verify(forbidden);
}

void Search::add_counterexample(Forbidden& forbidden, Witnesses witnesses) {
  const spec::Specification& spec = forbidden.encoding.spec();
  std::string name = describe(forbidden, witnesses);
  if (scope_.duplicates) {
    // Writers that were right for the candidate need not be for the next: that they are is part of what is
    // refuted.
    const Lit holds = circuit_.both(model_.legal_writers(witnesses.wr), forbidden.encoding.holds(witnesses));
    return add_instance(forbidden, holds, std::move(name));
  }
  const auto order = forbidden.encoding.commit_order();
  std::vector<std::size_t> relations;
  for (std::size_t i = 0; i < spec.witnesses.size(); ++i)
    if (spec.witnesses[i].kind == WitnessSpec::Kind::Relation && !spec.witnesses[i].indexed)
      relations.push_back(i);
  if (options_.generalise && order && relations.size() == 1) {
    for (const spec::Specification& term : terms_) {
      Witnesses by_term = witnesses;
      by_term.tables[relations[0]] = term_at(circuit_, model_.world(), term, witnesses.tables[*order]);
      const Lit holds = forbidden.encoding.holds(by_term);
      if (!value(holds)) continue;
      return add_instance(forbidden, holds, fmt::format("{}, relations by {}", name, term.level));
    }
  }
  add_instance(forbidden, forbidden.encoding.holds(witnesses), std::move(name));
}

std::string Search::describe(const Forbidden& forbidden, const Witnesses& witnesses) const {
  std::string text;
  for (std::size_t i = 0; i < witnesses.tables.size(); ++i) {
    const Table& table = witnesses.tables[i];
    text += fmt::format("{}{} =", i == 0 ? "" : ", ", forbidden.encoding.spec().witnesses[i].name);
    const std::size_t n = table.sizes.back();
    for (std::size_t cell = 0; cell < table.cells.size(); ++cell) {
      if (table.cells[cell] != kTrue || (cell / n) % n == 0) continue;
      text += fmt::format(" {}<{}", (cell / n) % n, cell % n);
    }
  }
  return text;
}

Solution Search::solution() const {
  const auto value = [this](Lit lit) { return (*simulation_)(lit); };
  Solution solution{model_.facts(value), {}};
  for (std::size_t i = 0; i < explanations_.size(); ++i) {
    Solution::Explanation& explanation = solution.allowed.emplace_back();
    const Table& wr = explanations_[i].wr;
    for (const auto& read : solution.facts.reads)
      for (std::uint32_t s = 0; s < wr.sizes[1]; ++s)
        if (value(wr.at(read.object, s, read.txn))) explanation.writers.push_back(s);
    for (std::size_t w = 0; w < explanations_[i].tables.size(); ++w) {
      const Table& table = explanations_[i].tables[w];
      const std::size_t n = table.sizes.back();
      const bool indexed = table.sizes.size() == 3;
      spec::Rows rows;
      for (std::uint32_t cell = 0; cell < table.cells.size(); ++cell) {
        if (!value(table.cells[cell])) continue;
        const auto a = static_cast<std::uint32_t>(cell / n % n), b = static_cast<std::uint32_t>(cell % n);
        rows.insert(indexed ? spec::Row{static_cast<std::uint32_t>(cell / n / n), a, b} : spec::Row{a, b});
      }
      explanation.witnesses.push_back(std::move(rows));
    }
  }
  return solution;
}

void Search::exclude_last() {
  std::vector<Lit> other;
  for (const Lit input : model_.inputs()) other.push_back(value(input) ? !input : input);
  candidate_.require_any(other);
}

std::vector<Lit> Search::more_operations_than() {
  const std::vector<Lit> all = model_.operations();
  return counter(circuit_, all, all.size());
}

std::vector<Lit> Search::more_objects_than() {
  const std::vector<Lit> used = model_.used_objects();
  return counter(circuit_, used, used.size());
}

std::vector<Lit> Search::more_values_than() {
  const std::vector<Lit> used = model_.used_values();
  return counter(circuit_, used, used.size());
}

}  // namespace assay::synthesis
