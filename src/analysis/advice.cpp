#include "analysis/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

namespace assay::analysis {
namespace {

bool safe(Outcome outcome) { return outcome == Outcome::Serializable || outcome == Outcome::NoneUpToCycle; }

constexpr std::size_t kMostTries = 60;
constexpr std::size_t kLargestSet = 3;

// Every subset of `size` of the numbers below n, in order; false from `visit` ends it.
void subsets(std::size_t n, std::size_t size, std::vector<std::size_t>& chosen,
             const std::function<bool(const std::vector<std::size_t>&)>& visit, bool& going) {
  if (chosen.size() == size) {
    going = visit(chosen);
    return;
  }
  for (std::size_t next = chosen.empty() ? 0 : chosen.back() + 1; next < n && going; ++next) {
    chosen.push_back(next);
    subsets(n, size, chosen, visit, going);
    chosen.pop_back();
  }
}

void promote(sql::Block& block, const Promotion& promotion) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    sql::Statement& statement = block[i];
    if (auto* branch = std::get_if<sql::If>(&statement.what)) {
      promote(branch->then, promotion);
      promote(branch->otherwise, promotion);
    }
    auto* loop = std::get_if<sql::Loop>(&statement.what);
    if (loop != nullptr) promote(loop->body, promotion);
    sql::Select* select = std::get_if<sql::Select>(&statement.what);
    if (select == nullptr && loop != nullptr && loop->over == sql::Loop::Over::Query) select = &loop->query;
    if (select == nullptr || statement.number != promotion.statement) continue;
    if (promotion.kind == Promotion::Kind::Lock) {
      select->for_update = true;
      continue;
    }
    // Each row that was read gets the value it has. A column of the select that is written anyway says most.
    sql::Update update;
    update.table = select->sources[0];
    update.where = select->where;
    sql::ColumnId column;
    for (const sql::Output& output : select->outputs)
      if (output.value && output.value->kind == sql::Expression::Kind::Field) column = output.value->column;
    if (column.is_none()) continue;
    update.sets = {{column, sql::field(column)}};
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                 sql::Statement{update, statement.place, statement.number, statement.snapshot});
    ++i;
  }
}

const sql::Select* find_select(const sql::Program& program, std::uint32_t number) {
  const sql::Select* found = nullptr;
  sql::walk(program.body, [&](const sql::Statement& statement, std::uint32_t) {
    if (statement.number != number) return;
    if (const auto* select = std::get_if<sql::Select>(&statement.what)) found = select;
    if (const auto* loop = std::get_if<sql::Loop>(&statement.what))
      if (loop->over == sql::Loop::Over::Query) found = &loop->query;
  });
  return found;
}

class Adviser {
 public:
  Adviser(const sql::Application& application, const Levels& levels, const Options& options,
          const Analysis& analysis)
      : application_(application), levels_(levels), options_(options), anomalies_(analysis.anomalies) {}

  Advice advise() {
    update_atomically();
    raise();
    for (const Promotion::Kind kind : {Promotion::Kind::Lock, Promotion::Kind::Write})
      if (advice_.hold.empty()) hold(kind);
    unique();
    if (levels_.common == StoreLevel::Rc && levels_.of_program.empty()) exclude();
    return std::move(advice_);
  }

 private:
  bool may_try() {
    if (tries_ < kMostTries && !options_.stop()) return true;
    advice_.exhausted = false;
    return false;
  }

