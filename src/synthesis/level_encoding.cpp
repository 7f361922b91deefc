#include "synthesis/level_encoding.h"

#include <algorithm>
#include <map>

namespace assay::synthesis {

using spec::WitnessSpec;

namespace {

Table partial_order_or_relation(Circuit& c, std::size_t n, bool partial, FreshWitnesses& fresh) {
  Table table({n, n});
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      if (partial && (a == b || a == 0 || b == 0)) table.at(a, b) = constant(a == 0 && b != 0);
      else table.at(a, b) = fresh.inputs.emplace_back(c.input());
    }
  std::vector<Lit> parts{fresh.valid};
  for (std::size_t a = 1; a < n && partial; ++a)
    for (std::size_t b = 1; b < n; ++b) {
      if (a < b) parts.push_back(c.either(!table.at(a, b), !table.at(b, a)));
      for (std::size_t d = 1; d < n; ++d)
        if (a != b && b != d) parts.push_back(c.any({!table.at(a, b), !table.at(b, d), table.at(a, d)}));
    }
  fresh.valid = c.all(std::move(parts));
  return table;
}

}  // namespace

namespace {

// Whether a total or partial order of all transactions, the initial one first.
Lit is_order(Circuit& c, const Table& relation, bool total) {
  const std::size_t n = relation.sizes[0];
  std::vector<Lit> parts;
  for (std::size_t a = 0; a < n; ++a) {
    parts.push_back(!relation.at(a, a));
    if (a > 0) parts.push_back(relation.at(0, a));
    for (std::size_t b = 0; b < n; ++b) {
      if (total && a < b) parts.push_back(c.either(relation.at(a, b), relation.at(b, a)));
      for (std::size_t d = 0; d < n; ++d)
        parts.push_back(c.any({!relation.at(a, b), !relation.at(b, d), relation.at(a, d)}));
    }
  }
  return c.all(std::move(parts));
}

// The same expression; `a_index` and `b_index` are the variables that stand for the index.
bool same_expression(const spec::Node& a, const spec::Node& b, std::size_t a_index, std::size_t b_index) {
  if (a.kind != b.kind || a.kids.size() != b.kids.size() || !a.bound.empty() || !b.bound.empty())
    return false;
  if (a.kind == spec::Node::Kind::Label) return a.name == b.name && a.columns == b.columns;
  const bool is_index = a.kind == spec::Node::Kind::Variable && a.number == a_index && b.number == b_index;
  if (!is_index && a.number != b.number) return false;
  for (std::size_t i = 0; i < a.kids.size(); ++i)
    if (!same_expression(*a.kids[i], *b.kids[i], a_index, b_index)) return false;
  return true;
}

bool declared_alike(const WitnessSpec& a, const WitnessSpec& b) {
  return a.kind == b.kind && a.indexed == b.indexed &&
         same_expression(*a.domain, *b.domain, a.index, b.index);
}

}  // namespace

std::optional<std::vector<std::size_t>> alike_witnesses(const spec::Specification& first,
                                                        const spec::Specification& second) {
  std::vector<std::size_t> result;
  std::vector<bool> taken(first.witnesses.size());
  for (const WitnessSpec& witness : second.witnesses) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < first.witnesses.size(); ++i) {
      if (taken[i] || !declared_alike(first.witnesses[i], witness)) continue;
      if (!best || first.witnesses[i].name == witness.name) best = i;
    }
    if (!best) return std::nullopt;
    taken[*best] = true;
    result.push_back(*best);
  }
  return result;
}

Lit put_in_guesses(Circuit& circuit, const World& history, const spec::Specification& spec,
                   std::vector<Table>& witnesses) {
  Lit valid = kTrue;
  for (const spec::WitnessGuess& guess : spec.guesses) {
    const World world = with_witnesses(circuit, history, spec, witnesses);
    const WitnessSpec::Kind kind = spec.witnesses[guess.witness].kind;
    Table relation = Translator(circuit, world, spec).relation(*guess.relation);
    if (kind != WitnessSpec::Kind::Relation)
      valid = circuit.both(valid, is_order(circuit, relation, kind == WitnessSpec::Kind::TotalOrder));
    witnesses[guess.witness] = std::move(relation);
  }
  return valid;
}

