#include "replay/run.h"

#include <fmt/format.h>

#include <thread>

#include "replay/turns.h"

namespace assay::replay {

std::optional<std::string_view> postgres_level(analysis::StoreLevel level) {
  switch (level) {
    case analysis::StoreLevel::Rc: return "READ COMMITTED";
    case analysis::StoreLevel::Si: return "REPEATABLE READ";
    case analysis::StoreLevel::Ser:
    case analysis::StoreLevel::PgSerializable: return "SERIALIZABLE";
    default: return std::nullopt;
  }
}

Result<Run::Link> Run::link(const std::string& lane) const {
  Link link;
  for (auto* session : {&link.session, &link.keeper}) {
    auto opened = own_.connect();
    if (!opened) return std::move(opened).error();
    *session = std::move(*opened);
  }
  std::vector<SqlRow> process;
  if (link.session->run(
          fmt::format("SET assay.lane = '{}'; SET statement_timeout = '60s'; SELECT pg_backend_pid()", lane),
          process) != Reply::Done)
    return error(link.session->problem());
  link.process = process.at(0).at(0).value_or("0");
  if (link.keeper->run(fmt::format("SET assay.process = '{}'", link.process)) != Reply::Done)
    return error(link.keeper->problem());
  return link;
}

// Where the gate of a step stands.
std::optional<sql::Place> Run::turn(const analysis::FoundAnomaly& anomaly, const analysis::Step& step) const {
  const sql::Program& program = application_.programs[anomaly.calls[step.call].program];
  std::optional<sql::Place> place;
  sql::walk(program.body, [&](const sql::Statement& statement, std::uint32_t) {
    if (statement.number == step.statement && !place) place = statement.place;
  });
  return place ? gates_.before(*place, calls_[step.call].function) : std::nullopt;
}

Result<Outcome> Run::concurrently(const analysis::FoundAnomaly& anomaly,
                                  const std::vector<analysis::Step>& schedule) {
  std::vector<Link> links;
  for (std::size_t t = 0; t < calls_.size(); ++t) {
    auto link = this->link(std::to_string(t + 1));
    if (!link) return std::move(link).error();
    links.push_back(std::move(*link));
  }
  Outcome outcome{std::vector<Told>(calls_.size()), {}};
  Turns turns(calls_.size(), [&](std::size_t t) {
    std::vector<SqlRow> waits;
    const std::string question =
        fmt::format("SELECT count(*) FROM pg_locks WHERE pid = {} AND NOT granted", links[t].process);
    return state_.session().run(question, waits) != Reply::Done || waits.at(0).at(0) != "0";
  });
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < calls_.size(); ++t)
    threads.emplace_back([&, t] {
      Transaction transaction(written_, gates_, calls_[t], *links[t].session, *links[t].keeper,
                              outcome.told[t]);
      const std::string_view level = *postgres_level(anomaly.calls[t].level);
      bool done = transaction.run(level, [&](const Gate& gate) { turns.before(t, gate); });
      if (done) {
        turns.before_commit(t);
        done = transaction.commit();
      }
      if (!done) transaction.roll_back();
      turns.finished(t);
    });
  for (const analysis::Step& step : schedule) {
    if (step.kind == analysis::Step::Kind::Commit) turns.give_all(step.call);
    else if (const auto place = turn(anomaly, step)) turns.give(step.call, place);
  }
  for (std::size_t t = 0; t < calls_.size(); ++t) turns.give_all(t);
  for (std::thread& thread : threads) thread.join();
  auto tables = state_.tables();
  if (!tables) return std::move(tables).error();
  outcome.tables = std::move(*tables);
  return outcome;
}

Result<Outcome> Run::serially(const std::vector<std::size_t>& order) {
  auto link = this->link("trace");
  if (!link) return std::move(link).error();
  Outcome outcome{std::vector<Told>(calls_.size()), {}};
  for (const std::size_t t : order) {
    Transaction transaction(written_, gates_, calls_[t], *link->session, *link->keeper, outcome.told[t]);
    const bool done = transaction.run("SERIALIZABLE", [](const Gate&) {}) && transaction.commit();
    if (done) continue;
    transaction.roll_back();
    break;
  }
  auto tables = state_.tables();
  if (!tables) return std::move(tables).error();
  outcome.tables = std::move(*tables);
  return outcome;
}

}  // namespace assay::replay
