// What a transaction's variables have to do with each other and with the rows it sees.
//
// A statement that finds a row has one: a record that satisfies its condition and is alive in its view.
// Variables are set once, so an assignment is an equation. Rounds of loops are numbers; what holds in every
// round is instantiated at the rounds that somebody names.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/encoding.h"

namespace assay::analysis {

using z3::expr;
using z3::implies;

namespace {

std::string identity(const Rounds& rounds) {
  std::string text;
  for (const expr& round : rounds) text += fmt::format(" {}", Z3_get_ast_id(round.ctx(), round));
  return text;
}

bool prefix_of(const std::vector<std::size_t>& prefix, std::span<const std::size_t> loops) {
  return std::ranges::equal(prefix, loops);
}

}  // namespace

std::size_t Encoding::add_transaction(std::size_t program, bool named) {
  const std::size_t tx = txs_.size();
  txs_.push_back({program, named});
  define(tx, {}, {});
  return tx;
}

void Encoding::fail(std::size_t tx, const expr& when) {
  if (txs_[tx].world == 0) {
    require(!when);
    return;
  }
  const auto [place, added] = failed_.try_emplace(tx, when);
  if (!added) place->second = place->second || when;
}

Record Encoding::record(sql::TableId id, const std::string& name, const std::vector<expr>& arguments) {
  const sql::Table& table = facts_.schema()[id];
  Record record{id, {}};
  for (const sql::ColumnId column : table.primary_key)
    record.key.push_back(
        apply(fmt::format("{}.{}", name, table[column].name), arguments, sort_of(table[column].type)));
  if (table.primary_key.empty())
    for (const char* part : {"owner", "number"})
      record.key.push_back(apply(fmt::format("{}.{}", name, part), arguments, z_.int_sort()));
  return record;
}

expr Encoding::same_key(const Record& a, const Record& b) {
  expr same = yes();
  for (std::size_t c = 0; c < a.key.size(); ++c) same = same && a.key[c] == b.key[c];
  return same;
}

expr Encoding::runs(std::size_t tx, std::size_t loop, const Rounds& rounds) {
  const std::size_t depth = program(tx).loops[loop].loops.size();
  return apply(fmt::format("runs{}@{}", loop, tx), Rounds(rounds.begin(), rounds.begin() + depth),
               z_.bool_sort());
}

expr Encoding::exists(std::size_t tx) {
  return txs_[tx].named ? yes() : z_.bool_const(fmt::format("exists {}", tx).c_str());
}

expr Encoding::happens(const Scope& scope, const std::vector<Guard>& guards,
                       std::span<const std::size_t> loops) {
  expr all = loops.empty() ? yes() : runs(scope.tx, loops.back(), scope.rounds);
  if (!txs_[scope.tx].named) all = all && exists(scope.tx);
  for (const Guard& guard : guards) {
    const Truth condition = truth(Scope{scope.tx, scope.rounds}, guard.condition);
    all = all && (guard.negated ? !condition.must : condition.must);
  }
  return all;
}

expr Encoding::happens(std::size_t tx, std::size_t item, const Rounds& rounds) {
  const Item& it = item_of(tx, item);
  return happens(Scope{tx, rounds}, it.guards, it.loops);
}

std::size_t Encoding::view_of(std::size_t tx, std::size_t item, const Rounds& rounds, bool newest) {
  const Item& it = item_of(tx, item);
  const Sight how = sight(tx, item);
  if (how == Sight::Mixed && !(newest && passes_rows(tx))) {
    const auto [place, added] =
        view_ids_.try_emplace(fmt::format("{} mixed{}{}", tx, item, identity(rounds)), views_.size());
    if (!added) return place->second;
    const std::size_t id = place->second;
    views_.push_back({tx, it.statement->snapshot, rounds, item});
    const std::size_t since = splits_views(tx) ? snapshot_of(tx) : view_at_start(tx, item, rounds);
    views_[id].since = since;
    return id;
  }
  if (how == Sight::Row && !newest) {
    const auto [place, added] =
        view_ids_.try_emplace(fmt::format("{} row{}{}", tx, item, identity(rounds)), views_.size());
    if (!added) return place->second;
    const std::size_t id = place->second;
    views_.push_back({tx, it.statement->snapshot, rounds, item, true});
    view_at_start(tx, item, rounds);
    return id;
  }
  if (splits_views(tx)) {
    if (how == Sight::Snapshot) return snapshot_of(tx);
    const auto [place, added] = view_ids_.try_emplace(fmt::format("{}+", tx), views_.size());
    if (added) views_.push_back({.tx = tx, .snapshot = {}, .rounds = {}, .item = item, .current = true});
    return place->second;
  }
  return view_at_start(tx, item, rounds, newest);
}

std::size_t Encoding::view_at_start(std::size_t tx, std::size_t item, const Rounds& rounds, bool newest) {
  const Item& it = item_of(tx, item);
  const std::string name = per_statement(tx) ? fmt::format("{}/{}{}{}", tx, it.statement->snapshot.name(),
                                                           newest ? "+" : "", identity(rounds))
                                             : fmt::format("{}", tx);
  const auto [place, added] = view_ids_.try_emplace(name, views_.size());
  if (added) views_.push_back({tx, it.statement->snapshot, rounds, item, newest && per_statement(tx)});
  return place->second;
}

std::size_t Encoding::view_of(std::size_t tx, const Read& read, const Rounds& rounds) {
  return view_of(tx, read.item, rounds, read.checks() || item_of(tx, read.item).as<sql::Insert>() != nullptr);
}

expr Encoding::alive(std::size_t view, const Record& record) {
  const std::string& table = facts_.schema()[record.table].name;
  if (facts_.schema()[record.table].of_locks) return yes();
  if (!facts_.table(record.table).presence_changes())
    return apply("alive " + table, record.key, z_.bool_sort());
  return apply(fmt::format("alive {} seen{}", table, view), record.key, z_.bool_sort());
}

// Whether the transaction itself may have changed the field before the item runs.
bool Encoding::writes_before(std::size_t tx, std::size_t item, sql::TableId table,
                             std::optional<sql::ColumnId> column) const {
  const auto& items = program(tx).items;
  if (item == Item::kNone) return true;
  return std::ranges::any_of(footprints_[txs_[tx].program].writes, [&](const Write& write) {
    const bool same =
        write.table == table && (write.column == column || !write.column || shows_own_versions(tx, item));
    const bool share_loop = !items[item].loops.empty() && !items[write.item].loops.empty() &&
                            items[item].loops[0] == items[write.item].loops[0];
    return same && (write.item < item || share_loop);
  });
}

bool Encoding::removes_before(std::size_t tx, std::size_t item, sql::TableId table) const {
  const auto& items = program(tx).items;
  return std::ranges::any_of(footprints_[txs_[tx].program].writes, [&](const Write& write) {
    const bool share_loop = !items[item].loops.empty() && !items[write.item].loops.empty() &&
                            items[item].loops[0] == items[write.item].loops[0];
    return write.table == table && !write.column && !write.alive && (write.item < item || share_loop);
  });
}

// Presence only. The write was some earlier one: in a loop, of a round of its own.
expr Encoding::own(std::size_t tx, std::size_t item, const Rounds& rounds, const Record& record) {
  if (!writes_before(tx, item, record.table, std::nullopt)) return no();
  if (inside_own_) return yes();
  std::vector<expr> arguments(rounds);
  arguments.insert(arguments.end(), record.key.begin(), record.key.end());
  const expr did = apply(fmt::format("own{} {}@{}", item, facts_.schema()[record.table].name, tx), arguments,
                         z_.bool_sort());
  const std::string name = fmt::format("own{}", Z3_get_ast_id(z_, did));
  if (!instantiated_.insert(name).second) return did;
  inside_own_ = true;
  const Item& it = item_of(tx, item);
  expr some = no();
  for (const Write& write : footprints_[txs_[tx].program].writes) {
    if (write.table != record.table || (write.column && !shows_own_versions(tx, item))) continue;
    const Item& writer = item_of(tx, write.item);
    Rounds at;
    for (std::size_t depth = 0; depth < writer.loops.size(); ++depth) {
      at.push_back(z_.int_const(fmt::format("round {} {} {}@{}", name, write.item, depth, tx).c_str()));
      define_loop(tx, writer.loops[depth], at);
      define(tx, std::span(writer.loops).first(depth + 1), at);
    }
    expr earlier = z_.bool_val(write.item < item);
    std::size_t shared = 0;  // loops around both
    while (shared < it.loops.size() && shared < at.size() && it.loops[shared] == writer.loops[shared])
      ++shared;
    expr same_round = yes();
    for (std::size_t depth = 0; depth < shared; ++depth) {
      same_round = same_round && at[depth] == rounds[depth];
      distinct_rounds(tx, writer.loops[depth], at, rounds);
    }
    if (shared > 0) earlier = earlier || !same_round;
    some = some || (earlier && may_write(tx, write, at, record));
  }
  inside_own_ = false;
  require(implies(did, some));
  return did;
}

// Two rounds of a loop over the rows of one table have different rows.
void Encoding::distinct_rounds(std::size_t tx, std::size_t loop, const Rounds& a, const Rounds& b) {
  const LoopFacts& facts = program(tx).loops[loop];
  if (facts.loop->over != sql::Loop::Over::Query || facts.loop->query.sources.size() != 1 ||
      facts.loop->query.repeats)
    return;
  const std::size_t depth = facts.loops.size();
  const auto& items = program(tx).items;
  const std::size_t item = std::ranges::find(items, loop, &Item::heads) - items.begin();
  const std::string name = fmt::format("row{}.0@{}", item, tx);
  const Rounds at_a(a.begin(), a.begin() + depth), at_b(b.begin(), b.begin() + depth);
  expr other = no();
  for (std::size_t d = 0; d < depth; ++d) other = other || at_a[d] != at_b[d];
  expr same_outside = yes();
  for (std::size_t d = 0; d + 1 < depth; ++d) same_outside = same_outside && at_a[d] == at_b[d];
  const sql::TableId table = facts.loop->query.sources[0];
  require(implies(other && same_outside && runs(tx, loop, at_a) && runs(tx, loop, at_b),
                  !same_key(record(table, name, at_a), record(table, name, at_b))));
}

std::optional<Record> Encoding::pinned(std::size_t tx, std::size_t item, const Rounds& rounds) {
  const Item& it = item_of(tx, item);
  const Scope scope{tx, rounds};
  sql::TableId table = written_table(it);
  std::vector<sql::ExpressionPtr> key;
  if (const auto* insert = it.as<sql::Insert>()) {
    for (const sql::ColumnId column : facts_.schema()[table].primary_key)
      key.push_back(insert->values[column.index()]);
  } else {
    if (it.select != nullptr) {
      if (it.select->sources.size() != 1) return std::nullopt;
      table = it.select->sources[0];
    }
    if (table.is_none()) return std::nullopt;
    key = pinned_key(facts_.schema()[table], where_of(it));
  }
  if (key.empty()) return std::nullopt;
  Record record{table, {}};
  for (std::size_t c = 0; c < key.size(); ++c) {
    const sql::Table& columns = facts_.schema()[table];
    record.key.push_back(
        as_sort(evaluate(scope, key[c]).value, sort_of(columns[columns.primary_key[c]].type)));
  }
  return record;
}

std::vector<Record> Encoding::selected(std::size_t tx, std::size_t item, const Rounds& rounds) {
  if (auto row = pinned(tx, item, rounds)) return {*row};
  const Item& it = item_of(tx, item);
  std::vector<sql::TableId> sources =
      it.select != nullptr ? it.select->sources : std::vector{written_table(it)};
  std::vector<Record> rows;
  for (std::size_t s = 0; s < sources.size(); ++s)
    rows.push_back(record(sources[s], fmt::format("row{}.{}@{}", item, s, tx), rounds));
  return rows;
}

expr Encoding::found(std::size_t tx, std::size_t item, const Rounds& rounds) {
  return apply(fmt::format("found{}@{}", item, tx), rounds, z_.bool_sort());
}

// Whether `found` says that some row matched: not of loops, whose rows come one by one, nor where OFFSET or
// HAVING may pass over the rows that match.
bool Encoding::says_whether_it_found(const Item& item) {
  return item.as<sql::Select>() != nullptr && item.select->rows != sql::Select::Rows::All &&
         !item.select->partial && !item.select->repeats;
}

void Encoding::set(const Scope& scope, sql::VariableId id, const expr& when, const Term& value) {
  if (id.is_none() || !value.known || (*program(scope.tx).program)[id].is_set) return;
  require(implies(when, equal(variable(scope.tx, id, scope.rounds), value)));
}

Rounds Encoding::rounds_for(std::size_t tx, std::span<const std::size_t> loops, const std::string& tag) {
  Rounds rounds;
  for (std::size_t depth = 0; depth < loops.size(); ++depth) {
    const std::string name = fmt::format("round {} {}@{}", tag, loops[depth], tx);
    rounds.push_back(z_.int_const(name.c_str()));
    if (!instantiated_.insert(name).second) continue;
    rounds_[{tx, loops[depth]}].push_back(rounds);
    define_loop(tx, loops[depth], rounds);
    define(tx, loops.first(depth + 1), rounds);
  }
  return rounds;
}

std::vector<Rounds> Encoding::known_rounds(std::size_t tx, std::span<const std::size_t> loops) const {
  if (loops.empty()) return {{}};
  const auto place = rounds_.find({tx, loops.back()});
  return place == rounds_.end() ? std::vector<Rounds>{} : place->second;
}

// What the statements of exactly these loops do in these rounds.
void Encoding::define(std::size_t tx, std::span<const std::size_t> loops, const Rounds& rounds) {
  for (std::size_t i = 0; i < program(tx).items.size(); ++i) {
    const Item& item = item_of(tx, i);
    if (!prefix_of(item.loops, loops) || item.heads != Item::kNone) continue;
    const Scope scope{tx, rounds};
    if (const auto* assign = item.as<sql::Assign>())
      set(scope, assign->variable, yes(), evaluate(scope, assign->value));
    if (item.as<sql::Abort>() != nullptr) fail(tx, happens(tx, i, rounds));
    if (item.as<sql::Select>() != nullptr) define_select(tx, i, rounds);
    if (item.as<sql::Insert>() != nullptr) define_insert(tx, i, rounds);
    if (const auto* update = item.as<sql::Update>())
      define_returning(tx, i, rounds, update->returning, update->effect);
    if (const auto* deletion = item.as<sql::Delete>())
      define_returning(tx, i, rounds, deletion->returning, deletion->effect);
  }
}

void Encoding::define_loop(std::size_t tx, std::size_t id, const Rounds& rounds) {
  const LoopFacts& facts = program(tx).loops[id];
  const expr running = runs(tx, id, rounds);
  const Scope scope{tx, rounds};
  // The statements inside run under all conditions around them; that the loop outside runs only this says.
  if (facts.loops.size() > 1)
    require(implies(running, runs(tx, facts.loops[facts.loops.size() - 2], rounds)));
  const sql::Loop& loop = *facts.loop;
  switch (loop.over) {
    case sql::Loop::Over::Array:
      set(scope, loop.element, running, element(tx, loop.array, rounds, rounds.back()));
      break;
    case sql::Loop::Over::Integers: {
      const Term value = variable(tx, loop.element, rounds), from = evaluate(scope, loop.from),
                 to = evaluate(scope, loop.to);
      const expr inside = (from.value <= value.value && value.value <= to.value) ||
                          (to.value <= value.value && value.value <= from.value);
      require(implies(running, !value.null && !from.null && !to.null && inside));
      break;
    }
    case sql::Loop::Over::While: break;
    case sql::Loop::Over::Query: {
      const auto& items = program(tx).items;
      const std::size_t item = std::ranges::find(items, id, &Item::heads) - items.begin();
      const Rounds outside(rounds.begin(), rounds.end() - 1);
      const std::size_t view = view_of(tx, item, outside);
      std::vector<Record> rows;
      for (std::size_t s = 0; s < loop.query.sources.size(); ++s)
        rows.push_back(record(loop.query.sources[s], fmt::format("row{}.{}@{}", item, s, tx), rounds));
      const Scope on_rows{tx, rounds, pointers_to(rows), view, item};
      expr fits = truth(on_rows, loop.query.where).may;
      for (const Record& row : rows) fits = fits && (own(tx, item, outside, row) || alive(view, row));
      require(implies(running, fits));
      for (const sql::Output& output : loop.query.outputs)
        if (output.aggregate == sql::Output::Aggregate::None)
          set(scope, output.into, running, evaluate(on_rows, output.value));
      break;
    }
  }
}

void Encoding::define_effect(const Scope& scope, const sql::Effect& effect, const expr& runs,
                             const expr& found) {
  if (!effect.found.is_none())
    set(scope, effect.found, runs, {z3::ite(found, z_.int_val(1), z_.int_val(0)), no()});
  if (effect.count.is_none()) return;
  const Term count = variable(scope.tx, effect.count, scope.rounds);
  require(implies(runs, !count.null && count.value >= 0 && found == (count.value > 0)));
}

// A query that locks at read committed looks at the newest version of a row, which may not match or be gone.
expr Encoding::surely_matches(const Scope& scope, const sql::Select& select) {
  // What passes rows one by one may miss one that moves in an index.
  if (passes_rows(scope.tx) && sight(scope.tx, scope.item) == Sight::Mixed &&
      !pinned(scope.tx, scope.item, scope.rounds))
    return no();
  if (!select.for_update || !per_statement(scope.tx)) return truth(scope, select.where).must;
  for (const sql::TableId table : select.sources)
    if (facts_.table(table).deleted || facts_.table(table).opaque) return no();
  Scope any_version = scope;
  any_version.view.reset();
  return truth(any_version, select.where).must;
}

void Encoding::define_select(std::size_t tx, std::size_t item, const Rounds& rounds) {
  using Aggregate = sql::Output::Aggregate;
  using Rows = sql::Select::Rows;
  const sql::Select& select = *item_of(tx, item).select;
  const std::size_t view = view_of(tx, item, rounds);
  const std::vector<Record> rows = selected(tx, item, rounds);
  const Scope scope{tx, rounds, pointers_to(rows), view, item};
  const expr running = happens(tx, item, rounds), is_found = found(tx, item, rounds);
  const Truth fits = truth(scope, select.where);
  const expr surely_fits = surely_matches(scope, select);
  expr may_be_there = yes(), there = yes();
  for (const Record& row : rows) {
    const expr own_row = own(tx, item, rounds, row);
    may_be_there = may_be_there && (own_row || alive(view, row));
    there = there && !own_row && alive(view, row);
  }
  require(implies(running && is_found, fits.may && may_be_there));
  if (!select.partial) require(implies(running && surely_fits && there, is_found));
  if (select.rows == Rows::Strict) fail(tx, running && !is_found);
  define_effect(scope, select.effect, running, is_found);
  const bool from_the_row =
      select.rows == Rows::First || select.rows == Rows::Strict || extreme(select) != nullptr;
  for (const sql::Output& output : select.outputs) {
    if (output.into.is_none()) continue;
    if (from_the_row) {
      set(scope, output.into, running && is_found, evaluate(scope, output.value));
      set(scope, output.into, running && !is_found, {variable(tx, output.into, rounds).value, yes()});
    } else if (output.aggregate == Aggregate::Count && select.rows == Rows::Aggregate) {
      const Term count = variable(tx, output.into, rounds);
      require(implies(running, !count.null && count.value >= 0));
      if (!output.value) require(implies(running, is_found == (count.value > 0)));
    }
  }
}

void Encoding::define_insert(std::size_t tx, std::size_t item, const Rounds& rounds) {
  const auto& insert = *item_of(tx, item).as<sql::Insert>();
  const Scope scope{tx, rounds};
  const expr running = happens(tx, item, rounds);
  if (insert.conflict == sql::Insert::Conflict::Abort)
    if (const auto row = pinned(tx, item, rounds)) {
      // The database refuses a row whose key is there, unless the transaction removed that one before.
      expr met = running && alive(view_of(tx, item, rounds, true), *row);
      if (txs_[tx].world == 0 && removes_before(tx, item, insert.table))
        met = met && !own(tx, item, rounds, *row);
      if (!rechecks_keys(tx) || !keys_come_back(insert.table)) fail(tx, met);
    }
  for (std::size_t c = 0; c < insert.values.size(); ++c) {
    not_null(scope, facts_.schema()[insert.table], sql::ColumnId(c), insert.values[c], running);
    if (insert.values[c]->kind != sql::Expression::Kind::Fresh) continue;
    // Every value of a sequence is drawn by one transaction, in one round.
    const Term drawn = evaluate(scope, insert.values[c]);
    const std::string by = "drawn from " + insert.values[c]->text;
    require(implies(running, !drawn.null && apply(by, {drawn.value}, z_.int_sort()) == static_cast<int>(tx)));
    if (!rounds.empty())
      require(implies(running, apply(by + " in", {drawn.value}, z_.int_sort()) == rounds.back()));
  }
  if (insert.conflict == sql::Insert::Conflict::Nothing)
    if (const auto row = pinned(tx, item, rounds)) {
      const Write write{.item = item, .table = insert.table, .column = {}, .alive = true};
      define_effect(scope, insert.effect, running, writes(tx, write, rounds, *row));
    }
  if (insert.conflict != sql::Insert::Conflict::Abort) return;
  Scope on_new = scope;
  on_new.inserted = &insert;
  for (const sql::Output& output : insert.returning)
    if (output.value) set(scope, output.into, running, evaluate(on_new, output.value));
  define_effect(scope, insert.effect, running, yes());
}

// An UPDATE or DELETE that tells what it found.
void Encoding::define_returning(std::size_t tx, std::size_t item, const Rounds& rounds,
                                const std::vector<sql::Output>& outputs, const sql::Effect& effect) {
  if (outputs.empty() && effect.found.is_none() && effect.count.is_none()) return;
  const Item& it = item_of(tx, item);
  const std::size_t view = view_of(tx, item, rounds);
  const std::vector<Record> rows = selected(tx, item, rounds);
  Scope scope{tx, rounds, pointers_to(rows), view, item};
  const expr running = happens(tx, item, rounds), is_found = found(tx, item, rounds);
  const Write write{.item = item, .table = written_table(it), .column = {}, .alive = false};
  require(implies(running && is_found, writes(tx, write, rounds, rows[0])));
  if (!per_statement(tx))
    require(implies(
        running && truth(scope, where_of(it)).must && alive(view, rows[0]) && !own(tx, item, rounds, rows[0]),
        is_found));
  define_effect(scope, effect, running, is_found);
  scope.updated = it.as<sql::Update>();
  for (const sql::Output& output : outputs) {
    if (output.into.is_none() || !output.value || output.aggregate != sql::Output::Aggregate::None) continue;
    set(scope, output.into, running && is_found, evaluate(scope, output.value));
    set(scope, output.into, running && !is_found, {variable(tx, output.into, rounds).value, yes()});
  }
}

}  // namespace assay::analysis
