#include "synthesis/history_model.h"

#include <algorithm>

namespace assay::synthesis {

using spec::Base;
using spec::Sort;

Table order_inputs(Circuit& circuit, std::size_t n, Lit& valid, std::vector<Lit>* inputs) {
  Table order({n, n});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const Lit before = i == 0 ? kTrue : circuit.input();
      if (inputs != nullptr && i > 0) inputs->push_back(before);
      order.at(i, j) = before;
      order.at(j, i) = !before;
    }
  std::vector<Lit> parts{valid};
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 1; j < n; ++j)
      for (std::size_t k = 1; k < n; ++k)
        if (i != j && j != k && i != k)
          parts.push_back(circuit.any({!order.at(i, j), !order.at(j, k), order.at(i, k)}));
  valid = circuit.all(std::move(parts));
  return order;
}

Table natural_order(std::size_t n) {
  Table order({n, n});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) order.at(i, j) = kTrue;
  return order;
}

ModelOptions options_for(const spec::Specification& spec, const ModelOptions& more) {
  ModelOptions options = more;
  options.operations |= spec.uses_operations;
  options.values |= spec.uses_values;
  options.clocks |= spec.uses_clocks;
  options.ends |= spec.uses_ends;
  for (const spec::Label& label : spec.labels)
    if (std::ranges::find(options.labels, label) == options.labels.end()) options.labels.push_back(label);
  return options;
}

HistoryModel::HistoryModel(Circuit& circuit, const Scope& scope, const ModelOptions& options)
    : c_(circuit), scope_(scope), options_(options), n_(scope.transactions + 1) {
  world_.exists[static_cast<std::size_t>(Sort::Txn)].assign(n_, kTrue);
  world_.exists[static_cast<std::size_t>(Sort::Obj)].assign(scope.objects, kTrue);
  world_.exists[static_cast<std::size_t>(Sort::Val)].assign(scope.values, kTrue);
  order_ = natural_order(n_);
  if (!options.numbered) {
    Lit valid = kTrue;
    order_ = order_inputs(c_, n_, valid);
    require(valid);
  }
  add_sessions();
  world_[Base::Writers] = Table({scope.objects, n_});
  world_[Base::Readers] = Table({scope.objects, n_});
  for (std::size_t x = 0; x < scope.objects; ++x) world_[Base::Writers].at(x, 0) = kTrue;
  scope.duplicates ? add_duplicate_values() : add_unique_values();
  for (std::size_t t = 1; t < n_; ++t) {
    std::vector<Lit> does;
    for (std::size_t x = 0; x < scope.objects; ++x) {
      const Lit reads = world_[Base::Readers].at(x, t), writes = world_[Base::Writers].at(x, t);
      does.insert(does.end(), {reads, writes});
      if (!scope.blind_writes) require(c_.implies(writes, reads));
    }
    require(c_.any(std::move(does)));
  }
  if (options.operations) add_program_order();
  if (options.clocks || scope.clocks) add_clocks();
  add_labels();
  if (options.numbered) sort_objects();
}

Lit HistoryModel::add_input() { return inputs_.emplace_back(c_.input()); }

void HistoryModel::at_most_one(const std::vector<Lit>& lits) {
  for (std::size_t i = 0; i < lits.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) require(c_.either(!lits[i], !lits[j]));
}

// Sessions are chains: being in one session is an equivalence, and the order decides within it.
void HistoryModel::add_sessions() {
  Table together({n_, n_});
  Table& so = world_[Base::So] = Table({n_, n_});
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = i + 1; j < n_; ++j) {
      together.at(i, j) = together.at(j, i) = i == 0 || !scope_.sessions ? kFalse : add_input();
      so.at(i, j) = i == 0 ? kTrue : c_.both(together.at(i, j), order_.at(i, j));
      so.at(j, i) = i == 0 ? kFalse : c_.both(together.at(i, j), order_.at(j, i));
    }
  for (std::size_t i = 1; i < n_; ++i)
    for (std::size_t j = 1; j < n_; ++j)
      for (std::size_t k = i + 1; k < n_; ++k)
        if (j != i && j != k) require(c_.any({!together.at(i, j), !together.at(j, k), together.at(i, k)}));
  if (options_.numbered || !scope_.sessions) return;
  // Which of two orders of a session it is, is part of the history.
  for (std::size_t i = 1; i < n_; ++i)
    for (std::size_t j = i + 1; j < n_; ++j) inputs_.push_back(order_.at(i, j));
}

