#include "analysis/store_level.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "analysis/written_level.h"
#include "sql/isolation.h"

namespace assay::analysis {
namespace {

constexpr std::array<StoreLevelRow, 11> kLevels = {{
    {.level = StoreLevel::Ec, .id = "ec", .name = "eventual-consistency"},
    {.level = StoreLevel::Rc, .id = "rc", .name = "read-committed", .per_statement = true},
    {.level = StoreLevel::Cc, .id = "cc", .name = "causal", .causal = true},
    {.level = StoreLevel::Pc, .id = "pc", .name = "prefix", .causal = true, .prefix = true},
    {.level = StoreLevel::Psi,
     .id = "psi",
     .name = "parallel-snapshot-isolation",
     .causal = true,
     .no_conflict = true},
    {.level = StoreLevel::Si,
     .id = "si",
     .name = "snapshot-isolation",
     .causal = true,
     .prefix = true,
     .no_conflict = true},
    {.level = StoreLevel::Ser,
     .id = "ser",
     .name = "serializable",
     .causal = true,
     .prefix = true,
     .no_conflict = true,
     .total = true},
    {.level = StoreLevel::PgSerializable,
     .id = "pg:serializable",
     .name = "serializable-snapshot-isolation",
     .causal = true,
     .prefix = true,
     .no_conflict = true,
     .no_cycle_among = true},
    {.level = StoreLevel::MariadbRc,
     .id = "mariadb:read-committed",
     .name = "mariadb:read-committed",
     .per_statement = true,
     .passes_rows = true},
    {.level = StoreLevel::MariadbRr,
     .id = "mariadb:repeatable-read",
     .name = "mariadb:repeatable-read",
     .prefix = true,
     .locks_what_it_reads = true},
    {.level = StoreLevel::MariadbSnapshot,
     .id = "mariadb:snapshot",
     .name = "mariadb:snapshot",
     .prefix = true,
     .locks_what_it_reads = true,
     .refuses_unseen = true},
}};
constexpr std::size_t kUniformLevels = 7;

// What servers call the levels of the table.
struct ServerLevel {
  std::string_view name;
  StoreLevel level;
};
constexpr std::array<ServerLevel, 3> kServerLevels = {{
    {"pg:read-committed", StoreLevel::Rc},
    {"pg:repeatable-read", StoreLevel::Si},
    {"mariadb:serializable", StoreLevel::Ser},
}};
// Where only the level is known, not the axioms: Levels::row() has its flags.
constexpr StoreLevelRow kWritten = {.level = StoreLevel::Written, .id = "written", .name = "written"};

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(by)) != text.npos; text.remove_prefix(end + 1))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

bool of_mariadb(std::string_view name) { return same_name(name.substr(0, 8), "mariadb:"); }

Result<StoreLevel> level_of(std::string_view name) {
  if (const auto level = find_store_level(name)) return *level;
  return error(fmt::format("unknown level '{}'", name),
               "use one of ec, rc, cc, pc, psi, si, ser, pg:serializable, mariadb:read-committed, "
               "mariadb:repeatable-read, mariadb:snapshot, mariadb:serializable, or FILE:LEVEL of the "
               "specification language");
}

Result<std::size_t> program_of(std::string_view name, const sql::Application& application) {
  for (std::size_t p = 0; p < application.programs.size(); ++p)
    if (same_name(application.programs[p].name, name)) return p;
  return error(fmt::format("no program is called '{}'", name), "programs are named as in the files");
}

bool skips_locked_rows(const sql::Program& program) {
  bool any = false;
  sql::walk(program.body, [&](const sql::Statement& statement, std::uint32_t) {
    const auto* loop = std::get_if<sql::Loop>(&statement.what);
    const auto* select = loop != nullptr ? &loop->query : std::get_if<sql::Select>(&statement.what);
    any |= select != nullptr && select->skips_locked;
  });
  return any;
}

std::optional<Error> not_for_mariadb(const Levels& levels, const sql::Application& application) {
  for (std::size_t p = 0; p < application.programs.size(); ++p) {
    const StoreLevelRow& level = levels.row(p);
    if (!level.of_mariadb() && !level.total)
      return error(fmt::format("{} beside a level of MariaDB", level.id),
                   "all programs run on one server: give all of them levels of MariaDB");
    if (skips_locked_rows(application.programs[p]))
      return error(fmt::format("program {} uses SKIP LOCKED, which is not analysed at levels of MariaDB",
                               application.programs[p].name),
                   "leave the program out with --ignore");
  }
  return std::nullopt;
}

}  // namespace

std::span<const StoreLevelRow> store_levels() { return std::span(kLevels).first<kUniformLevels>(); }

const StoreLevelRow& row(StoreLevel level) {
  return level == StoreLevel::Written ? kWritten : kLevels[static_cast<std::size_t>(level)];
}

std::optional<StoreLevel> find_store_level(std::string_view name) {
  for (const StoreLevelRow& level : kLevels)
    if (same_name(level.id, name) || same_name(level.name, name)) return level.level;
  for (const ServerLevel& level : kServerLevels)
    if (same_name(level.name, name)) return level.level;
  return std::nullopt;
}

// Views that grow are more than one view: only what has the same kind of view can be compared by its flags,
// and a prefix for the whole transaction is one for each of its statements.
bool implies(StoreLevel stronger, StoreLevel weaker) {
  const StoreLevelRow &s = row(stronger), &w = row(weaker);
  if (stronger == weaker || (s.total && w.of_mariadb())) return true;
  if (s.of_mariadb() || w.of_mariadb()) return false;
  if (s.per_statement) return false;
  if (w.per_statement) return s.prefix && s.no_conflict;
  if (w.no_cycle_among && !s.total) return false;
  return s.causal >= w.causal && s.prefix >= w.prefix && s.no_conflict >= w.no_conflict && s.total >= w.total;
}

