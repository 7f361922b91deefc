#include "analysis/witness.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace assay::analysis {
namespace {

using z3::expr;

// Two calls of a cycle, and the statements that make an edge between them.
using Pair = std::tuple<std::size_t, std::size_t, std::uint32_t, std::uint32_t>;
using SeenPairs = std::set<Pair>;

Pair pair_of(const Encoding& e, const Way& way) {
  return {way.from, way.to, e.item_of(way.from, way.from_item).statement->number,
          e.item_of(way.to, way.to_item).statement->number};
}

class Reader {
 public:
  Reader(Encoding& encoding, z3::model model) : e_(encoding), model_(std::move(model)) {}

  bool is(const expr& condition) { return model_.eval(condition, true).is_true(); }

  Value value(const Term& term, sql::Type type) {
    Value value{.type = type, .null = is(term.null), .text = {}};
    const expr number = model_.eval(term.value, true);
    value.text = number.is_int() ? number.to_string() : number.get_decimal_string(4);
    if (number.is_int()) value.text = plain(number);
    if (type == sql::Type::Boolean) value.text = value.text == "1" ? "true" : "false";
    if (type == sql::Type::Text || type == sql::Type::Other) value.text = text(value.text);
    if (type == sql::Type::Time) value.text = date(value.text);
    if (!value.text.empty() && value.text.back() == '?') value.text.pop_back();
    return value;
  }

  std::vector<Value> key(const Record& record) {
    const sql::Table& table = e_.facts().schema()[record.table];
    std::vector<Value> values;
    for (std::size_t c = 0; c < table.primary_key.size(); ++c)
      values.push_back(value({record.key[c], e_.z().bool_val(false)}, table[table.primary_key[c]].type));
    return values;
  }

  Call call(std::size_t tx) {
    const std::size_t program = e_.transactions()[tx].program;
    const sql::Program& text = *e_.facts().programs()[program].program;
    Call call{program, {}, e_.facts().levels().of(program)};
    for (const sql::VariableId id : text.parameters)
      call.arguments.push_back(text[id].is_set ? array(tx, id)
                                               : std::vector{value(e_.variable(tx, id, {}), text[id].type)});
    return call;
  }

