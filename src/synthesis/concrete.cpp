#include "synthesis/concrete.h"

#include <fmt/format.h>

#include <algorithm>

#include "synthesis/drat.h"

namespace assay::synthesis {

using spec::Base;
using spec::Rows;

namespace {

constexpr std::size_t kMostEnumerated = 3000;

// Where each read may be from: one literal per writer.
Table choose_sources(Circuit& circuit, const spec::HistoryFacts& facts, Lit& legal) {
  Table rf({facts.transactions, facts.reads.size()});
  const auto candidates = possible_writers(facts);
  std::vector<Lit> parts;
  for (std::size_t read = 0; read < candidates.size(); ++read) {
    std::vector<Lit> sources;
    for (const std::uint32_t writer : candidates[read]) {
      const Lit from = candidates[read].size() == 1 ? kTrue : circuit.input();
      rf.at(writer, read) = from;
      for (const Lit other : sources) parts.push_back(circuit.either(!from, !other));
      sources.push_back(from);
    }
    parts.push_back(circuit.any(std::move(sources)));
  }
  legal = circuit.all(std::move(parts));
  return rf;
}

World world_with_sources(Circuit& circuit, const spec::HistoryFacts& facts, const Table& rf) {
  World world = world_of(finite_history(facts, std::vector<std::uint32_t>(facts.reads.size(), 0)));
  world[Base::Rf] = rf;
  world[Base::Wr] = Table({facts.objects, facts.transactions, facts.transactions});
  for (std::size_t read = 0; read < facts.reads.size(); ++read)
    for (std::size_t writer = 0; writer < facts.transactions; ++writer) {
      Lit& cell = world[Base::Wr].at(facts.reads[read].object, writer, facts.reads[read].txn);
      cell = circuit.either(cell, rf.at(writer, read));
    }
  return world;
}

Rows rows_of(const Table& table, const std::function<bool(Lit)>& value) {
  Rows rows;
  for (std::size_t cell = 0; cell < table.cells.size(); ++cell) {
    if (!value(table.cells[cell])) continue;
    spec::Row row(table.sizes.size());
    for (std::size_t i = row.size(), rest = cell; i-- > 0; rest /= table.sizes[i])
      row[i] = static_cast<std::uint32_t>(rest % table.sizes[i]);
    rows.insert(std::move(row));
  }
  return rows;
}

// Orders are found over all transactions; here is what is left of one within its domain.
Rows cut_to_domain(const spec::WitnessSpec& witness, const spec::FiniteHistory& history, const Rows& rows) {
  Rows kept;
  for (const spec::Row& row : rows) {
    spec::Evaluator evaluator(history, {});
    if (witness.indexed) evaluator.bind(witness.index, row[0]);
    const Rows members = evaluator.rows(*witness.domain);
    if (members.contains(spec::Row{row[row.size() - 2]}) && members.contains(spec::Row{row.back()}))
      kept.insert(row);
  }
  return kept;
}

}  // namespace

ConcreteAnswer allows(const spec::Specification& spec, const spec::HistoryFacts& facts, const Stop& stop) {
  Circuit circuit(stop);
  Sat sat(circuit, stop);
  Lit legal = kTrue;
  const Table rf = choose_sources(circuit, facts, legal);
  const World world = world_with_sources(circuit, facts, rf);
  FreshWitnesses fresh = fresh_witnesses(circuit, world, spec);
  sat.require(legal);
  sat.require(fresh.valid);
  sat.require(level_holds(circuit, world, spec, fresh.witnesses.tables));
  using Kind = ConcreteAnswer::Kind;
  switch (sat.solve()) {
    case Sat::Answer::Stopped: return {Kind::Stopped};
    case Sat::Answer::Unsatisfiable: return {Kind::Forbidden, {}, sat.clauses()};
    case Sat::Answer::Satisfiable: break;
  }
  const auto value = [&](Lit lit) { return sat.value(lit); };
  ConcreteAnswer answer{Kind::Allowed};
  for (std::size_t read = 0; read < facts.reads.size(); ++read)
    for (std::uint32_t writer = 0; writer < facts.transactions; ++writer)
      if (value(rf.at(writer, read))) answer.explanation.writers.push_back(writer);
  const spec::FiniteHistory history = finite_history(facts, answer.explanation.writers);
  for (std::size_t i = 0; i < spec.witnesses.size(); ++i)
    answer.explanation.witnesses.push_back(
        cut_to_domain(spec.witnesses[i], history, rows_of(fresh.witnesses.tables[i], value)));
  return answer;
}

void cut_to_domains(const Problem& problem, Solution& solution) {
  for (std::size_t i = 0; i < problem.allow.size(); ++i) {
    Solution::Explanation& explanation = solution.allowed[i];
    const spec::FiniteHistory history = finite_history(solution.facts, explanation.writers);
    for (std::size_t w = 0; w < explanation.witnesses.size(); ++w)
      explanation.witnesses[w] =
          cut_to_domain(problem.allow[i].witnesses[w], history, explanation.witnesses[w]);
  }
}

Result<std::vector<Refutation>> confirm(const Problem& problem, const Solution& solution) {
  const auto bug = [](const std::string& name, std::string_view what) {
    return error(fmt::format("the history that was found is wrong: {} {}", name, what),
                 "this is a bug of assay; please report it");
  };
  for (std::size_t i = 0; i < problem.allow.size(); ++i) {
    const spec::Specification& spec = problem.allow[i];
    const Solution::Explanation& explanation = solution.allowed[i];
    const spec::FiniteHistory history = finite_history(solution.facts, explanation.writers);
    if (!satisfies(spec, history, explanation.witnesses))
      return bug(spec.name, "does not allow it with these witnesses");
  }
  std::vector<Refutation> refutations;
  for (const spec::Specification& spec : problem.forbid) {
    std::size_t tried = 0;
    const auto allowed = allows_by_enumeration(spec, solution.facts, kMostEnumerated, &tried);
    if (allowed == true) return bug(spec.name, "allows it");
    refutations.push_back({allowed ? tried : 0});
    if (allowed) continue;
    const ConcreteAnswer answer = allows(spec, solution.facts);
    if (answer.kind != ConcreteAnswer::Kind::Forbidden) return bug(spec.name, "allows it");
    const auto proof = prove_unsatisfiable(answer.clauses);
    if (!proof) return bug(spec.name, "may allow it");
    if (const auto checked = check_drat(answer.clauses, *proof); !checked)
      return bug(spec.name, checked.error().what);
  }
  return refutations;
}

}  // namespace assay::synthesis