void HistoryModel::add_unique_values() {
  Table& wr = world_[Base::Wr] = Table({scope_.objects, n_, n_});
  for (std::size_t x = 0; x < scope_.objects; ++x) {
    Table &writers = world_[Base::Writers], &readers = world_[Base::Readers];
    std::vector<Lit> written;
    for (std::size_t t = 1; t < n_; ++t) written.push_back(writers.at(x, t) = add_input());
    if (written.size() + 1 > scope_.values) require(!counter(c_, written, scope_.values).back());
    for (std::size_t t = 1; t < n_; ++t) {
      std::vector<Lit> sources;
      for (std::size_t s = 0; s < n_; ++s) {
        if (order_.at(s, t) == kFalse || s == t) continue;
        const Lit from = wr.at(x, s, t) = add_input();
        require(c_.implies(from, c_.both(writers.at(x, s), order_.at(s, t))));
        sources.push_back(from);
      }
      if (scope_.repeatable_reads) at_most_one(sources);
      readers.at(x, t) = c_.any(std::move(sources));
    }
  }
  if (options_.values) add_written_values();
}

// The k-th writer by number writes value k; the counter says how many were before.
void HistoryModel::add_written_values() {
  Table& writes = world_[Base::Writes] = Table({n_, scope_.objects, scope_.values});
  Table& reads = world_[Base::Reads] = Table({n_, scope_.objects, scope_.values});
  for (std::size_t x = 0; x < scope_.objects; ++x) {
    writes.at(0, x, 0) = kTrue;
    std::vector<Lit> earlier;
    for (std::size_t t = 1; t < n_; ++t) {
      const std::vector<Lit> more_than = counter(c_, earlier, scope_.values);
      for (std::size_t v = 1; v < scope_.values; ++v)
        writes.at(t, x, v) =
            c_.all({world_[Base::Writers].at(x, t), !more_than[v - 1], v == 1 ? kTrue : more_than[v - 2]});
      earlier.push_back(world_[Base::Writers].at(x, t));
    }
    for (std::size_t t = 1; t < n_; ++t)
      for (std::size_t v = 0; v < scope_.values; ++v) {
        std::vector<Lit> ways;
        for (std::size_t s = 0; s < n_; ++s)
          ways.push_back(c_.both(world_[Base::Wr].at(x, s, t), writes.at(s, x, v)));
        reads.at(t, x, v) = c_.any(std::move(ways));
      }
  }
}

void HistoryModel::add_duplicate_values() {
  Table& writes = world_[Base::Writes] = Table({n_, scope_.objects, scope_.values});
  Table& reads = world_[Base::Reads] = Table({n_, scope_.objects, scope_.values});
  for (std::size_t x = 0; x < scope_.objects; ++x) {
    writes.at(0, x, 0) = kTrue;
    for (Table* table : {&writes, &reads})
      for (std::size_t t = 1; t < n_; ++t) {
        std::vector<Lit> values;
        for (std::size_t v = 0; v < scope_.values; ++v) values.push_back(table->at(t, x, v) = add_input());
        at_most_one(values);
        world_[table == &writes ? Base::Writers : Base::Readers].at(x, t) = c_.any(std::move(values));
      }
  }
  const Choice some = choose_writers();  // H3 and H4: one of them fits the order
  require(some.legal);
  for (std::size_t i = 0; i < some.wr.cells.size(); ++i)
    require(c_.implies(some.wr.cells[i], order_.cells[i % (n_ * n_)]));
  world_[Base::Wr] = some.wr;
}

HistoryModel::Choice HistoryModel::choose_writers() {
  Choice choice{Table({scope_.objects, n_, n_}), kTrue};
  for (std::size_t x = 0; x < scope_.objects; ++x)
    for (std::size_t s = 0; s < n_; ++s)
      for (std::size_t t = 1; t < n_; ++t)
        if (s != t) choice.wr.at(x, s, t) = c_.input();
  choice.legal = legal_writers(choice.wr);
  return choice;
}

Lit HistoryModel::legal_writers(const Table& wr) {
  std::vector<Lit> parts;
  for (std::size_t x = 0; x < scope_.objects; ++x)
    for (std::size_t t = 1; t < n_; ++t) {
      std::vector<Lit> sources{!world_[Base::Readers].at(x, t)};
      for (std::size_t s = 0; s < n_; ++s) {
        const Lit from = wr.at(x, s, t);
        for (const Lit other : sources) parts.push_back(c_.either(!from, !other));
        for (std::size_t v = 0; v < scope_.values; ++v)
          parts.push_back(
              c_.any({!from, !world_[Base::Reads].at(t, x, v), world_[Base::Writes].at(s, x, v)}));
        sources.push_back(from);
      }
      parts.push_back(c_.any(std::move(sources)));
    }
  return c_.all(std::move(parts));
}

World HistoryModel::with_writers(const Table& wr) const {
  World world = world_;
  world[Base::Wr] = wr;
  if (options_.operations) set_rf(world);
  return world;
}

