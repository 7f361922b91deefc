// What a cycle is called, how bad it is, and which of several are one.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/witness.h"

namespace assay::analysis {
namespace {

bool is_reader(const Facts& facts, std::size_t program) {
  return std::ranges::all_of(facts.programs()[program].items, [](const Item& item) {
    return written_table(item).is_none() && item.as<sql::Opaque>() == nullptr;
  });
}

std::vector<std::size_t> programs_of(const FoundAnomaly& anomaly) {
  std::vector<std::size_t> programs;
  for (const Call& call : anomaly.calls) programs.push_back(call.program);
  std::ranges::sort(programs);
  return programs;
}

}  // namespace

namespace {

// Whether the statement makes the new value of the column of the one that it overwrites, at a level where
// that is the newest one. Then nothing that others made of the column is lost.
bool builds_on_what_it_overwrites(const Facts& facts, const Call& call, std::uint32_t statement,
                                  std::optional<sql::ColumnId> column) {
  const StoreLevelRow& level = facts.levels().row(call.program);
  if (!level.per_statement && !level.no_conflict && !level.total) return false;
  const auto& items = facts.programs()[call.program].items;
  return std::ranges::any_of(items, [&](const Item& item) {
    const auto* update = item.as<sql::Update>();
    return update != nullptr && item.statement->number == statement &&
           std::ranges::any_of(update->sets, [&](const sql::Update::Set& set) {
             return set.column == column && mentions(set.value, sql::SourceId(0), set.column);
           });
  });
}

// Whether some write on the cycle may overwrite what the other transaction made of the column.
bool loses_a_change(const Facts& facts, const FoundAnomaly& anomaly) {
  const auto column = std::ranges::find_if(anomaly.cycle, [](const Edge& e) { return e.column.has_value(); });
  if (column == anomaly.cycle.end()) return true;
  return std::ranges::any_of(anomaly.cycle, [&](const Edge& edge) {
    const auto overwrites = [&](std::size_t call, std::uint32_t statement) {
      return !builds_on_what_it_overwrites(facts, anomaly.calls[call], statement, column->column);
    };
    if (edge.kind == Dependency::Ww && overwrites(edge.from, edge.from_statement)) return true;
    return edge.kind != Dependency::Wr && overwrites(edge.to, edge.to_statement);
  });
}

}  // namespace

Harm harm_of(const Facts& facts, const FoundAnomaly& anomaly) {
  if (anomaly.name == Anomaly::LostUpdate && loses_a_change(facts, anomaly)) return Harm::LostUpdate;
  const bool reads_only =
      std::ranges::any_of(anomaly.calls, [&](const Call& call) { return is_reader(facts, call.program); });
  return reads_only ? Harm::Reads : Harm::Writes;
}

void sort_by_harm(std::vector<FoundAnomaly>& anomalies) {
  std::map<std::vector<std::size_t>, Harm> worst;  // of the cycles of these programs
  for (const FoundAnomaly& anomaly : anomalies) {
    Harm& harm = worst.try_emplace(programs_of(anomaly), anomaly.harm).first->second;
    harm = std::min(harm, anomaly.harm);
  }
  std::ranges::stable_sort(anomalies, {}, [&](const FoundAnomaly& anomaly) {
    const std::vector<std::size_t> programs = programs_of(anomaly);
    // What other transactions are needed for, after what these bring about by themselves.
    return std::tuple(worst.at(programs), programs.size(), programs, !anomaly.complete, anomaly.harm);
  });
}

Anomaly name_of(const Facts& facts, const FoundAnomaly& anomaly) {
  const std::vector<Edge>& cycle = anomaly.cycle;
  const std::size_t n = cycle.size();
  const auto is_rw = [&](std::size_t i) { return cycle[i % n].kind == Dependency::Rw; };
  const auto count = [&](Dependency kind) { return std::ranges::count(cycle, kind, &Edge::kind); };
  if (count(Dependency::Rw) == 0) return count(Dependency::Wr) == 0 ? Anomaly::G0 : Anomaly::G1c;
  const auto same_record = [&](const Edge& a, const Edge& b) {
    return a.table == b.table && std::ranges::equal(a.key, b.key, {}, &Value::text, &Value::text);
  };
  const auto both_write = [&](const Edge& rw, const Edge& back) {
    return same_record(rw, back) && rw.column && back.column &&
           (back.kind == Dependency::Ww || (back.kind == Dependency::Rw && rw.column == back.column));
  };
  if (n == 2 &&
      ((is_rw(0) && both_write(cycle[0], cycle[1])) || (is_rw(1) && both_write(cycle[1], cycle[0]))))
    return Anomaly::LostUpdate;
  bool adjacent = false, predicate = false;
  for (std::size_t i = 0; i < n; ++i) {
    adjacent |= is_rw(i) && is_rw(i + 1);
    predicate |= is_rw(i) && !cycle[i].column;
  }
  if (count(Dependency::Rw) == 1) return predicate ? Anomaly::Phantom : Anomaly::GSingle;
  if (!adjacent) {
    const bool fork = n == 4 && count(Dependency::Rw) == 2 && count(Dependency::Wr) == 2;
    return fork ? Anomaly::LongFork : Anomaly::GNonadjacent;
  }
  const bool reads_only = n > 2 && std::ranges::any_of(anomaly.calls, [&](const Call& call) {
                            return is_reader(facts, call.program);
                          });
  if (reads_only) return Anomaly::ReadOnly;
  return predicate ? Anomaly::Phantom : Anomaly::WriteSkew;
}

void fold(std::vector<FoundAnomaly>& anomalies) {
  std::map<std::string, std::size_t> first;
  std::vector<FoundAnomaly> kept;
  for (FoundAnomaly& anomaly : anomalies) {
    std::vector<std::string> statements;
    // Updates of one column are lost in one way, whether the second edge is about reading or writing.
    if (anomaly.name == Anomaly::LostUpdate) {
      const Edge& edge = anomaly.cycle[0];
      statements.push_back(fmt::format("{} {} {}", fmt::join(programs_of(anomaly), " "), edge.table.value,
                                       edge.column ? edge.column->value : 0));
    }
    for (const Edge& edge : anomaly.name == Anomaly::LostUpdate ? std::vector<Edge>() : anomaly.cycle)
      statements.push_back(fmt::format("{}.{}-{}>{}.{}", anomaly.calls[edge.from].program,
                                       edge.from_statement, static_cast<int>(edge.kind),
                                       anomaly.calls[edge.to].program, edge.to_statement));
    std::ranges::sort(statements);
    statements.erase(std::unique(statements.begin(), statements.end()), statements.end());
    const auto [place, added] = first.try_emplace(fmt::format("{}", fmt::join(statements, " ")), kept.size());
    if (added) kept.push_back(std::move(anomaly));
    else ++kept[place->second].folded;
  }
  anomalies = std::move(kept);
}

}  // namespace assay::analysis