  std::vector<Row> initial_rows() {
    std::vector<Row> rows;
    std::set<std::string> seen;
    for (const Record& record : e_.all_records()) {
      if (!is(e_.initially_alive(record))) continue;
      const sql::Table& table = e_.facts().schema()[record.table];
      if (table.of_locks) continue;
      std::string name = table.name;
      for (const expr& part : record.key) name += " " + model_.eval(part, true).to_string();
      if (!seen.insert(name).second) continue;
      Row row{record.table, {}};
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        row.values.push_back(value(e_.initial_value(record, sql::ColumnId(c)), table.columns[c].type));
      rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(rows, {}, [](const Row& row) { return row.table.value; });
    return rows;
  }

  // By a pair of statements that was not seen yet, if there is one; by `wanted`, if it is so.
  Edge edge(std::size_t from, std::size_t to, const SeenPairs& seen, const Way* wanted) {
    const Way* chosen = wanted;
    for (const bool any : {false, true})
      // What was overwritten says most, then what was read, and least what a read missed.
      for (const Dependency kind : {Dependency::Ww, Dependency::Wr, Dependency::Rw})
        for (const Way& way : e_.ways())
          if (chosen == nullptr && way.kind == kind && way.from == from && way.to == to &&
              (any || !seen.contains(pair_of(e_, way))) && is(way.condition))
            chosen = &way;
    ASSAY_ASSERT(chosen != nullptr);
    const sql::Statement &a = *e_.item_of(from, chosen->from_item).statement,
                         &b = *e_.item_of(to, chosen->to_item).statement;
    return {
        chosen->kind,        from,          to, a.number, b.number, a.place, b.place, chosen->record.table,
        key(chosen->record), chosen->column};
  }

  std::vector<Step> schedule(std::size_t calls);

 private:
  struct Slot {
    std::size_t slot;  // after how many commits
    std::size_t call, order;
    Step step;
  };

  std::string plain(const expr& number) {
    return number.is_numeral() ? Z3_get_numeral_string(e_.z(), number) : "0";
  }
  std::string text(const std::string& number) {
    for (const auto& [text, id] : e_.texts())
      if (std::to_string(id) == number) return text;
    return "t" + number;
  }
  static std::string date(const std::string& number) {
    using namespace std::chrono;
    const sys_days day =
        sys_days{year{2024} / 1 / 1} + days{std::strtoll(number.c_str(), nullptr, 10) % 100000};
    const year_month_day date(day);
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  }

  // Which elements of its arrays the transaction uses: all arrays get the same length, because programs that
  // walk several of them take that for granted. An element in between that nobody uses is a copy of one that
  // is used.
  std::vector<std::int64_t> used_elements(std::size_t tx) {
    const ProgramFacts& program = e_.facts().programs()[e_.transactions()[tx].program];
    std::set<std::int64_t> used;
    for (std::size_t id = 0; id < program.loops.size(); ++id) {
      const sql::Loop& loop = *program.loops[id].loop;
      if (loop.over != sql::Loop::Over::Array && loop.over != sql::Loop::Over::Integers) continue;
      for (const Rounds& at : e_.known_rounds(tx, program.loops[id].loops)) {
        if (!is(e_.runs(tx, id, at))) continue;
        const expr index =
            loop.over == sql::Loop::Over::Array ? at.back() : e_.variable(tx, loop.element, at).value;
        used.insert(std::strtoll(plain(model_.eval(index, true)).c_str(), nullptr, 10));
      }
    }
    std::erase_if(used, [](std::int64_t index) { return index < 1 || index > 20; });
    return {used.begin(), used.end()};
  }

  std::vector<Value> array(std::size_t tx, sql::VariableId id) {
    const ProgramFacts& program = e_.facts().programs()[e_.transactions()[tx].program];
    const std::vector<std::int64_t> used = used_elements(tx);
    std::vector<Value> values;
    for (std::size_t next = 0; next < used.size(); ++next)
      while (static_cast<std::int64_t>(values.size()) < used[next])
        values.push_back(
            value(e_.element(tx, id, {}, e_.z().int_val(used[next])), (*program.program)[id].type));
    return values;
  }

  Encoding& e_;
  z3::model model_;
};

// A statement runs after the commits that it sees and before those of its own past that it does not; one that
// writes as late as that allows, because until then others may hold the row.
std::vector<Step> Reader::schedule(std::size_t calls) {
  std::vector<std::size_t> order;
  for (std::size_t t = 0; t < calls; ++t) order.push_back(t);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return a != b && is(e_.before(a, b)); });
  std::vector<std::size_t> place(calls);
  for (std::size_t i = 0; i < calls; ++i) place[order[i]] = i;

  std::vector<Slot> slots;
  const std::vector<Encoding::View> views = e_.views();
  for (std::size_t t = 0; t < calls; ++t) {
    const ProgramFacts& program = e_.facts().programs()[e_.transactions()[t].program];
    const bool per_statement = e_.facts().levels().row(e_.transactions()[t].program).per_statement;
    std::size_t now = 0;
    std::set<std::uint32_t> numbers;
    for (std::size_t item = 0; item < program.items.size(); ++item) {
      const Item& it = program.items[item];
      const bool accesses =
          it.select != nullptr || !written_table(it).is_none() || it.as<sql::Opaque>() != nullptr;
      if (!accesses || (it.loops.empty() && !is(e_.happens(t, item, {}))) ||
          !numbers.insert(it.statement->number).second)
        continue;
      std::size_t earliest = now, latest = place[t];
      for (std::size_t v = 0; v < views.size(); ++v) {
        if (views[v].tx != t || (per_statement && views[v].snapshot != it.statement->snapshot)) continue;
        // Of a round that does not run nothing was seen.
        if (per_statement && !is(e_.happens(t, views[v].item, views[v].rounds))) continue;
        for (std::size_t u = 0; u < calls; ++u) {
          if (u == t) continue;
          if (is(e_.visible(u, v))) earliest = std::max(earliest, place[u] + 1);
          else if (place[u] < place[t]) latest = std::min(latest, place[u]);
        }
      }
      const bool waits = per_statement && !written_table(it).is_none();
      now = waits ? std::max(earliest, latest) : earliest;
      slots.push_back({now, t, slots.size(), {Step::Kind::Statement, t, it.statement->number}});
    }
    slots.push_back({place[t], t, slots.size() + 1000000, {Step::Kind::Commit, t}});
  }
  std::ranges::stable_sort(slots, [](const Slot& a, const Slot& b) {
    const bool commit_a = a.step.kind == Step::Kind::Commit, commit_b = b.step.kind == Step::Kind::Commit;
    return std::tuple(a.slot, commit_a, a.order) < std::tuple(b.slot, commit_b, b.order);
  });
  std::vector<Step> steps;
  for (const Slot& slot : slots) steps.push_back(slot.step);
  return steps;
}

