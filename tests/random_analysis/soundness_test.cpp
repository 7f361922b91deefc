// Random programs are executed, at each level, by a store that does what the level allows and no more; an
// execution that no serial order explains must be covered by an anomaly that the analysis reports.
//
// The judge knows nothing of dependencies: it runs the transactions one after another in every order and
// compares what they read and what they leave. The store picks, for each transaction in the order of
// arbitration, what it sees (at rc: each statement), and throws it out when it overwrites what it may not.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <set>

#include "analysis/subjects.h"
#include "base/random.h"
#include "support/random.h"

namespace assay::analysis {
namespace {

using sql::ExpressionPtr;
using Kind = sql::Expression::Kind;
using Number = std::optional<std::int64_t>;  // none: NULL
using RowKey = std::pair<std::uint32_t, std::int64_t>;

constexpr std::size_t kColumns = 3;  // of every table: k, a, b
constexpr std::int64_t kKeys = 2;

// A version of some fields of a row; fields that are not set keep what they were.
struct Change {
  std::optional<bool> alive;
  std::array<std::optional<Number>, kColumns> fields;
};
using State = std::map<RowKey, Change>;

void overwrite(State& state, const State& changes) {
  for (const auto& [row, change] : changes) {
    Change& old = state[row];
    if (change.alive) old.alive = change.alive;
    for (std::size_t c = 0; c < kColumns; ++c)
      if (change.fields[c]) old.fields[c] = change.fields[c];
  }
}

struct Invocation {
  const sql::Program* program;
  std::vector<std::int64_t> arguments;
};

struct Run {
  bool aborted = false;
  State writes;
  std::vector<Number> outputs;
};

// Runs a program; `view(statement)` is the committed state that a statement sees.
class Interpreter {
 public:
  Interpreter(const Invocation& invocation, std::function<State(std::size_t)> view,
              std::function<bool(std::size_t, RowKey)> may_write)
      : view_(std::move(view)),
        may_write_(std::move(may_write)),
        variables_(invocation.program->variables.size()) {
    for (std::size_t p = 0; p < invocation.arguments.size(); ++p)
      variables_[invocation.program->parameters[p].index()] = invocation.arguments[p];
    block(invocation.program->body);
  }
  Run result() { return std::move(run_); }

 private:
  Number value(const ExpressionPtr& e, const RowKey* row) {
    switch (e->kind) {
      case Kind::Constant: return std::stoll(e->text);
      case Kind::Variable: return variables_[e->variable.index()];
      case Kind::Field: return *state_.at(*row).fields[e->column.index()];
      case Kind::Add: {
        const Number a = value(e->kids[0], row), b = value(e->kids[1], row);
        return a && b ? Number(*a + *b) : Number();
      }
      default: ADD_FAILURE() << "not generated"; return {};
    }
  }
  bool is_true(const ExpressionPtr& e, const RowKey* row) {
    if (!e) return true;
    const auto a = [&] { return value(e->kids[0], row); };
    const auto b = [&] { return value(e->kids[1], row); };
    switch (e->kind) {
      case Kind::And: return std::ranges::all_of(e->kids, [&](const auto& kid) { return is_true(kid, row); });
      case Kind::Or: return std::ranges::any_of(e->kids, [&](const auto& kid) { return is_true(kid, row); });
      case Kind::Equal: return a() && b() && *a() == *b();
      case Kind::Less: return a() && b() && *a() < *b();
      case Kind::Not: {  // of a comparison
        const auto& kid = e->kids[0];
        return value(kid->kids[0], row) && value(kid->kids[1], row) && !is_true(kid, row);
      }
      default: ADD_FAILURE() << "not generated"; return false;
    }
  }
  std::vector<RowKey> matching(sql::TableId table, const ExpressionPtr& where) {
    std::vector<RowKey> rows;
    for (const auto& [row, change] : state_)
      if (row.first == table.value && change.alive.value_or(false) && is_true(where, &row))
        rows.push_back(row);
    return rows;
  }
  void write(RowKey row, const Change& change) {
    if (!may_write_(statement_, row)) run_.aborted = true;
    overwrite(run_.writes, {{row, change}});
    overwrite(state_, {{row, change}});
  }

