#include "synthesis/search.h"

#include <algorithm>

#include "synthesis/search_parts.h"

namespace assay::synthesis {

using spec::WitnessSpec;

Search::~Search() = default;

namespace {

Table constants(const Table& table, const std::function<bool(Lit)>& value) {
  Table result = table;
  for (Lit& cell : result.cells) cell = constant(value(cell));
  return result;
}

}  // namespace

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
        if (value(wr.at(read.object, s, read.txn)) &&
            solution.facts.writes.contains({s, read.object, read.value}))
          explanation.writers.push_back(s);
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

namespace {

// Calls with every way to give `count` things different numbers below `most`, the first `fixed` their own.
void for_each_embedding(std::size_t count, std::size_t most, std::size_t fixed,
                        const std::function<void(const std::vector<std::size_t>&)>& visit) {
  std::vector<std::size_t> place(count);
  std::vector<bool> taken(most);
  const std::function<void(std::size_t)> choose = [&](std::size_t i) {
    if (i == count) return visit(place);
    for (std::size_t to = i < fixed ? i : fixed; to < (i < fixed ? i + 1 : most); ++to) {
      if (taken[to]) continue;
      taken[to] = true;
      place[i] = to;
      choose(i + 1);
      taken[to] = false;
    }
  };
  choose(0);
}

}  // namespace

// A history contains another when it has its reads, writes and session order, and the reads of a transaction
// in the same order.
void Search::exclude_supersets(const spec::HistoryFacts& facts) {
  const auto writers = possible_writers(facts);
  const World& world = model_.world();
  for_each_embedding(facts.transactions, scope_.transactions + 1, 1, [&](const std::vector<std::size_t>& t) {
    for_each_embedding(facts.objects, scope_.objects, 0, [&](const std::vector<std::size_t>& x) {
      std::vector<Lit> parts;
      for (const spec::Row& row : facts.session_order)
        parts.push_back(world[spec::Base::So].at(t[row[0]], t[row[1]]));
      for (const spec::Row& row : facts.writes)
        parts.push_back(world[spec::Base::Writers].at(x[row[1]], t[row[0]]));
      for (std::size_t i = 0; i < facts.reads.size(); ++i) {
        const auto& read = facts.reads[i];
        parts.push_back(world[spec::Base::Wr].at(x[read.object], t[writers[i].at(0)], t[read.txn]));
        if (!model_options(problem_).operations || i == 0 || facts.reads[i - 1].txn != read.txn) continue;
        const std::size_t first = t[read.txn] * scope_.objects;
        parts.push_back(
            world[spec::Base::Po].at(first + x[facts.reads[i - 1].object], first + x[read.object]));
      }
      candidate_.require(!circuit_.all(std::move(parts)));
    });
  });
}

std::vector<Lit> Search::more_session_pairs_than() {
  const Table& so = model_.world()[spec::Base::So];
  std::vector<Lit> pairs;
  for (std::size_t s = 1; s < so.sizes[0]; ++s)
    for (std::size_t t = 1; t < so.sizes[0]; ++t)
      if (so.at(s, t) != kFalse) pairs.push_back(so.at(s, t));
  return counter(circuit_, pairs, pairs.size());
}

std::vector<Lit> Search::more_real_time_pairs_than() {
  const Table& rt = model_.world()[spec::Base::Rt];
  std::vector<Lit> pairs;
  for (const Lit lit : rt.cells)
    if (lit.gate() != 0) pairs.push_back(lit);
  return counter(circuit_, pairs, pairs.size());
}

std::vector<Lit> Search::more_labels_than() {
  std::vector<Lit> all;
  for (const auto& [label, table] : model_.world().labels)
    for (const Lit lit : table.cells)
      if (lit != kFalse) all.push_back(lit);
  return counter(circuit_, all, all.size());
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