// Numbers that fit every column type and are easy to read.
expr small_numbers(Encoding& e, std::size_t calls) {
  expr all = e.z().bool_val(true);
  for (std::size_t t = 0; t < calls; ++t) {
    const sql::Program& program = *e.facts().programs()[e.transactions()[t].program].program;
    for (const sql::VariableId id : program.parameters) {
      if (program[id].is_set) {
        const bool number = program[id].type == sql::Type::Integer || program[id].type == sql::Type::Decimal;
        for (int i = 1; number && i <= 3; ++i) {
          const expr element = e.element(t, id, {}, e.z().int_val(i)).value;
          all = all && element >= 1 && element <= 1000;
        }
        continue;
      }
      const Term value = e.variable(t, id, {});
      if (value.value.is_real() || program[id].type == sql::Type::Integer)
        all = all && (value.null || (value.value >= 1 && value.value <= 1000));
    }
  }
  for (const Record& record : e.all_records())
    for (const expr& part : record.key)
      if (part.is_int()) all = all && part >= 0 && part <= 30000;
  return all;
}

expr no_nulls(Encoding& e, std::size_t calls) {
  expr all = e.z().bool_val(true);
  for (std::size_t t = 0; t < calls; ++t) {
    const sql::Program& program = *e.facts().programs()[e.transactions()[t].program].program;
    for (const sql::VariableId id : program.parameters)
      if (!program[id].is_set) all = all && !e.variable(t, id, {}).null;
  }
  return all;
}

// Parameters that are called the same in several programs mostly mean the same: a reader has less to keep
// apart.
expr same_arguments(Encoding& e, std::size_t calls) {
  expr all = e.z().bool_val(true);
  std::map<std::pair<std::string, sql::Type>, expr> first;
  for (std::size_t t = 0; t < calls; ++t) {
    const sql::Program& program = *e.facts().programs()[e.transactions()[t].program].program;
    for (const sql::VariableId id : program.parameters) {
      if (program[id].is_set) continue;
      const expr value = e.variable(t, id, {}).value;
      const auto [same, added] = first.try_emplace({program[id].name, program[id].type}, value);
      if (!added) all = all && value == same->second;
    }
  }
  return all;
}

// Conditions that make a model a better witness. The solver is asked for each in turn, with the same
// encoding.
class WitnessReader {
 public:
  explicit WitnessReader(Encoding& e) : e_(e) {
    for (const Encoding::Tx& tx : e.transactions()) calls_ += tx.named;
    // The axioms of records that closed() names for the first time are in the solver then.
    const expr taken = e.writes_are_taken(calls_), finds = e.queries_find_rows(calls_);
    const expr closed = e.closed() && e.keeps_unique_keys() && taken, fits = e.fits_types(),
               small = small_numbers(e, calls_), same = same_arguments(e, calls_),
               given = no_nulls(e, calls_), handed_on = e.handed_on(), noticed = e.noticed(calls_);
    const expr possible = closed && fits && small, shows = noticed && handed_on;
    wishes_ = {{possible && given && same && shows && finds, true, 2},
               {possible && given && shows && finds, true, 2},
               {possible && shows && finds, true, 2},
               {possible && given && same && shows, true, 2},
               {possible && given && shows, true, 2},
               {possible && shows, true, 2},
               {closed && small && shows, true, 2},
               {possible && given && same, true, 2},
               {closed && small, true, 10},
               {closed, true, 5},
               {small, false, 5}};
    // What is added to a sum of nothing leaves it as it is: a replay would show no difference.
    const expr sums = e.aggregates_find_rows(calls_);
    if (e.facts().options().other_witnesses > 0 && !sums.simplify().is_true())
      wishes_.insert(wishes_.begin(), {wishes_[1].what && sums, true, 10});
  }

