#include "analysis_report/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis_report/baseline.h"
#include "sql/print.h"

namespace assay::analysis_report {
namespace {

const sql::Program& program_of(const AnalysisView& view, std::size_t program) {
  return view.application->programs[program];
}

std::string names_of_programs(const AnalysisView& view, const std::vector<std::size_t>& programs) {
  std::string text;
  for (const std::size_t program : programs)
    text += (text.empty() ? "" : ", ") + program_of(view, program).name;
  return text;
}

sql::TableId table_of_statement(const sql::Statement& statement) {
  if (const auto* insert = std::get_if<sql::Insert>(&statement.what)) return insert->table;
  if (const auto* update = std::get_if<sql::Update>(&statement.what)) return update->table;
  if (const auto* erase = std::get_if<sql::Delete>(&statement.what)) return erase->table;
  return {};
}

bool touches(const sql::Statement& statement, sql::TableId table) {
  if (const auto* select = std::get_if<sql::Select>(&statement.what))
    return std::ranges::find(select->sources, table) != select->sources.end();
  if (const auto* loop = std::get_if<sql::Loop>(&statement.what))
    return std::ranges::find(loop->query.sources, table) != loop->query.sources.end();
  return table_of_statement(statement) == table;
}

std::string_view verified_text(analysis::Outcome outcome) {
  if (outcome == analysis::Outcome::Serializable) return "then serializable, proved";
  return outcome == analysis::Outcome::NoneUpToCycle ? "then no anomaly is found, not proved"
                                                     : "not verified";
}

}  // namespace

std::string_view word(analysis::Outcome outcome) {
  constexpr std::string_view words[] = {"anomaly", "none", "serializable", "undecided"};
  return words[static_cast<std::size_t>(outcome)];
}

std::string verdict_text(const LevelResult& result) {
  const analysis::Analysis& a = result.analysis;
  switch (a.outcome) {
    case analysis::Outcome::AnomalyFound:
      return fmt::format("{} {} found{}", a.anomalies.size(),
                         a.anomalies.size() == 1 ? "anomaly" : "anomalies",
                         result.known.empty() ? "" : fmt::format(", {} of them new", new_anomalies(result)));
    case analysis::Outcome::NoneUpToCycle:
      return fmt::format("no anomaly with up to {} transactions (not proved)", a.cycle);
    case analysis::Outcome::Serializable: return "serializable for any number of transactions (proved)";
    case analysis::Outcome::NotDecided: break;
  }
  return "not decided";
}

std::string harm_words(analysis::Harm harm) {
  constexpr std::string_view words[] = {"a change is lost",
                                        "all of these write: what their checks found may not hold afterwards",
                                        "one of these only reads: it may see what no serial execution shows"};
  return std::string(words[static_cast<std::size_t>(harm)]);
}

std::string programs_text(const AnalysisView& view, const analysis::FoundAnomaly& anomaly) {
  std::vector<std::string> names;
  for (const analysis::Call& call : anomaly.calls) names.push_back(program_of(view, call.program).name);
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string group_heading(const AnalysisView& view, const LevelResult& result, std::size_t number) {
  const auto& all = result.analysis.anomalies;
  const std::string programs = programs_text(view, all[number]);
  if (number > 0 && programs_text(view, all[number - 1]) == programs) return {};
  const auto count = std::ranges::count_if(
      all, [&](const analysis::FoundAnomaly& other) { return programs_text(view, other) == programs; });
  return count > 1 ? fmt::format("{} cycles of {}", count, programs) : std::string();
}

std::string spelled(const analysis::Value& value) {
  if (value.null) return "NULL";
  const bool plain = value.type == sql::Type::Integer || value.type == sql::Type::Decimal ||
                     value.type == sql::Type::Boolean;
  return plain ? value.text : sql::quoted(value.text);
}

std::string call_text(const AnalysisView& view, const analysis::Call& call) {
  const sql::Program& program = program_of(view, call.program);
  std::string text;
  for (std::size_t i = 0; i < program.parameters.size() && i < call.arguments.size(); ++i) {
    const sql::Variable& parameter = program[program.parameters[i]];
    std::string value;
    for (const analysis::Value& element : call.arguments[i])
      value += (value.empty() ? "" : ", ") + spelled(element);
    text += fmt::format("{}{} => {}", text.empty() ? "" : ", ", parameter.name,
                        parameter.is_set ? "ARRAY[" + value + "]" : value);
  }
  return fmt::format("{}({})", program.name, text);
}

std::string row_text(const AnalysisView& view, const analysis::Row& row) {
  const sql::Table& table = view.application->schema[row.table];
  std::string text;
  for (std::size_t i = 0; i < row.values.size(); ++i)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", table.columns[i].name, spelled(row.values[i]));
  return fmt::format("{}({})", table.name, text);
}

std::string cell_text(const AnalysisView& view, const analysis::Edge& edge) {
  const sql::Table& table = view.application->schema[edge.table];
  std::string key;
  for (const analysis::Value& value : edge.key) key += (key.empty() ? "" : ", ") + spelled(value);
  if (!edge.column) return fmt::format("whether {}({}) exists", table.name, key);
  return fmt::format("{}({}).{}", table.name, key, table[*edge.column].name);
}

std::string edge_words(const analysis::Edge& edge) {
  constexpr std::string_view words[] = {"writes what the next reads", "reads before the next writes",
                                        "writes before the next writes"};
  return std::string(words[static_cast<std::size_t>(edge.kind)]);
}

std::string statement_text(const AnalysisView& view, std::size_t program, std::uint32_t number,
                           sql::TableId table, bool changes) {
  const sql::Program& text = program_of(view, program);
  std::string found, other;
  bool found_change = false;
  bool found_lock =
      false;  // the locking query by which an UPDATE or DELETE finds its rows: not what the user wrote
  sql::walk(text.body, [&](const sql::Statement& statement, std::uint32_t) {
    if (statement.number != number || found_change || (!found.empty() && !changes && !found_lock)) return;
    const bool change = std::holds_alternative<sql::Insert>(statement.what) ||
                        std::holds_alternative<sql::Update>(statement.what) ||
                        std::holds_alternative<sql::Delete>(statement.what);
    if (!found.empty() && !change) return;
    const auto* loop = std::get_if<sql::Loop>(&statement.what);
    const bool query = loop && loop->over == sql::Loop::Over::Query;
    const std::string spelling =
        query ? sql::to_sql(loop->query, view.application->schema, sql::names_of(text)).text
              : sql::to_sql(statement, view.application->schema, sql::names_of(text)).text;
    if (touches(statement, table))
      found = spelling, found_change = change, found_lock = query && loop->query.for_update;
    else if (other.empty()) other = spelling;
    if (const auto* opaque = std::get_if<sql::Opaque>(&statement.what); opaque && other.empty())
      other = opaque->what;
  });
  return found.empty() ? other : found;
}

std::string statement_text(const AnalysisView& view, const analysis::FoundAnomaly& found,
                           const analysis::Edge& edge, std::size_t call) {
  const bool first = call == edge.from;
  const bool changes = edge.kind != (first ? analysis::Dependency::Rw : analysis::Dependency::Wr);
  return statement_text(view, found.calls[call].program, first ? edge.from_statement : edge.to_statement,
                        edge.table, changes);
}

std::string weakest_text(const AnalysisView& view) {
  const analysis::WeakestLevels& weakest = view.weakest;
  std::string text = weakest.proved ? fmt::format("{} (proved)", analysis::id(*weakest.proved))
                                    : std::string("none of these was proved");
  if (weakest.unproved)
    text += fmt::format("; {} has no anomaly with up to {} transactions (not proved)",
                        analysis::id(*weakest.unproved), weakest.up_to);
  return text;
}

std::vector<std::string> proof_text(const AnalysisView& view, const analysis::Proof& proof) {
  std::vector<std::string> lines;
  if (proof.kind == analysis::Proof::Kind::NoDependencies)
    lines.push_back(proof.excluded.empty() ? "no transaction depends on another"
                                           : "only these programs can form a cycle of dependencies");
  if (proof.kind == analysis::Proof::Kind::ShortestPath)
    lines.push_back(
        fmt::format("every path of {} dependencies has a shorter one between its ends, and there is no cycle "
                    "of up to {} transactions",
                    proof.length, proof.length));
  if (proof.kind == analysis::Proof::Kind::Window) {
    lines.push_back(
        proof.length == 1
            ? "no dependency goes against the order of arbitration"
            : fmt::format("no path of {} dependencies ends in a transaction that comes before all "
                          "others on it, and there is no cycle of up to {} transactions",
                          proof.length, proof.length));
  }
  for (std::size_t round = 0; round < proof.rounds.size(); ++round)
    lines.push_back(fmt::format("round {}: no instance of {} lies on a cycle", round + 1,
                                names_of_programs(view, proof.rounds[round])));
  if (!proof.excluded.empty())
    lines.push_back(fmt::format("the server excludes cycles among {} alone, which are pg:serializable",
                                names_of_programs(view, proof.excluded)));
  return lines;
}

namespace {

std::string trial_text(const replay::Trial& trial, std::size_t anomalies) {
  if (trial.kind == replay::Trial::Kind::NotTried) return "; not tried on PostgreSQL: " + trial.why;
  return anomalies == 1
             ? "; on PostgreSQL the confirmed anomaly does not come about any more"
             : fmt::format("; on PostgreSQL none of the {} confirmed anomalies comes about any more",
                           anomalies);
}

std::string_view why_raise(analysis::StoreLevel level) {
  using analysis::StoreLevel;
  return level == StoreLevel::PgSerializable ? "the server aborts one of the transactions of such a cycle"
         : level == StoreLevel::Si           ? "the server aborts who would overwrite what it did not see"
                                             : "they then see everything before them";
}

std::string one_update(const AnalysisView& view, const sql::Application& changed,
                       const analysis::AtomicUpdate& update) {
  const sql::Program& program = changed.programs[update.program];
  const sql::Statement* statement = analysis::find_update(program, update.update);
  return fmt::format("in {}, put one UPDATE in the place of the query at {} and the UPDATE at {}: {}",
                     program_of(view, update.program).name, sql::to_text(update.query_place),
                     sql::to_text(update.update_place),
                     sql::to_sql(*statement, changed.schema, sql::names_of(program)).text);
}

// What the server has refuted is no advice.
class AdviceLines {
 public:
  explicit AdviceLines(const AnalysisView& view) : view_(view) {}

  void add(const std::string& what, analysis::Outcome verified, const replay::Trial* trial) {
    if (trial != nullptr && trial->kind == replay::Trial::Kind::Fails) return refuted_.push_back(what);
    lines_.push_back(fmt::format("{} ({}{})", what, verified_text(verified),
                                 trial == nullptr ? "" : trial_text(*trial, view_.trials->anomalies)));
  }
  std::vector<std::string> take() {
    if (lines_.empty()) lines_.push_back("no set of programs to raise, or of queries to lock, was found");
    for (const std::string& what : refuted_)
      lines_.push_back("not enough on PostgreSQL, where the anomaly still comes about: " + what);
    if (!view_.advice->exhausted) lines_.push_back("not everything was tried");
    return std::move(lines_);
  }

 private:
  const AnalysisView& view_;
  std::vector<std::string> lines_, refuted_;
};

}  // namespace

std::vector<std::string> advice_text(const AnalysisView& view) {
  if (!view.advice) return {};
  AdviceLines lines(view);
  const auto trial_of = [&](std::vector<replay::Trial> replay::Trials::*list, std::size_t i) {
    return view.trials ? &((*view.trials).*list).at(i) : nullptr;
  };
  const analysis::Advice& advice = *view.advice;
  // Cheapest first: what changes a statement, what the schema, what makes others wait, what makes them retry.
  for (const auto& atomic : advice.atomic) {
    std::string text;
    for (const analysis::AtomicUpdate& update : atomic.updates)
      text += (text.empty() ? "" : "; ") + one_update(view, atomic.changed, update);
    lines.add(text + ": the server reads and writes the newest version of the row at once", atomic.verified,
              nullptr);
  }
  for (std::size_t i = 0; i < advice.unique.size(); ++i) {
    const auto& unique = advice.unique[i];
    const sql::Table& table = view.application->schema[unique.table];
    std::string columns;
    for (const sql::ColumnId column : unique.columns)
      columns += (columns.empty() ? "" : ", ") + table[column].name;
    lines.add(fmt::format("add UNIQUE ({}) to {}, if there may be only one such row: of two that insert it "
                          "the server refuses one",
                          columns, table.name),
              unique.verified, trial_of(&replay::Trials::unique, i));
  }
  for (std::size_t i = 0; i < advice.hold.size(); ++i) {
    std::string text;
    for (const analysis::Promotion& promotion : advice.hold[i].promotions)
      text += fmt::format("{}{} {} in {}", text.empty() ? "" : "; ",
                          promotion.kind == analysis::Promotion::Kind::Lock
                              ? "add FOR UPDATE to the query at"
                              : "update, without change, the rows read at",
                          sql::to_text(promotion.place), program_of(view, promotion.program).name);
    const bool locks = advice.hold[i].promotions[0].kind == analysis::Promotion::Kind::Lock;
    lines.add(text + (locks ? ": who wants to change a row that was read then waits"
                            : ": the server then sees a conflict with who changes them"),
              advice.hold[i].verified, trial_of(&replay::Trials::hold, i));
  }
  for (std::size_t i = 0; i < advice.raise.size(); ++i) {
    const auto& raise = advice.raise[i];
    lines.add(fmt::format("run {} at {}: {}", names_of_programs(view, raise.programs),
                          analysis::id(raise.level), why_raise(raise.level)),
              raise.verified, trial_of(&replay::Trials::raise, i));
  }
  if (const auto& exclusion = advice.exclusion)
    lines.add(fmt::format("begin {} with SELECT pg_advisory_xact_lock(1), so that they run one after another",
                          names_of_programs(view, exclusion->programs)),
              exclusion->verified,
              view.trials && view.trials->exclusion ? &*view.trials->exclusion : nullptr);
  return lines.take();
}

}  // namespace assay::analysis_report