  void block(const sql::Block& statements) {
    for (const sql::Statement& statement : statements) {
      if (run_.aborted) return;
      if (const auto* branch = std::get_if<sql::If>(&statement.what)) {
        block(is_true(branch->condition, nullptr) ? branch->then : branch->otherwise);
        continue;
      }
      statement_ = count_++;
      state_ = view_(statement_);
      overwrite(state_, run_.writes);
      execute(statement);
    }
  }

  void execute(const sql::Statement& statement) {
    if (const auto* select = std::get_if<sql::Select>(&statement.what)) {
      const auto rows = matching(select->sources[0], select->where);
      Number result;
      for (const sql::Output& output : select->outputs) {
        using Aggregate = sql::Output::Aggregate;
        if (output.aggregate == Aggregate::Count) result = static_cast<std::int64_t>(rows.size());
        for (const RowKey& row : rows) {
          if (output.aggregate == Aggregate::Count) continue;
          const Number v = value(output.value, &row);
          if (!v) continue;
          const bool better = !result || (output.aggregate == Aggregate::Max ? *v > *result : *v < *result);
          if (better) result = v;
        }
        variables_[output.into.index()] = result;
      }
      run_.outputs.push_back(result);
    } else if (const auto* insert = std::get_if<sql::Insert>(&statement.what)) {
      const RowKey row{insert->table.value, *value(insert->values[0], nullptr)};
      if (state_.contains(row) && state_[row].alive.value_or(false)) {
        run_.aborted = true;
        return;
      }
      Change change{.alive = true, .fields = {}};
      for (std::size_t c = 0; c < kColumns; ++c) change.fields[c] = value(insert->values[c], nullptr);
      write(row, change);
    } else if (const auto* update = std::get_if<sql::Update>(&statement.what)) {
      for (const RowKey& row : matching(update->table, update->where)) {
        Change change;
        for (const auto& set : update->sets) change.fields[set.column.index()] = value(set.value, &row);
        write(row, change);
      }
    } else if (const auto* deletion = std::get_if<sql::Delete>(&statement.what)) {
      for (const RowKey& row : matching(deletion->table, deletion->where))
        write(row, Change{.alive = false, .fields = {}});
    }
  }

