// A world without other transactions: what a view shows of a row is what the last visible writer among the
// named transactions made of it, or what was there initially. Only for witnesses; proofs never assume it.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/encoding.h"

namespace assay::analysis {

using z3::expr;
using z3::implies;

expr Encoding::initially_alive(const Record& record) {
  const std::string& table = facts_.schema()[record.table].name;
  if (!facts_.table(record.table).presence_changes())
    return apply("alive " + table, record.key, z_.bool_sort());
  return apply(fmt::format("alive {} initially", table), record.key, z_.bool_sort());
}

Term Encoding::initial_value(const Record& record, sql::ColumnId column) {
  if (facts_.fixed(record.table, column)) return fixed_value(record, column);
  const sql::Table& table = facts_.schema()[record.table];
  const std::string name = fmt::format("{}.{} initially", table.name, table[column].name);
  return {apply(name, record.key, sort_of(table[column].type)),
          table[column].nullable ? apply(name + "null", record.key, z_.bool_sort()) : no()};
}

std::vector<Record> Encoding::all_records() {
  std::vector<Record> all = records_;
  for (std::size_t tx = 0; tx < txs_.size(); ++tx)
    for (std::size_t item = 0; item < program(tx).items.size(); ++item) {
      const Item& it = item_of(tx, item);
      if (it.select == nullptr && written_table(it).is_none()) continue;
      std::vector<std::size_t> loops = it.loops;
      if (it.heads != Item::kNone) loops.push_back(it.heads);
      for (const Rounds& at : known_rounds(tx, loops)) {
        if (it.as<sql::Insert>() != nullptr) {
          if (const auto row = pinned(tx, item, at)) all.push_back(*row);
        } else {
          for (const Record& row : selected(tx, item, at)) all.push_back(row);
        }
      }
    }
  drop_repeated(all);
  return all;
}

void Encoding::drop_repeated(std::vector<Record>& records) const {
  std::set<std::string> seen;
  std::erase_if(records, [&](const Record& r) {
    std::string name = fmt::format("{}", r.table.value);
    for (const expr& key : r.key) name += fmt::format(" {}", Z3_get_ast_id(z_, key));
    return !seen.insert(name).second;
  });
}

// What a write makes of the column; not known when the formula cannot say.
Term Encoding::written_value(std::size_t tx, const Write& write, const Rounds& at, const Record& record,
                             sql::ColumnId column) {
  const Item& item = item_of(tx, write.item);
  const Scope scope{
      tx, at, {&record}, view_of(tx, write.item, at, item.as<sql::Insert>() != nullptr), write.item};
  const auto from = [&](const std::vector<sql::Insert::Set>& sets) -> Term {
    for (const auto& set : sets)
      if (set.column == column) {
        Term value = evaluate(scope, set.value);
        value.value = as_sort(value.value, sort_of(facts_.schema()[record.table][column].type));
        return value;
      }
    return {z_.int_val(0), no(), false};
  };
  if (const auto* update = item.as<sql::Update>()) return from(update->sets);
  const auto* insert = item.as<sql::Insert>();
  if (insert == nullptr) return {z_.int_val(0), no(), false};
  if (write.column) return from(insert->sets);
  Term value = evaluate(Scope{tx, at}, insert->values[column.index()]);
  value.value = as_sort(value.value, sort_of(facts_.schema()[record.table][column].type));
  return value;
}

std::vector<Encoding::Event> Encoding::events_on(const Record& r, std::size_t world) {
  std::vector<Event> events;
  for (std::size_t tx = 0; tx < txs_.size(); ++tx) {
    if (!txs_[tx].named || txs_[tx].world != world) continue;
    for (const Write& write : footprints_[txs_[tx].program].writes)
      if (write.table == r.table)
        for (const Rounds& at : known_rounds(tx, item_of(tx, write.item).loops))
          events.push_back({tx, &write, writes(tx, write, at, r), at});
  }
  return events;
}

template <class Sees, class Concerns, class Says>
expr Encoding::last_decides(const std::vector<Event>& events, Sees&& sees, Concerns&& concerns, Says&& says,
                            const expr& initially) {
  expr all = yes(), none = yes();
  for (const Event& a : events) {
    if (!concerns(a)) continue;
    const expr shown = a.happens && sees(a.tx);
    none = none && !shown;
    expr is_last = shown;
    for (const Event& b : events) {
      if (!concerns(b) || &a == &b) continue;
      const expr later = a.tx == b.tx ? z_.bool_val(b.write->item >= a.write->item) : before(a.tx, b.tx);
      is_last = is_last && !(b.happens && sees(b.tx) && later);
    }
    all = all && implies(is_last, says(a));
  }
  return all && implies(none, initially);
}

template <class Sees>
expr Encoding::presence_is(const expr& alive, const Record& r, const std::vector<Event>& events,
                           Sees&& sees) {
  return last_decides(
      events, sees, [](const Event& e) { return !e.write->column; },
      [&](const Event& e) { return alive == z_.bool_val(e.write->alive); }, alive == initially_alive(r));
}

template <class Sees>
expr Encoding::value_is(const Term& value, const Record& r, sql::ColumnId column,
                        const std::vector<Event>& events, Sees&& sees) {
  return last_decides(
      events, sees,
      [&](const Event& e) { return e.write->column == column || (!e.write->column && e.write->alive); },
      [&](const Event& e) {
        const Term written = written_value(e.tx, *e.write, e.at, r, column);
        return written.known ? equal(value, written) : yes();
      },
      equal(value, initial_value(r, column)));
}

expr Encoding::closed() {
  // One conjunction of all: a chain of thousands takes the solver seconds to free.
  z3::expr_vector all(z_);
  const std::size_t views = views_.size();
  for (const Record& r : all_records()) {
    for (std::size_t view = 0; view < views; ++view) {
      const Tx& reader = txs_[views_[view].tx];
      if (!reader.named) continue;
      std::vector<Event> events = events_on(r, reader.world);
      std::erase_if(events, [&](const Event& e) { return e.tx == views_[view].tx; });
      const auto sees = [&](std::size_t tx) { return visible(tx, view); };
      if (facts_.table(r.table).presence_changes())
        all.push_back(presence_is(alive(view, r), r, events, sees));
      for (std::size_t c = 0; c < facts_.schema()[r.table].columns.size(); ++c)
        if (const sql::ColumnId column(c); !facts_.fixed(r.table, column))
          all.push_back(value_is(seen_value(view, r, column), r, column, events, sees));
    }
  }
  // Queries account for the rows of each other.
  const std::vector<Record> rows = all_records();
  for (std::size_t tx = 0; tx < txs_.size(); ++tx)
    for (std::size_t item = 0; item < program(tx).items.size(); ++item) {
      const auto* select = item_of(tx, item).as<sql::Select>();
      if (!txs_[tx].named || select == nullptr || select->sources.size() != 1 || select->partial) continue;
      for (const Rounds& at : known_rounds(tx, item_of(tx, item).loops))
        for (const Record& r : rows)
          if (r.table == select->sources[0]) all.push_back(accounts_for(tx, item, at, r));
    }
  for (const auto& [where, rounds] : rounds_) {
    const sql::Loop& loop = *program(where.first).loops[where.second].loop;
    const int most = static_cast<int>(rounds.size());
    for (const Rounds& at : rounds) {
      all.push_back(at.back() >= 1 && at.back() <= most);
      if (loop.over != sql::Loop::Over::Integers) continue;
      const Scope scope{where.first, at};
      const Term from = evaluate(scope, loop.from), to = evaluate(scope, loop.to),
                 value = variable(where.first, loop.element, at);
      all.push_back(implies(runs(where.first, where.second, at),
                            value.value >= from.value && to.value < from.value + most));
    }
  }
  return z3::mk_and(all);
}

// The rounds that are named are the first ones of their loops, and what one hands on the next one gets.
expr Encoding::handed_on() {
  z3::expr_vector all(z_);
  for (const auto& [where, rounds] : rounds_) {
    const auto [tx, id] = where;
    const sql::Loop& loop = *program(tx).loops[id].loop;
    if (loop.over == sql::Loop::Over::Integers || loop.carried.empty()) continue;
    for (const Rounds& at : rounds) {
      const Rounds outside(at.begin(), at.end() - 1);
      const expr running = runs(tx, id, at), is_first = at.back() == 1;
      expr any_before = is_first;
      for (const Rounds& before : rounds) {
        const bool same_loop = std::equal(outside.begin(), outside.end(), before.begin(),
                                          [](const expr& x, const expr& y) { return z3::eq(x, y); });
        if (!same_loop || &before == &at) continue;
        const expr follows = at.back() == before.back() + 1;
        expr goes_on = runs(tx, id, before);
        if (loop.last) goes_on = goes_on && !truth(Scope{tx, before}, loop.last).must;
        any_before = any_before || (follows && goes_on);
        for (const sql::Loop::Carried& carried : loop.carried)
          if (!carried.round.is_none())
            all.push_back(implies(running && follows, equal(variable(tx, carried.round, at),
                                                            evaluate(Scope{tx, before}, carried.next))));
      }
      all.push_back(implies(running, any_before));
      for (const sql::Loop::Carried& carried : loop.carried)
        if (!carried.round.is_none())
          all.push_back(implies(running && is_first, equal(variable(tx, carried.round, at),
                                                           evaluate(Scope{tx, outside}, carried.first))));
    }
  }
  return z3::mk_and(all);
}

// Whether the query would have given something else, had it seen what was written: the row comes or goes, or
// what the query gives of it is another value. What cannot be told is taken for noticed.
expr Encoding::notices(const Way& way) {
  const Item& reader = item_of(way.from, way.from_item);
  const sql::TableId table = way.record.table;
  if (way.kind != Dependency::Rw || reader.select == nullptr) return yes();
  const std::vector<sql::TableId>& sources = reader.select->sources;
  const std::size_t source = std::ranges::find(sources, table) - sources.begin();
  const auto& writes = footprints_[txs_[way.to].program].writes;
  const auto write = std::ranges::find_if(writes, [&](const Write& w) {
    return w.item == way.to_item && w.table == table && w.column == way.column;
  });
  if (write == writes.end()) return yes();
  const std::string tag = fmt::format("{}-{}", way.from, way.to);
  const Rounds at = rounds_for(way.from, reader.loops, tag),
               writes_at = rounds_for(way.to, item_of(way.to, way.to_item).loops, tag);
  // The row as the writer leaves it is what a view shows that nobody has.
  const std::size_t after = kNobodysView + (&way - ways_.data());
  const bool inserts = !way.column && write->alive;
  expr all = yes(), changed = no();
  for (std::size_t c = 0; c < facts_.schema()[table].columns.size(); ++c) {
    const sql::ColumnId column(c);
    if (facts_.fixed(table, column)) continue;
    const Term seen = seen_value(way.view, way.record, column), left = seen_value(after, way.record, column);
    const bool written = inserts || way.column == column;
    const Term value = written ? written_value(way.to, *write, writes_at, way.record, column) : seen;
    if (value.known) all = all && equal(left, value);
    if (way.column == column)
      for (const sql::Output& output : reader.select->outputs)
        if (output.value && mentions(output.value, sql::SourceId(source), column))
          changed = !equal(left, seen);
  }
  // Of a join: with rows of the other tables that are there.
  std::vector<Record> rows;
  for (std::size_t s = 0; s < sources.size(); ++s)
    rows.push_back(s == source ? way.record
                               : record(sources[s],
                                        fmt::format("join{}.{}.{}@{}", way.from_item, source, s, way.from),
                                        joined(at, way.record.key)));
  for (std::size_t s = 0; s < sources.size(); ++s)
    if (s != source) all = all && alive(way.view, rows[s]);
  const sql::Output* extreme_output = extreme(*reader.select);
  const auto gives = [&](std::size_t view) {
    const Scope scope{way.from, at, pointers_to(rows), view, way.from_item};
    const expr fits = truth(scope, reader.select->where).must;
    if (extreme_output == nullptr || view == way.view) return fits;
    // A minimum is another one only where the row beats it.
    const auto beats = extreme_output->aggregate == sql::Output::Aggregate::Max
                           ? sql::Expression::Kind::Greater
                           : sql::Expression::Kind::Less;
    const std::vector<Record> best = selected(way.from, way.from_item, at);
    const Term least =
                   evaluate(Scope{way.from, at, {&best[0]}, way.view, way.from_item}, extreme_output->value),
               value = evaluate(scope, extreme_output->value);
    const Truth better = compare(scope, beats, extreme_output->value->type, value, least, nullptr);
    return fits && (!found(way.from, way.from_item, at) || better.must);
  };
  const expr before = gives(way.view) && alive(way.view, way.record);
  const expr then =
      way.column ? gives(after) && alive(way.view, way.record) : (write->alive ? gives(after) : no());
  return all && (before != then || (before && then && changed));
}

std::vector<const Record*> Encoding::pointers_to(const std::vector<Record>& records) {
  std::vector<const Record*> rows;
  for (const Record& record : records) rows.push_back(&record);
  return rows;
}

expr Encoding::noticed(std::size_t cycle) {
  z3::expr_vector all(z_);
  for (std::size_t from = 0; from < cycle; ++from) {
    expr any = no();
    for (const Way& way : ways_)
      if (way.from == from && way.to == (from + 1) % cycle) any = any || (way.condition && notices(way));
    all.push_back(any);
  }
  return z3::mk_and(all);
}

void Encoding::add_serial_execution(const std::vector<std::size_t>& order) {
  std::size_t world = 1;
  for (const Tx& tx : txs_) world = std::max(world, tx.world + 1);
  for (std::size_t place = 0; place < order.size(); ++place) {
    txs_.push_back({txs_[order[place]].program, true, world, place, order[place]});
    define(txs_.size() - 1, {}, {});
  }
  // A record of each table in which the two may leave something else.
  for (std::size_t t = 0; t < facts_.schema().tables.size(); ++t)
    records_.push_back(
        record(sql::TableId(t), fmt::format("left{}.{}", world, facts_.schema().tables[t].name)));
}

// What clients get to know. A result whose values the formula does not speak of is never the same.
expr Encoding::tells_the_same(std::size_t tx, std::size_t copy) {
  expr same = yes();
  const auto alike = [&](const sql::ExpressionPtr& value, const Scope& a, const Scope& b) {
    if (!value) return no();
    const Term x = evaluate(a, value), y = evaluate(b, value);
    return x.known && y.known ? equal(x, y) : no();
  };
  for (std::size_t item = 0; item < program(tx).items.size(); ++item) {
    const Item& it = item_of(tx, item);
    const expr runs = happens(tx, item, {}), copy_runs = happens(copy, item, {});
    if (const auto* emit = it.as<sql::Emit>()) {
      same = same && runs == copy_runs;
      for (const sql::ExpressionPtr& value : emit->values)
        same = same && implies(runs, alike(value, {tx, {}}, {copy, {}}));
    }
    for (const auto* returning : {it.as<sql::Insert>() ? &it.as<sql::Insert>()->returning : nullptr,
                                  it.as<sql::Update>() ? &it.as<sql::Update>()->returning : nullptr,
                                  it.as<sql::Delete>() ? &it.as<sql::Delete>()->returning : nullptr})
      if (returning != nullptr &&
          std::ranges::any_of(*returning, [](const auto& output) { return output.into.is_none(); }))
        same = same && !runs && !copy_runs;
    if (it.select == nullptr) continue;
    const bool one_row = it.select->rows == sql::Select::Rows::First ||
                         it.select->rows == sql::Select::Rows::Strict || extreme(*it.select) != nullptr ||
                         pinned(tx, item, {}).has_value();
    for (const sql::Output& output : it.select->outputs) {
      if (!output.into.is_none()) continue;
      const expr there = found(tx, item, {}), copy_there = found(copy, item, {});
      expr equal_rows = no();
      if (one_row && it.select->sources.size() == 1) {
        const std::vector<Record> a = selected(tx, item, {}), b = selected(copy, item, {});
        equal_rows = there == copy_there &&
                     (!there || alike(output.value, {tx, {}, {&a[0]}, view_of(tx, item, {}), item},
                                      {copy, {}, {&b[0]}, view_of(copy, item, {}), item}));
      }
      same = same && runs == copy_runs && (!runs || equal_rows);
    }
  }
  return same;
}

expr Encoding::leaves_the_same(std::size_t world, const Record& r) {
  const auto everything = [&](std::size_t) { return yes(); };
  const std::string table = facts_.schema()[r.table].name;
  const auto left = [&](std::size_t in) {
    const expr alive = apply(fmt::format("alive {} finally{}", table, in), r.key, z_.bool_sort());
    if (facts_.table(r.table).presence_changes())
      require(presence_is(alive, r, events_on(r, in), everything));
    else require(alive == initially_alive(r));
    return alive;
  };
  const expr alive = left(0), copy_alive = left(world);
  expr same = alive == copy_alive;
  for (std::size_t c = 0; c < facts_.schema()[r.table].columns.size(); ++c) {
    const sql::ColumnId column(c);
    if (facts_.fixed(r.table, column)) continue;
    const auto value = [&](std::size_t in) {
      const std::string name = fmt::format("{}.{} finally{}", table, c, in);
      const Term term{apply(name, r.key, sort_of(facts_.schema()[r.table].columns[c].type)),
                      apply(name + "null", r.key, z_.bool_sort())};
      require(value_is(term, r, column, events_on(r, in), everything));
      return term;
    };
    same = same && (!alive || equal(value(0), value(world)));
  }
  return same;
}

expr Encoding::differs(std::size_t world) {
  expr any = no();
  for (std::size_t copy = 0; copy < txs_.size(); ++copy) {
    if (txs_[copy].world != world) continue;
    if (const auto failed = failed_.find(copy); failed != failed_.end()) any = any || failed->second;
    any = any || !tells_the_same(txs_[copy].twin, copy);
  }
  for (std::size_t t = 0; t < facts_.schema().tables.size(); ++t)
    any = any ||
          !leaves_the_same(world, record(sql::TableId(t),
                                         fmt::format("left{}.{}", world, facts_.schema().tables[t].name)));
  return any;
}

}  // namespace assay::analysis