  std::vector<FoundAnomaly> run(const z3::model& model) {
    std::vector<FoundAnomaly> found;
    SeenPairs seen;
    add(found, seen, model);
    const unsigned most = e_.facts().options().cycles_per_tuple;
    add_lost_updates(found, seen, most);
    while (found.size() < most && e_.ways().size() > calls_ && !e_.facts().options().stop()) {
      e_.require(has_pair_besides(seen));
      e_.limit_search(2);
      if (e_.solver().check() != z3::sat) break;
      const std::size_t before = seen.size();
      add(found, seen, e_.solver().get_model());
      if (!found.back().complete) found.pop_back();
      if (seen.size() == before) break;
    }
    return found;
  }

 private:
  struct Wish {
    expr what;
    bool complete;
    double seconds;
  };

  // Whether the statement that overwrites makes the new value of the old one.
  bool increments(const Way& write) {
    const auto* update = e_.item_of(write.to, write.to_item).as<sql::Update>();
    return update != nullptr && std::ranges::any_of(update->sets, [&](const sql::Update::Set& set) {
             return set.column == write.column && mentions(set.value, sql::SourceId(0), set.column);
           });
  }

  // Both ways of a lost update: one read what the other overwrote, and overwrote it too.
  struct Loss {
    const Way *there, *back;
    expr condition;
    std::optional<sql::ColumnId> column{};
    bool atomic = false;
  };
  std::vector<Loss> losses() {
    std::vector<Loss> all;
    if (calls_ != 2) return all;
    const std::vector<Way>& ways = e_.ways();
    const auto overwrites = [](const Way& rw, const Way& back) {
      return rw.kind == Dependency::Rw && rw.column && back.kind != Dependency::Wr &&
             rw.column == back.column;
    };
    for (const Way& there : ways)
      for (const Way& back : ways) {
        if (there.from != 0 || there.to != 1 || back.from != 1 || back.to != 0) continue;
        if (there.record.table != back.record.table) continue;
        if (!overwrites(there, back) && !overwrites(back, there)) continue;
        const Way &rw = overwrites(there, back) ? there : back, &write = &rw == &there ? back : there;
        expr both = there.condition && back.condition;
        for (std::size_t i = 0; i < there.record.key.size(); ++i)
          both = both && there.record.key[i] == back.record.key[i];
        all.push_back({&there, &back, both, rw.column, increments(write)});
      }
    return all;
  }

  // No other cycle of the same programs may hide one, nor the loss of a column that of another. First those
  // in which what is written was made of what was read: an increment by one UPDATE is rarely lost.
  void add_lost_updates(std::vector<FoundAnomaly>& found, SeenPairs& seen, std::size_t most) {
    std::vector<Loss> left = losses();
    const auto is_known = [&](const Loss& loss) {
      return std::ranges::any_of(found, [&](const FoundAnomaly& anomaly) {
        return anomaly.name == Anomaly::LostUpdate && anomaly.cycle[0].table == loss.there->record.table &&
               std::ranges::count(anomaly.cycle, loss.column, &Edge::column) > 0;
      });
    };
    const auto is_loss = [](const FoundAnomaly& anomaly) { return anomaly.name == Anomaly::LostUpdate; };
    while (!e_.facts().options().stop()) {
      // Something else may be shown, too.
      if (found.size() + (std::ranges::any_of(found, is_loss) ? 1 : 0) >= most) return;
      std::erase_if(left, is_known);
      if (left.empty()) return;
      std::vector<Loss> wanted = left;
      std::erase_if(wanted, [](const Loss& loss) { return loss.atomic; });
      if (wanted.empty()) wanted = left;
      const std::size_t before = found.size();
      add_lost_update(found, seen, wanted);
      if (found.size() > before && std::ranges::any_of(wanted, is_known)) continue;
      std::erase_if(left, [&](const Loss& loss) { return loss.atomic == wanted[0].atomic; });
    }
  }