  std::function<State(std::size_t)> view_;
  std::function<bool(std::size_t, RowKey)> may_write_;
  std::vector<Number> variables_;
  State state_;
  std::size_t statement_ = 0, count_ = 0;
  Run run_;
};

// What is left, as far as anybody can see.
std::vector<std::pair<RowKey, std::array<Number, kColumns>>> visible_rows(const State& state) {
  std::vector<std::pair<RowKey, std::array<Number, kColumns>>> rows;
  for (const auto& [row, change] : state) {
    if (!change.alive.value_or(false)) continue;
    std::array<Number, kColumns> fields;
    for (std::size_t c = 0; c < kColumns; ++c) fields[c] = change.fields[c].value_or(Number());
    rows.emplace_back(row, fields);
  }
  return rows;
}

bool explained_serially(const State& initial, const std::vector<Invocation>& calls,
                        const std::vector<Run>& runs) {
  State left = initial;
  for (const Run& run : runs) overwrite(left, run.writes);
  std::vector<std::size_t> order(calls.size());
  std::iota(order.begin(), order.end(), 0);
  do {
    State state = initial;
    bool same = true;
    for (const std::size_t i : order) {
      const Run run =
          Interpreter(
              calls[i], [&](std::size_t) { return state; }, [](std::size_t, RowKey) { return true; })
              .result();
      same &= !run.aborted && run.outputs == runs[i].outputs;
      overwrite(state, run.writes);
    }
    if (same && visible_rows(state) == visible_rows(left)) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

class Store {
 public:
  Store(State initial, StoreLevel level, Random& random)
      : initial_(std::move(initial)), level_(row(level)), random_(random) {}

  // False when the level does not let it commit.
  bool run(const Invocation& call) {
    const std::size_t n = runs_.size();
    std::vector<std::set<std::size_t>> seen;  // per statement
    const auto sees = [&](std::size_t statement) -> const std::set<std::size_t>& {
      while (seen.size() <= statement)
        seen.push_back(seen.empty() ? first_view(n) : next_view(seen.back(), n));
      return seen[statement];
    };
    const auto view = [&](std::size_t statement) {
      State state = initial_;
      for (const std::size_t i : sees(statement)) overwrite(state, runs_[i].writes);
      return state;
    };
    const auto may_write = [&](std::size_t statement, RowKey row) {
      if (!level_.no_conflict && !level_.per_statement) return true;
      for (std::size_t i = 0; i < n; ++i)
        if (runs_[i].writes.contains(row) && !sees(statement).contains(i)) return false;
      return true;
    };
    Run run = Interpreter(call, view, may_write).result();
    if (run.aborted) return false;
    sees(0);
    views_.push_back(seen[0]);
    runs_.push_back(std::move(run));
    return true;
  }
  const std::vector<Run>& runs() const { return runs_; }

 private:
  std::set<std::size_t> first_view(std::size_t n) {
    std::set<std::size_t> seen;
    if (level_.total) return prefix(n);
    if (level_.prefix || level_.per_statement) return prefix(random_.below(n + 1));
    for (std::size_t i = 0; i < n; ++i)
      if (random_.chance(0.5)) {
        seen.insert(i);
        if (level_.causal) seen.insert(views_[i].begin(), views_[i].end());
      }
    return seen;
  }
  std::set<std::size_t> next_view(const std::set<std::size_t>& before, std::size_t n) {
    return level_.per_statement ? prefix(before.size() + random_.below(n - before.size() + 1)) : before;
  }
  static std::set<std::size_t> prefix(std::size_t n) {
    std::set<std::size_t> all;
    for (std::size_t i = 0; i < n; ++i) all.insert(i);
    return all;
  }

  State initial_;
  const StoreLevelRow& level_;
  Random& random_;
  std::vector<Run> runs_;
  std::vector<std::set<std::size_t>> views_;
};

class Programs {
 public:
  Programs(const sql::Schema& schema, Random& random) : schema_(schema), random_(random) {}

  sql::Program program(std::string name) {
    ProgramText text(schema_, std::move(name));
    text_ = &text;
    values_ = {text.parameter("p"), text.parameter("q"), sql::constant(1), sql::constant(2)};
    const std::size_t statements = 1 + random_.below(3);
    for (std::size_t s = 0; s < statements; ++s) {
      const bool guarded = random_.chance(0.25);
      if (guarded)
        text.builder().begin_if(random_.chance(0.5) ? less(pick(), pick())
                                                    : sql::make(Kind::Equal, {pick(), pick()}));
      statement();
      if (guarded) text.builder().end();
    }
    return text.finish();
  }

 private:
  ExpressionPtr pick() { return values_[random_.below(values_.size())]; }
  std::string table() { return random_.chance(0.7) ? "t" : "u"; }
  std::string column() { return random_.chance(0.5) ? "a" : "b"; }
  ExpressionPtr where(const std::string& table) {
    if (random_.chance(0.6)) return text_->is(table, "k", pick());
    const ExpressionPtr on_value = random_.chance(0.5) ? text_->is(table, column(), pick())
                                                       : less(text_->field(table, column()), pick());
    if (random_.chance(0.3)) return sql::make(Kind::Not, {on_value});
    return random_.chance(0.5) ? on_value
                               : sql::make(Kind::And, {on_value, less(text_->field(table, "k"), pick())});
  }
  void statement() {
    const std::string on = table();
    using Aggregate = sql::Output::Aggregate;
    switch (random_.below(8)) {
      case 0:
      case 1:
        values_.push_back(text_->select(on, column(), text_->is(on, "k", values_[random_.below(4)])));
        break;
      case 2:
        text_->aggregate(random_.chance(0.5) ? Aggregate::Max : Aggregate::Min, on,
                         random_.chance(0.5) ? "k" : column(), where(on));
        break;
      case 3: text_->aggregate(Aggregate::Count, on, "", where(on)); break;
      case 4:
      case 5: {
        const std::string target = column();
        text_->update(on, target,
                      random_.chance(0.5) ? add(text_->field(on, column()), sql::constant(1)) : pick(),
                      where(on));
        break;
      }
      case 6: text_->insert(on, {values_[random_.below(4)], pick(), pick()}); break;
      default: text_->remove(on, where(on)); break;
    }
  }

  const sql::Schema& schema_;
  Random& random_;
  ProgramText* text_ = nullptr;
  std::vector<ExpressionPtr> values_;
};

// In all tables, or only in those that no program inserts into.
State some_rows(Random& random, const sql::Application& application, bool everywhere) {
  State state;
  std::set<std::uint32_t> inserted;
  for (const sql::Program& program : application.programs)
    sql::walk(program.body, [&](const sql::Statement& statement, std::uint32_t) {
      if (const auto* insert = std::get_if<sql::Insert>(&statement.what))
        inserted.insert(insert->table.value);
    });
  for (std::uint32_t table = 0; table < 2; ++table)
    for (std::int64_t key = 1; key <= kKeys; ++key)
      if (random.chance(0.7) && (everywhere || !inserted.contains(table)))
        state[{table, key}] = {.alive = true,
                               .fields = {Number(key), Number(random.below(3)), Number(random.below(3))}};
  return state;
}

TEST(Soundness, EveryExecutionThatNoSerialOrderExplainsIsCoveredByAnAnomaly) {
  const std::uint64_t seed = test::suite_seed("analysis soundness");
  std::size_t unexplained = 0, runs = 0;
  for (std::size_t round = 0; round < test::scaled(400, 6); ++round) {
    Random random(seed + round);
    sql::Application application;
    application.schema.tables = {table("t", {"k", "a", "b"}), table("u", {"k", "a", "b"})};
    Programs programs(application.schema, random);
    for (const char* name : {"P0", "P1", "P2"}) application.programs.push_back(programs.program(name));
    const bool everywhere = random.chance(0.5);
    for (const StoreLevelRow& level : store_levels()) {
      std::optional<Analysis> analysis;  // once somebody needs it
      for (std::size_t execution = 0; execution < 300; ++execution) {
        State initial = some_rows(random, application, everywhere);
        const auto some_call = [&](std::size_t program) {
          const auto argument = [&] { return 1 + static_cast<std::int64_t>(random.below(kKeys)); };
          return Invocation{&application.programs[program], {argument(), argument()}};
        };
        for (std::size_t earlier = everywhere ? 0 : random.below(5); earlier > 0; --earlier) {
          const auto run = Interpreter(
                               some_call(random.below(3)), [&](std::size_t) { return initial; },
                               [](std::size_t, RowKey) { return true; })
                               .result();
          if (!run.aborted) overwrite(initial, run.writes);
        }
        Store store(initial, level.level, random);
        std::vector<Invocation> calls;
        std::multiset<std::size_t> used;
        while (store.runs().size() < 3) {
          const std::size_t program = random.below(3);
          const Invocation call = some_call(program);
          if (!store.run(call)) break;
          calls.push_back(call);
          used.insert(program);
        }
        ++runs;
        if (calls.size() < 2 || explained_serially(initial, calls, store.runs())) continue;
        ++unexplained;
        if (!analysis) {
          Options options;
          options.cycle = 3;
          options.all_lengths = true;
          options.initial_rows = everywhere ? InitialRows::Any : InitialRows::FromPrograms;
          analysis = analyze(application, Levels{.common = level.level}, options);
          ASSERT_EQ(analysis->undecided_queries, 0u);
          // Proofs that look at fewer transactions than the cycle may have.
          for (const ProofScheme scheme :
               {ProofScheme::Inductive, ProofScheme::ShortestPath, ProofScheme::Window}) {
            Options proving = options;
            proving.cycle = proving.longest_path = 2;
            proving.prove = true;
            proving.scheme = scheme;
            ASSERT_NE(analyze(application, Levels{.common = level.level}, proving).outcome,
                      Outcome::Serializable)
                << "round " << round << " level " << level.id << " scheme " << static_cast<int>(scheme);
          }
        }
        const bool covered = std::ranges::any_of(analysis->anomalies, [&](const FoundAnomaly& anomaly) {
          std::multiset<std::size_t> on_cycle;
          for (const Call& call : anomaly.calls) on_cycle.insert(call.program);
          return std::ranges::includes(used, on_cycle);
        });
        ASSERT_TRUE(covered) << "round " << round << " level " << level.id << " programs "
                             << testing::PrintToString(used);
      }
    }
  }
  EXPECT_GT(unexplained, 0u);
  std::cout << unexplained << " of " << runs << " executions were not serializable\n";
}

}  // namespace
}  // namespace assay::analysis