std::optional<std::size_t> commit_order(const spec::Specification& spec) {
  for (std::size_t i = 0; i < spec.witnesses.size(); ++i) {
    const WitnessSpec& witness = spec.witnesses[i];
    if (witness.kind == WitnessSpec::Kind::TotalOrder && !witness.indexed &&
        witness.domain->kind == spec::Node::Kind::Universe)
      return i;
  }
  return std::nullopt;
}

FreshWitnesses fresh_witnesses(Circuit& circuit, const World& history, const spec::Specification& spec,
                               const Table* order) {
  FreshWitnesses fresh{{}, {}, kTrue};
  const std::size_t n = history.size(spec::Sort::Txn), objects = history.size(spec::Sort::Obj);
  const auto fixed = order != nullptr ? commit_order(spec) : std::nullopt;
  for (std::size_t i = 0; i < spec.witnesses.size(); ++i) {
    const WitnessSpec& witness = spec.witnesses[i];
    Table all = witness.indexed ? Table({objects, n, n}) : Table({n, n});
    for (std::size_t x = 0; x < (witness.indexed ? objects : 1); ++x) {
      const bool total = witness.kind == WitnessSpec::Kind::TotalOrder;
      const bool partial = witness.kind == WitnessSpec::Kind::Order;
      const Table one = fixed == i ? *order
                        : total    ? order_inputs(circuit, n, fresh.valid, &fresh.inputs)
                                   : partial_order_or_relation(circuit, n, partial, fresh);
      std::ranges::copy(one.cells, all.cells.begin() + static_cast<std::ptrdiff_t>(x * n * n));
    }
    fresh.witnesses.tables.push_back(std::move(all));
  }
  fresh.witnesses.wr = history[spec::Base::Wr];
  return fresh;
}

World with_witnesses(Circuit& circuit, const World& world, const spec::Specification& spec,
                     std::vector<Table> witnesses) {
  const std::size_t n = world.size(spec::Sort::Txn);
  Translator translator(circuit, world, spec);
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    const WitnessSpec& witness = spec.witnesses[i];
    if (witness.domain->kind == spec::Node::Kind::Universe) continue;
    for (std::size_t x = 0; x < (witness.indexed ? world.size(spec::Sort::Obj) : 1); ++x) {
      if (witness.indexed) translator.bind(witness.index, x);
      const Table members = translator.relation(*witness.domain);
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) {
          Lit& cell = witnesses[i].cells[(x * n + a) * n + b];
          cell = circuit.all({cell, members.at(a), members.at(b)});
        }
    }
  }
  World complete = world;
  complete.witnesses = std::move(witnesses);
  return complete;
}

Lit level_holds(Circuit& circuit, const World& history, const spec::Specification& spec,
                std::vector<Table> witnesses) {
  const World world = with_witnesses(circuit, history, spec, std::move(witnesses));
  return Translator(circuit, world, spec).level();
}

FreshWitnesses LevelEncoding::fresh(const Table* order) {
  FreshWitnesses fresh = fresh_witnesses(c_, model_.world(), spec_, order);
  if (!model_.scope().duplicates || order != nullptr) return fresh;
  HistoryModel::Choice choice = model_.choose_writers();
  for (const Lit lit : choice.wr.cells)
    if (lit.gate() != 0) fresh.inputs.push_back(lit);
  fresh.witnesses.wr = std::move(choice.wr);
  fresh.valid = c_.both(fresh.valid, choice.legal);
  return fresh;
}

World LevelEncoding::history(const Witnesses& witnesses) const {
  return model_.scope().duplicates ? model_.with_writers(witnesses.wr) : model_.world();
}

Lit LevelEncoding::holds(const Witnesses& witnesses) {
  return level_holds(c_, history(witnesses), spec_, witnesses.tables);
}

std::vector<Table> LevelEncoding::acyclic_relations(const Witnesses& witnesses) {
  const World world = with_witnesses(c_, history(witnesses), spec_, witnesses.tables);
  Translator translator(c_, world, spec_);
  std::vector<const spec::Node*> open{spec_.formula};
  for (const spec::Condition& axiom : spec_.axioms) open.push_back(axiom.formula);
  std::vector<Table> found;
  while (!open.empty()) {
    const spec::Node* next = open.back();
    open.pop_back();
    if (next->kind == spec::Node::Kind::And) open.insert(open.end(), next->kids.begin(), next->kids.end());
    if (next->kind == spec::Node::Kind::Acyclic && next->kids[0]->columns[0] == spec::Sort::Txn)
      found.push_back(translator.relation(*next->kids[0]));
  }
  return found;
}

