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
  std::set<std::string> seen;
  std::erase_if(all, [&](const Record& r) {
    std::string name = fmt::format("{}", r.table.value);
    for (const expr& key : r.key) name += fmt::format(" {}", Z3_get_ast_id(z_, key));
    return !seen.insert(name).second;
  });
  return all;
}

// What a write makes of the column; not known when the formula cannot say.
Term Encoding::written_value(std::size_t tx, const Write& write, const Rounds& at, const Record& record,
                             sql::ColumnId column) {
  const Item& item = item_of(tx, write.item);
  const Scope scope{tx, at, {&record}, view_of(tx, write.item, at), write.item};
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

expr Encoding::closed() {
  expr all = yes();
  struct Event {
    std::size_t tx;
    const Write* write;
    expr happens;
    Rounds at;
  };
  const std::size_t views = views_.size();
  for (const Record& r : all_records()) {
    std::vector<Event> events;
    for (std::size_t tx = 0; tx < txs_.size() && txs_[tx].named; ++tx)
      for (const Write& write : footprints_[txs_[tx].program].writes)
        if (write.table == r.table)
          for (const Rounds& at : known_rounds(tx, item_of(tx, write.item).loops))
            events.push_back({tx, &write, writes(tx, write, at, r), at});
    // The last of the events that a view shows, of those that `concern` the field, decides; without any, the
    // beginning.
    const auto last = [&](std::size_t view, auto&& concern, auto&& says, const expr& initially) {
      expr none = yes();
      for (const Event& a : events) {
        if (!concern(a) || a.tx == views_[view].tx) continue;
        const expr shown = a.happens && visible(a.tx, view);
        none = none && !shown;
        expr is_last = shown;
        for (const Event& b : events)
          if (concern(b) && b.tx != a.tx && b.tx != views_[view].tx)
            is_last = is_last && !(b.happens && visible(b.tx, view) && before(a.tx, b.tx));
        all = all && implies(is_last, says(a));
      }
      all = all && implies(none, initially);
    };
    for (std::size_t view = 0; view < views; ++view) {
      if (!txs_[views_[view].tx].named) continue;
      if (facts_.table(r.table).presence_changes())
        last(
            view, [](const Event& e) { return !e.write->column; },
            [&](const Event& e) { return alive(view, r) == z_.bool_val(e.write->alive); },
            alive(view, r) == initially_alive(r));
      for (std::size_t c = 0; c < facts_.schema()[r.table].columns.size(); ++c) {
        const sql::ColumnId column(c);
        if (facts_.fixed(r.table, column)) continue;
        const Term seen = seen_value(view, r, column);
        last(
            view,
            [&](const Event& e) { return e.write->column == column || (!e.write->column && e.write->alive); },
            [&](const Event& e) {
              const Term value = written_value(e.tx, *e.write, e.at, r, column);
              return value.known ? equal(seen, value) : yes();
            },
            equal(seen, initial_value(r, column)));
      }
    }
  }
  // Whoever inserted rows before did so before everything.
  for (std::size_t view = 0; view < views; ++view)
    for (std::size_t tx = 0; tx < txs_.size(); ++tx)
      if (!txs_[tx].named && txs_[views_[view].tx].named) all = all && visible(tx, view);
  for (const auto& [where, rounds] : rounds_) {
    const sql::Loop& loop = *program(where.first).loops[where.second].loop;
    const int most = static_cast<int>(rounds.size());
    for (const Rounds& at : rounds) {
      all = all && at.back() >= 1 && at.back() <= most;
      if (loop.over != sql::Loop::Over::Integers) continue;
      const Scope scope{where.first, at};
      const Term from = evaluate(scope, loop.from), to = evaluate(scope, loop.to),
                 value = variable(where.first, loop.element, at);
      all = all && implies(runs(where.first, where.second, at),
                           value.value >= from.value && to.value < from.value + most);
    }
  }
  return all;
}

}  // namespace assay::analysis