const StoreLevelRow& Levels::row(std::size_t program) const {
  const StoreLevel level = of(program);
  return level == StoreLevel::Written ? written->row : analysis::row(level);
}

StoreLevel Levels::of(std::size_t program) const {
  for (const auto& [which, level] : of_program)
    if (which == program) return level;
  return common;
}

bool Levels::serialized(std::size_t first, std::size_t second) const {
  return std::ranges::any_of(serialized_pairs, [&](const auto& pair) {
    return pair == std::pair(first, second) || pair == std::pair(second, first);
  });
}

bool Levels::exclude_cycles(std::span<const std::size_t> programs) const {
  return std::ranges::all_of(programs, [&](std::size_t p) { return row(p).no_cycle_among; });
}

bool Levels::all(bool StoreLevelRow::*flag, std::size_t programs) const {
  for (std::size_t p = 0; p < programs; ++p)
    if (!(row(p).*flag)) return false;
  return true;
}

Result<Levels> parse_levels(std::string_view text, const sql::Application& application) {
  Levels levels;
  bool first = true, on_mariadb = false;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    on_mariadb |= of_mariadb(equals == part.npos ? part : part.substr(equals + 1));
    if (equals == part.npos) {
      if (!first)
        return error(fmt::format("'{}' names no program", part), "write PROGRAM=LEVEL after the first level");
      first = false;
      if (part.find(':') != part.npos && !of_mariadb(part) && !find_store_level(part)) {
        auto written = load_written_level(std::string(part));
        if (!written) return std::move(written).error();
        levels.common = StoreLevel::Written;
        levels.written = std::move(*written);
        continue;
      }
      auto level = level_of(part);
      if (!level) return level.error();
      levels.common = *level;
      continue;
    }
    if (first) return error("the level of the other programs is missing", "write it first: si,Enroll=ser");
    if (part.find(':', equals) != part.npos && !of_mariadb(part.substr(equals + 1)) &&
        !find_store_level(part.substr(equals + 1)))
      return error(fmt::format("'{}' gives one program a written level", part),
                   "its axioms bind all programs: write FILE:LEVEL first");
    auto level = level_of(part.substr(equals + 1));
    if (!level) return level.error();
    const auto names = split(part.substr(0, equals), '+');
    std::vector<std::size_t> programs;
    for (const std::string_view name : names) {
      auto program = program_of(name, application);
      if (!program) return program.error();
      programs.push_back(*program);
    }
    if (levels.written && *level != StoreLevel::Ser)
      return error(fmt::format("'{}' beside a written level", part),
                   "its axioms bind all programs; single ones may only be raised: A=ser");
    if (programs.size() == 1) {
      levels.of_program.emplace_back(programs[0], *level);
    } else if (programs.size() == 2 && *level == StoreLevel::Ser) {
      levels.serialized_pairs.emplace_back(programs[0], programs[1]);
    } else {
      return error(fmt::format("'{}' is neither a program nor a pair made serializable", part),
                   "write A=LEVEL or A+B=ser");
    }
  }
  if (on_mariadb)
    if (auto problem = not_for_mariadb(levels, application)) return std::move(*problem);
  for (const sql::Program& program : application.programs)
    if ((levels.written || on_mariadb) && program.isolation)
      return error(
          fmt::format("program {} asks for {} itself", program.name, sql::to_text(program.isolation->level)),
          levels.written
              ? "a written level is one for all programs: take the statement out, or leave the program out"
              : "that would be a level of PostgreSQL: take the statement out, and name the level of the "
                "program with --level");
  return levels;
}

namespace {

StoreLevel level_in_store(StoreLevel given, const sql::OwnIsolation& own) {
  const StoreLevel asked = own.level == sql::Isolation::ReadCommitted    ? StoreLevel::Rc
                           : own.level == sql::Isolation::RepeatableRead ? StoreLevel::Si
                                                                         : StoreLevel::PgSerializable;
  const bool of_postgres = given == StoreLevel::Rc || given == StoreLevel::Si || given == StoreLevel::Ser ||
                           given == StoreLevel::PgSerializable;
  if (!of_postgres) return implies(asked, given) ? given : StoreLevel::Ec;
  if (own.at_most && implies(asked, given)) return given;
  return given == StoreLevel::Ser && asked == StoreLevel::PgSerializable ? given : asked;
}

}  // namespace

Levels with_own_levels(const Levels& levels, const sql::Application& application,
                       std::vector<std::string>& notes) {
  Levels own = levels;
  if (levels.written) return own;
  for (std::size_t p = 0; p < application.programs.size(); ++p) {
    const sql::Program& program = application.programs[p];
    if (!program.isolation) continue;
    const StoreLevel given = levels.of(p), level = level_in_store(given, *program.isolation);
    if (level == given) continue;
    notes.push_back(fmt::format("{} is analysed at {}, not at {}: it asks for {} itself", program.name,
                                id(level), id(given), sql::to_text(program.isolation->level)));
    std::erase_if(own.of_program, [&](const auto& other) { return other.first == p; });
    own.of_program.emplace_back(p, level);
  }
  return own;
}

std::string to_text(const Levels& levels, const sql::Application& application) {
  std::string text(levels.written ? std::string_view(levels.written->name) : id(levels.common));
  for (const auto& [program, level] : levels.of_program)
    text += fmt::format(",{}={}", application.programs[program].name, id(level));
  for (const auto& [a, b] : levels.serialized_pairs)
    text += fmt::format(",{}+{}=ser", application.programs[a].name, application.programs[b].name);
  return text;
}

}  // namespace assay::analysis