Lit LevelEncoding::simplify_and_hold(FreshWitnesses& fresh) {
  const Lit first = holds(fresh.witnesses);
  std::map<std::uint32_t, bool> known;
  for (const Lit lit : forced_inputs(c_, first)) known[lit.gate()] = !lit.negated();
  bool changed = false;
  for (Table& table : fresh.witnesses.tables)
    for (Lit& cell : table.cells)
      if (const auto found = known.find(cell.gate()); found != known.end()) {
        cell = constant(found->second != cell.negated());
        changed = true;
      }
  return changed ? holds(fresh.witnesses) : first;
}

Table term_at(Circuit& circuit, const World& history, const spec::Specification& term, const Table& order) {
  World world = history;
  world.witnesses = {order};
  return Translator(circuit, world, term).relation(*term.relation);
}

Lit cyclic(Circuit& circuit, Table table) {
  const std::size_t n = table.sizes[0];
  for (std::size_t length = 1; length < n; length *= 2) {
    Table longer = table;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        std::vector<Lit> ways{table.at(i, j)};
        for (std::size_t k = 0; k < n; ++k) ways.push_back(circuit.both(table.at(i, k), table.at(k, j)));
        longer.at(i, j) = circuit.any(std::move(ways));
      }
    table = std::move(longer);
  }
  std::vector<Lit> loops;
  for (std::size_t i = 0; i < n; ++i) loops.push_back(table.at(i, i));
  return circuit.any(std::move(loops));
}

namespace {

class Asking {
 public:
  Asking(Circuit& circuit, const Table& order) : c_(circuit), result_{Table(order.sizes), kFalse} {
    for (std::size_t i = 0; i < order.sizes[0]; ++i)
      for (std::size_t j = 0; j < order.sizes[1]; ++j)
        if (order.at(i, j).gate() != 0 && !order.at(i, j).negated()) pair_[order.at(i, j).gate()] = {i, j};
  }

  bool take_apart(Lit lit, Lit condition) {
    if (condition == kFalse || lit == kTrue) return true;
    if (!depends(lit.gate())) {
      result_.refused = c_.either(result_.refused, c_.both(condition, !lit));
      return true;
    }
    if (const auto found = pair_.find(lit.gate()); found != pair_.end()) {
      const auto [i, j] = found->second;
      Lit& cell = lit.negated() ? result_.asked.at(j, i) : result_.asked.at(i, j);
      cell = c_.either(cell, condition);
      return true;
    }
    const std::vector<Lit> parts(c_.parts(lit.gate()).begin(), c_.parts(lit.gate()).end());
    if (!lit.negated()) {
      for (const Lit part : parts)
        if (!take_apart(part, condition)) return false;
      return true;
    }
    std::vector<Lit> unless{condition};
    std::optional<Lit> dependent;
    for (const Lit part : parts) {
      if (!depends(part.gate())) unless.push_back(part);
      else if (dependent) return false;
      else dependent = !part;
    }
    return take_apart(*dependent, c_.all(std::move(unless)));
  }

  AskedOrder result() { return std::move(result_); }

 private:
  bool depends(std::uint32_t gate) {
    if (pair_.contains(gate)) return true;
    if (gate == 0 || c_.is_input(gate)) return false;
    if (const auto found = depends_.find(gate); found != depends_.end()) return found->second;
    bool any = false;
    for (const Lit part : std::vector<Lit>(c_.parts(gate).begin(), c_.parts(gate).end()))
      any = any || depends(part.gate());
    return depends_[gate] = any;
  }

  Circuit& c_;
  AskedOrder result_;
  std::map<std::uint32_t, std::pair<std::size_t, std::size_t>> pair_;
  std::map<std::uint32_t, bool> depends_;
};

}  // namespace

std::optional<AskedOrder> asked_order(Circuit& circuit, Lit level, const Table& order) {
  Asking asking(circuit, order);
  if (!asking.take_apart(level, kTrue)) return std::nullopt;
  return asking.result();
}

}  // namespace assay::synthesis