  void add_lost_update(std::vector<FoundAnomaly>& found, SeenPairs& seen, const std::vector<Loss>& all) {
    z3::expr_vector any(e_.z());
    for (const Loss& loss : all) any.push_back(loss.condition);
    e_.limit_search(2);
    e_.solver().push();
    e_.solver().add(z3::mk_or(any));
    if (e_.solver().check() == z3::sat) {
      losses_ = all;
      add(found, seen, e_.solver().get_model());
      losses_.clear();
      if (!found.back().complete) found.pop_back();
    }
    e_.solver().pop();
  }

  expr has_pair_besides(const SeenPairs& seen) {
    z3::expr_vector any(e_.z());
    for (const Way& way : e_.ways())
      if (way.to == (way.from + 1) % calls_ && !seen.contains(pair_of(e_, way))) any.push_back(way.condition);
    return z3::mk_or(any);
  }

  // The first wish that can be had, and as many of the others as there shall be other witnesses.
  void add(std::vector<FoundAnomaly>& found, SeenPairs& seen, const z3::model& given) {
    const std::size_t others = e_.facts().options().other_witnesses;
    std::vector<FoundAnomaly> witnesses;
    // Another cycle beside one that is there already is worth less effort.
    constexpr std::size_t kWishesOfOthers = 7;
    const std::size_t most = found.empty() ? wishes_.size() : kWishesOfOthers;
    for (std::size_t i = 0; i < most; ++i) {
      const auto& [wish, complete, seconds] = wishes_[i];
      if (!witnesses.empty() && (!complete || i >= kWishesOfOthers || witnesses.size() > others)) break;
      e_.limit_search(seconds);
      e_.solver().push();
      e_.solver().add(wish);
      if (e_.solver().check() == z3::sat) {
        FoundAnomaly witness = read(e_.solver().get_model(), complete, seen);
        // Another witness may be of another cycle.
        if (witnesses.empty() || same_pairs(witness, witnesses[0])) witnesses.push_back(std::move(witness));
      }
      e_.solver().pop();
    }
    if (witnesses.empty()) witnesses.push_back(read(given, false, seen));
    for (const Edge& edge : witnesses[0].cycle)
      seen.insert({edge.from, edge.to, edge.from_statement, edge.to_statement});
    witnesses[0].others.assign(witnesses.begin() + 1, witnesses.end());
    found.push_back(std::move(witnesses[0]));
  }

  static bool same_pairs(const FoundAnomaly& a, const FoundAnomaly& b) {
    return std::ranges::equal(a.cycle, b.cycle, [](const Edge& x, const Edge& y) {
      return x.from_statement == y.from_statement && x.to_statement == y.to_statement;
    });
  }

  FoundAnomaly read(const z3::model& model, bool complete, const SeenPairs& seen) {
    Reader reader(e_, model);
    FoundAnomaly anomaly{};
    anomaly.complete = complete;
    const auto loss = std::ranges::find_if(losses_, [&](const Loss& l) { return reader.is(l.condition); });
    for (std::size_t t = 0; t < calls_; ++t) {
      const Way* wanted = loss == losses_.end() ? nullptr : t == 0 ? loss->there : loss->back;
      anomaly.calls.push_back(reader.call(t));
      anomaly.cycle.push_back(reader.edge(t, (t + 1) % calls_, seen, wanted));
    }
    anomaly.initial_rows = reader.initial_rows();
    anomaly.schedule = reader.schedule(calls_);
    anomaly.name = name_of(e_.facts(), anomaly);
    anomaly.harm = harm_of(e_.facts(), anomaly);
    return anomaly;
  }

  Encoding& e_;
  std::size_t calls_ = 0;
  std::vector<Wish> wishes_;
  std::vector<Loss> losses_;  // while one of them is wanted
};

}  // namespace

std::vector<FoundAnomaly> read_anomalies(Encoding& e, const z3::model& model) {
  return WitnessReader(e).run(model);
}

}  // namespace assay::analysis