std::size_t HistoryModel::operation(std::size_t t, std::size_t x, std::size_t s) const {
  return t * operations_of_one() + (scope_.repeatable_reads ? x : x * n_ + s);
}

void HistoryModel::add_program_order() {
  const std::size_t operations = n_ * operations_of_one(), versions = scope_.repeatable_reads ? 1 : n_;
  world_.exists[static_cast<std::size_t>(Sort::Op)].assign(operations, kFalse);
  world_[Base::Po] = Table({operations, operations});
  world_[Base::OpTxn] = Table({operations, n_});
  world_[Base::OpObj] = Table({operations, scope_.objects});
  for (std::size_t t = 1; t < n_; ++t) {
    const std::size_t first = operation(t, 0, 0);
    std::vector<Lit>& exists = world_.exists[static_cast<std::size_t>(Sort::Op)];
    for (std::size_t x = 0; x < scope_.objects; ++x)
      for (std::size_t s = 0; s < versions; ++s) {
        const std::size_t op = operation(t, x, s);
        exists[op] = scope_.repeatable_reads ? world_[Base::Readers].at(x, t) : world_[Base::Wr].at(x, s, t);
        world_[Base::OpTxn].at(op, t) = exists[op];
        world_[Base::OpObj].at(op, x) = exists[op];
      }
    Lit valid = kTrue;
    // An order of one more, since the first is fixed.
    const Table order = order_inputs(c_, operations_of_one() + 1, valid, &inputs_);
    require(valid);
    for (std::size_t o = 0; o < operations_of_one(); ++o)
      for (std::size_t p = 0; p < operations_of_one(); ++p)
        if (o != p)
          world_[Base::Po].at(first + o, first + p) =
              c_.all({exists[first + o], exists[first + p], order.at(o + 1, p + 1)});
  }
  set_rf(world_);
}

void HistoryModel::set_rf(World& world) const {
  world[Base::Rf] = Table({n_, n_ * operations_of_one()});
  for (std::size_t t = 1; t < n_; ++t)
    for (std::size_t x = 0; x < scope_.objects; ++x)
      for (std::size_t s = 0; s < n_; ++s)
        world[Base::Rf].at(s, operation(t, x, s)) = world[Base::Wr].at(x, s, t);
}

// The initial transaction has none.
void HistoryModel::add_labels() {
  for (const spec::Label& label : options_.labels) {
    Table& table = world_.labels[label] = Table({world_.size(label.sort)});
    for (std::size_t i = label.sort == Sort::Txn ? 1 : 0; i < table.cells.size(); ++i)
      table.cells[i] = add_input();
  }
}

void HistoryModel::add_clocks() {
  Table& rt = world_[Base::Rt] = Table({n_, n_});
  for (std::size_t s = 0; s < n_; ++s)
    for (std::size_t t = 1; t < n_; ++t)
      if (s != t) rt.at(s, t) = s == 0 ? kTrue : add_input();
  for (std::size_t s = 1; s < n_; ++s)
    for (std::size_t t = 1; t < n_; ++t) {
      if (s == t) continue;
      require(c_.implies(world_[Base::So].at(s, t), rt.at(s, t)));
      for (std::size_t x = 0; x < scope_.objects; ++x)
        require(c_.either(!world_[Base::Wr].at(x, s, t), !rt.at(t, s)));
      for (std::size_t u = 1; u < n_; ++u)
        for (std::size_t v = 1; v < n_; ++v)
          if (u != v) require(c_.any({!rt.at(s, t), !rt.at(u, v), rt.at(s, v), rt.at(u, t)}));
    }
  if (!options_.ends) return;
  Lit valid = kTrue;
  const Table ended = world_[Base::Ended] = order_inputs(c_, n_, valid, &inputs_);
  require(valid);
  for (std::size_t s = 1; s < n_; ++s)
    for (std::size_t t = 1; t < n_; ++t) {
      if (s == t) continue;
      require(c_.implies(rt.at(s, t), ended.at(s, t)));
      // Whoever ended even earlier also ended before t began.
      for (std::size_t u = 1; u < n_; ++u)
        if (u != s && u != t) require(c_.any({!rt.at(s, t), !ended.at(u, s), rt.at(u, t)}));
    }
}