  // Tries all sets of growing size until some help. `touches(chosen, anomaly)`: whether the change can matter
  // to it.
  void smallest(std::size_t n,
                const std::function<bool(const std::vector<std::size_t>&, const FoundAnomaly&)>& touches,
                const std::function<Analysis(const std::vector<std::size_t>&)>& attempt,
                const std::function<void(const std::vector<std::size_t>&, Outcome)>& success) {
    std::vector<FoundAnomaly> anomalies = anomalies_;
    bool helped = false;
    tries_ = 0;
    for (std::size_t size = 1; size <= std::min(n, kLargestSet) && !helped; ++size) {
      std::vector<std::size_t> chosen;
      bool going = true;
      subsets(
          n, size, chosen,
          [&](const std::vector<std::size_t>& set) {
            if (!std::ranges::all_of(anomalies,
                                     [&](const FoundAnomaly& anomaly) { return touches(set, anomaly); }))
              return true;
            if (!may_try()) return false;
            ++tries_;
            Analysis analysis = attempt(set);
            if (safe(analysis.outcome)) {
              helped = true;
              success(set, analysis.outcome);
            }
            std::ranges::move(analysis.anomalies, std::back_inserter(anomalies));
            return true;
          },
          going);
    }
  }

  // rc, si and pg:serializable are those of PostgreSQL, whose SERIALIZABLE does not protect a transaction
  // from others that are not. Elsewhere ser is what a locking engine gives.
  void raise() {
    const bool postgres = levels_.common == StoreLevel::Rc || levels_.common == StoreLevel::Si ||
                          levels_.common == StoreLevel::PgSerializable;
    if (levels_.common == StoreLevel::Rc) raise_to(StoreLevel::Si);
    if (!advice_.raise.empty()) return;
    raise_to(postgres ? StoreLevel::PgSerializable : StoreLevel::Ser);
    if (postgres && advice_.raise.empty()) raise_all_on_cycles();
  }

  Levels raised(const std::vector<std::size_t>& programs, StoreLevel level) const {
    Levels levels = levels_;
    for (const std::size_t program : programs) {
      std::erase_if(levels.of_program, [&](const auto& pair) { return pair.first == program; });
      levels.of_program.emplace_back(program, level);
    }
    return levels;
  }

  void raise_to(StoreLevel target) {
    const std::size_t n = application_.programs.size();
    const auto touches = [&](const std::vector<std::size_t>& set, const FoundAnomaly& anomaly) {
      const auto raised = [&](const Call& call) { return std::ranges::count(set, call.program) > 0; };
      // Between snapshots and pg:serializable there is only what the server does about cycles of the latter.
      if (target == StoreLevel::PgSerializable &&
          std::ranges::none_of(anomaly.calls, [](const Call& call) { return call.level == StoreLevel::Rc; }))
        return std::ranges::all_of(anomaly.calls,
                                   [&](const Call& call) { return raised(call) || call.level == target; });
      return std::ranges::any_of(anomaly.calls,
                                 [&](const Call& call) { return raised(call) && call.level != target; });
    };
    smallest(
        n, touches, [&](const auto& set) { return analyze(application_, raised(set, target), options_); },
        [&](const auto& set, Outcome outcome) {
          advice_.raise.push_back({set, target, outcome});
        });
  }

  // A larger set: every program of an anomaly, of those that are found then, and so on.
  void raise_all_on_cycles() {
    std::vector<std::size_t> set;
    std::vector<FoundAnomaly> anomalies = anomalies_;
    for (std::size_t before = set.size() + 1; before != set.size() && may_try(); ++tries_) {
      before = set.size();
      add_programs(anomalies, set);
      const Analysis analysis = analyze(application_, raised(set, StoreLevel::PgSerializable), options_);
      if (safe(analysis.outcome)) {
        advice_.raise.push_back({set, StoreLevel::PgSerializable, analysis.outcome});
        return;
      }
      anomalies = analysis.anomalies;
    }
  }

  // Candidates are the queries that missed a write in some anomaly.
  void hold(Promotion::Kind kind) {
    std::vector<Promotion> candidates;
    for (const FoundAnomaly& anomaly : anomalies_)
      for (const Edge& edge : anomaly.cycle) {
        const std::size_t program = anomaly.calls[edge.from].program;
        const sql::Select* select = find_select(application_.programs[program], edge.from_statement);
        const bool fits = edge.kind == Dependency::Rw && select != nullptr && select->sources.size() == 1 &&
                          !select->for_update;
        const bool known = std::ranges::any_of(candidates, [&](const Promotion& p) {
          return p.program == program && p.statement == edge.from_statement;
        });
        if (fits && !known) candidates.push_back({kind, program, edge.from_statement, edge.from_place});
      }
    const auto touches = [&](const std::vector<std::size_t>& set, const FoundAnomaly& anomaly) {
      return std::ranges::any_of(set, [&](std::size_t c) {
        return std::ranges::any_of(anomaly.calls,
                                   [&](const Call& call) { return call.program == candidates[c].program; });
      });
    };
    const auto chosen = [&](const std::vector<std::size_t>& set) {
      std::vector<Promotion> promotions;
      for (const std::size_t c : set) promotions.push_back(candidates[c]);
      return promotions;
    };
    smallest(
        candidates.size(), touches,
        [&](const auto& set) { return analyze(promoted(application_, chosen(set)), levels_, options_); },
        [&](const auto& set, Outcome outcome) {
          advice_.hold.push_back({chosen(set), outcome});
        });
  }

  void update_atomically() {
    std::vector<AtomicUpdate> candidates;
    std::vector<std::size_t> programs;
    add_programs(anomalies_, programs);
    for (const std::size_t program : programs)
      std::ranges::move(atomic_updates(application_, program), std::back_inserter(candidates));
    const auto chosen = [&](const std::vector<std::size_t>& set) {
      std::vector<AtomicUpdate> updates;
      for (const std::size_t c : set) updates.push_back(candidates[c]);
      return updates;
    };
    const auto touches = [&](const std::vector<std::size_t>& set, const FoundAnomaly& anomaly) {
      return made_atomic(application_, chosen(set)) && std::ranges::any_of(set, [&](std::size_t c) {
               return std::ranges::any_of(
                   anomaly.calls, [&](const Call& call) { return call.program == candidates[c].program; });
             });
    };
    smallest(
        candidates.size(), touches,
        [&](const auto& set) { return analyze(*made_atomic(application_, chosen(set)), levels_, options_); },
        [&](const auto& set, Outcome outcome) {
          advice_.atomic.push_back({chosen(set), *made_atomic(application_, chosen(set)), outcome});
        });
  }

  // Columns that a query compares with values, where it missed a row that came or went.
  void unique() {
    tries_ = 0;
    for (const FoundAnomaly& anomaly : anomalies_)
      for (const Edge& edge : anomaly.cycle) {
        const sql::Program& program = application_.programs[anomaly.calls[edge.from].program];
        const sql::Select* select = find_select(program, edge.from_statement);
        if (edge.kind != Dependency::Rw || edge.column || select == nullptr ||
            select->sources != std::vector{edge.table})
          continue;
        const std::vector<sql::ColumnId> columns = compared_columns(select->where);
        const sql::Table& table = application_.schema[edge.table];
        const auto tried = [&](const auto& known) {
          return known.table == edge.table && known.columns == columns;
        };
        if (columns.empty() || columns == table.primary_key || std::ranges::count(table.unique, columns) ||
            std::ranges::any_of(advice_.unique, tried) || !may_try())
          continue;
        ++tries_;
        sql::Application changed = application_;
        changed.schema.tables[edge.table.index()].unique.push_back(columns);
        const Outcome outcome = analyze(changed, levels_, options_).outcome;
        if (safe(outcome)) advice_.unique.push_back({edge.table, columns, outcome});
      }
  }

  static std::vector<sql::ColumnId> compared_columns(const sql::ExpressionPtr& where) {
    using Kind = sql::Expression::Kind;
    std::vector<sql::ColumnId> columns;
    if (!where) return columns;
    if (where->kind == Kind::And)
      for (const sql::ExpressionPtr& part : where->kids) {
        const auto more = compared_columns(part);
        columns.insert(columns.end(), more.begin(), more.end());
      }
    if (where->kind == Kind::Equal && where->kids[0]->kind == Kind::Field &&
        where->kids[1]->kind != Kind::Field)
      columns.push_back(where->kids[0]->column);
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
  }