// Who writes an object and who reads it from whom, as a number; the objects' numbers do not increase.
void HistoryModel::sort_objects() {
  const auto digits = [&](std::size_t x) {
    std::vector<Lit> bits;
    for (std::size_t t = 1; t < n_; ++t) bits.push_back(world_[Base::Writers].at(x, t));
    for (std::size_t t = 1; t < n_; ++t)
      for (std::size_t s = 0; s < n_; ++s)
        if (s == 0 || !scope_.duplicates)
          bits.push_back(scope_.duplicates ? world_[Base::Readers].at(x, t) : world_[Base::Wr].at(x, s, t));
    return bits;
  };
  for (std::size_t x = 0; x + 1 < scope_.objects; ++x) {
    const std::vector<Lit> a = digits(x), b = digits(x + 1);
    Lit no_less = kTrue;
    for (std::size_t i = a.size(); i-- > 0;)
      no_less = c_.either(c_.both(a[i], !b[i]), c_.both(c_.either(a[i], !b[i]), no_less));
    require(no_less);
  }
}

std::vector<Lit> HistoryModel::operations() const {
  std::vector<Lit> all;
  for (std::size_t x = 0; x < scope_.objects; ++x)
    for (std::size_t t = 1; t < n_; ++t)
      all.insert(all.end(), {world_[Base::Writers].at(x, t), world_[Base::Readers].at(x, t)});
  return all;
}

std::vector<Lit> HistoryModel::used_objects() const {
  std::vector<Lit> used;
  for (std::size_t x = 0; x < scope_.objects; ++x) {
    std::vector<Lit> ways;
    for (std::size_t t = 1; t < n_; ++t)
      ways.insert(ways.end(), {world_[Base::Writers].at(x, t), world_[Base::Readers].at(x, t)});
    used.push_back(c_.any(std::move(ways)));
  }
  return used;
}

std::vector<Lit> HistoryModel::used_values() const {
  std::vector<Lit> used(scope_.values, kFalse);
  for (std::size_t x = 0; x < scope_.objects; ++x) {
    std::vector<Lit> writers;
    for (std::size_t t = 1; t < n_; ++t) writers.push_back(world_[Base::Writers].at(x, t));
    const std::vector<Lit> more_than = counter(c_, writers, scope_.values);
    for (std::size_t v = 0; v < scope_.values; ++v) {
      Lit used_here = more_than[v];
      if (scope_.duplicates) {
        used_here = kFalse;
        for (std::size_t t = 1; t < n_; ++t)
          if (v + 1 < scope_.values) used_here = c_.either(used_here, world_[Base::Writes].at(t, x, v + 1));
      }
      used[v] = c_.either(used[v], used_here);
    }
  }
  return used;
}

spec::HistoryFacts HistoryModel::facts(const std::function<bool(Lit)>& value) const {
  spec::HistoryFacts facts{.transactions = n_, .objects = scope_.objects, .values = scope_.values};
  // The value that s finally wrote to x.
  const auto written = [&](std::size_t s, std::size_t x) -> std::uint32_t {
    if (s == 0) return 0;
    std::uint32_t number = 0;
    if (scope_.duplicates) {
      while (!value(world_[Base::Writes].at(s, x, number))) ++number;
      return number;
    }
    for (std::size_t t = 1; t <= s; ++t) number += value(world_[Base::Writers].at(x, t)) ? 1 : 0;
    return number;
  };
  for (std::uint32_t x = 0; x < scope_.objects; ++x)
    for (std::uint32_t t = 0; t < n_; ++t)
      if (value(world_[Base::Writers].at(x, t))) facts.writes.insert({t, x, written(t, x)});
  for (std::uint32_t t = 1; t < n_; ++t) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> reads;  // object, writer
    for (std::uint32_t x = 0; x < scope_.objects; ++x)
      for (std::uint32_t s = 0; s < n_; ++s)
        if (value(world_[Base::Wr].at(x, s, t))) reads.emplace_back(x, s);
    if (options_.operations)
      std::ranges::sort(reads, [&](const auto& a, const auto& b) {
        return value(world_[Base::Po].at(operation(t, a.first, a.second), operation(t, b.first, b.second)));
      });
    for (const auto& [x, s] : reads) facts.reads.push_back({t, x, written(s, x)});
    for (std::uint32_t s = 1; s < n_; ++s)
      if (value(world_[Base::So].at(s, t))) facts.session_order.insert({s, t});
  }
  for (const auto& [label, table] : world_.labels)
    for (std::uint32_t i = 0; i < table.cells.size(); ++i)
      if (value(table.cells[i])) facts.labels[label].insert({i});
  facts.clocks = options_.clocks || scope_.clocks;
  for (std::uint32_t s = 1; s < n_ && facts.clocks; ++s)
    for (std::uint32_t t = 1; t < n_; ++t) {
      if (s != t && value(world_[Base::Rt].at(s, t))) facts.real_time.insert({s, t});
      if (s != t && options_.ends && value(world_[Base::Ended].at(s, t))) facts.ended.insert({s, t});
    }
  return facts;
}

}  // namespace assay::synthesis