  void exclude() {
    tries_ = 0;
    std::vector<std::size_t> set;
    std::vector<FoundAnomaly> anomalies = anomalies_;
    for (std::size_t before = set.size() + 1; before != set.size() && may_try(); ++tries_) {
      before = set.size();
      add_programs(anomalies, set);
      const Analysis analysis = analyze(excluding_each_other(application_, set), levels_, options_);
      if (safe(analysis.outcome)) advice_.exclusion = {set, analysis.outcome};
      if (safe(analysis.outcome)) return;
      anomalies = analysis.anomalies;
    }
  }

  static void add_programs(const std::vector<FoundAnomaly>& anomalies, std::vector<std::size_t>& set) {
    for (const FoundAnomaly& anomaly : anomalies)
      for (const Call& call : anomaly.calls)
        if (!std::ranges::count(set, call.program)) set.push_back(call.program);
    std::ranges::sort(set);
  }

  const sql::Application& application_;
  const Levels& levels_;
  const Options& options_;
  const std::vector<FoundAnomaly>& anomalies_;
  std::size_t tries_ = 0;
  Advice advice_;
};

}  // namespace

std::vector<LevelAnswer> analyze_all_levels(const sql::Application& application, const Options& given) {
  Options options = given;
  options.prove = true;
  std::vector<LevelAnswer> answers;
  for (const StoreLevelRow& level : store_levels()) {
    const auto safe_before = std::ranges::find_if(answers, [&](const LevelAnswer& answer) {
      return answer.analysis.outcome == Outcome::Serializable && implies(level.level, answer.level);
    });
    if (safe_before != answers.end()) {
      Analysis analysis = safe_before->analysis;
      analysis.notes.push_back(fmt::format("follows from {}", id(safe_before->level)));
      answers.push_back({level.level, std::move(analysis), 0});
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    answers.push_back({level.level, analyze(application, Levels{.common = level.level}, options)});
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    answers.back().seconds = spent.count();
  }
  return answers;
}

WeakestLevels weakest_levels(const std::vector<LevelAnswer>& answers) {
  WeakestLevels weakest;
  for (const LevelAnswer& answer : answers) {
    if (answer.analysis.outcome == Outcome::Serializable) {
      weakest.proved = answer.level;
      break;
    }
    if (answer.analysis.outcome == Outcome::NoneUpToCycle && !weakest.unproved) {
      weakest.unproved = answer.level;
      weakest.up_to = answer.analysis.cycle;
    }
  }
  return weakest;
}

sql::Application excluding_each_other(const sql::Application& application,
                                      const std::vector<std::size_t>& programs) {
  sql::Application changed = application;
  if (!changed.schema.find(sql::kLocksOfNumbers)) sql::add_tables_of_locks(changed.schema);
  sql::Select lock{.sources = {*changed.schema.find(sql::kLocksOfNumbers)}, .for_update = true};
  lock.where = sql::make(sql::Expression::Kind::Equal, {sql::field(sql::ColumnId(0)), sql::constant(1)});
  for (const std::size_t p : programs) {
    sql::Program& program = changed.programs[p];
    program.body.insert(program.body.begin(), sql::Statement{lock, program.place});
  }
  return changed;
}

sql::Application promoted(const sql::Application& application, const std::vector<Promotion>& promotions) {
  sql::Application changed = application;
  for (const Promotion& promotion : promotions) promote(changed.programs[promotion.program].body, promotion);
  return changed;
}

Advice advise(const sql::Application& application, const Levels& levels, const Options& options,
              const Analysis& analysis) {
  return Adviser(application, levels, options, analysis).advise();
}

}  // namespace assay::analysis
