#include "isolation/level.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/contract.h"

namespace assay {
namespace {

using enum Level;

using LevelTable = std::array<LevelRow, kLevelCount>;

constexpr std::string_view kBiswasEnea = "Biswas and Enea 2019";

const LevelTable& level_table() {
  static const LevelTable rows{{
      {.level = Pl2,
       .id = "pl-2",
       .name = "read-committed",
       .aliases = {"adya-read-committed"},
       .definition =
           "Each read by itself returns the last write of a key by a committed transaction, and "
           "reads, with the orders that lists show, make no cycle (no G0, G1a, G1b, G1c). Of several "
           "reads together, and of sessions, nothing is asked.",
       .source = "Adya 1999 (PL-2)",
       .view = View::None,
       .points = {.session_order = false, .total = false},
       .implies = {}},
      {.level = Mav,
       .id = "mav",
       .name = "monotonic-atomic-view",
       .aliases = {},
       .definition =
           "As rc, without session order: once a transaction has read from t2, it reads no key from a "
           "transaction that t2 overwrote.",
       .source = "Bailis, Davidson, Fekete, Ghodsi, Hellerstein and Stoica 2013",
       .view = View::EarlierReads,
       .points = {.session_order = false, .total = false},
       .implies = {Pl2}},
      {.level = Rc,
       .id = "rc",
       .name = "session-monotonic-atomic-view",
       .aliases = {"biswas-read-committed"},
       .definition = "No aborted, intermediate or thin-air reads, and within a transaction reads never go "
                     "back: once it has read from t2, it reads no key from a transaction that t2 overwrote. "
                     "(Monotonic atomic view with session order, stronger than PL-2.)",
       .source = kBiswasEnea,
       .view = View::EarlierReads,
       .points = {.total = false},
       .implies = {Mav}},
      {.level = PlainRa,
       .id = "plain-ra",
       .name = "read-atomic",
       .aliases = {"plain-read-atomic"},
       .definition = "Read atomic without session order: who reads from t2 reads no key from a transaction "
                     "that t2 overwrote; repeated reads of a key agree.",
       .source = "Bailis, Fekete, Hellerstein, Ghodsi and Stoica 2014 (RAMP)",
       .view = View::Neighbours,
       .points = {.session_order = false, .total = false},
       .implies = {Mav}},
      {.level = Ra,
       .id = "ra",
       .name = "session-read-atomic",
       .aliases = {"strong-session-read-atomic"},
       .definition =
           "All or nothing of another transaction's writes: who reads from t2, or follows it in its "
           "session, reads no key from a transaction that t2 overwrote; repeated reads of a key "
           "agree.",
       .source = kBiswasEnea,
       .view = View::Neighbours,
       .points = {.total = false},
       .implies = {Rc, PlainRa}},
      {.level = Cc,
       .id = "cc",
       .name = "causal",
       .aliases = {"transactional-causal-consistency", "tcc", "causal-consistency"},
       .definition = "As read-atomic for every transaction in the reader's past, through sessions and reads.",
       .source = kBiswasEnea,
       .view = View::Past,
       .points = {.total = false},
       .implies = {Ra}},
      {.level = Pc,
       .id = "pc",
       .name = "prefix",
       .aliases = {"prefix-consistency"},
       .definition = "Every transaction reads from a snapshot that is a prefix of one commit order of all "
                     "transactions.",
       .source = kBiswasEnea,
       .view = View::Order,
       .points = {.two_points = true},
       .implies = {Cc}},
      {.level = Psi,
       .id = "psi",
       .name = "parallel-snapshot-isolation",
       .aliases = {},
       .definition = "Causal, and the writers of each key are ordered: no transaction that overwrites a "
                     "version another one read and overwrote too (no lost update); snapshots may fork.",
       .source = "Sovran, Power, Aguilera and Li 2011; Cerone, Bernardi and Gotsman 2015",
       .view = View::Order,
       .points = {.total = false},
       .implies = {Cc}},
      {.level = Si,
       .id = "si",
       .name = "strong-session-snapshot-isolation",
       .aliases = {},
       .definition = "Every transaction reads from a snapshot that is a prefix of the commit order and "
                     "includes its session; of two concurrent transactions that write the same key, one "
                     "aborts.",
       .source = kBiswasEnea,
       .view = View::Order,
       .points = {.two_points = true, .exclusive = true},
       .implies = {Pc, Psi, AdyaSi}},
      {.level = AdyaSi,
       .id = "adya-si",
       .name = "snapshot-isolation",
       .aliases = {"pl-si", "adya-snapshot-isolation"},
       .definition = "Every transaction reads from a snapshot that is a prefix of the commit order; of two "
                     "concurrent transactions that write the same key, one aborts. Sessions do not matter.",
       .source = "Adya 1999",
       .view = View::Order,
       .points = {.two_points = true, .session_order = false, .exclusive = true},
       .implies = {PlainRa}},
      {.level = Gsi,
       .id = "gsi",
       .name = "generalized-snapshot-isolation",
       .aliases = {"ansi-si"},
       .definition = "adya-si whose snapshots and commits also respect real time before each commit: a "
                     "snapshot may be old, never from the future.",
       .source = "Elnikety, Pedone and Zwaenepoel 2005; Crooks, Pu, Alvisi and Clement 2017",
       .view = View::Order,
       .points = {.two_points = true,
                  .session_order = false,
                  .exclusive = true,
                  .real_time = {.s_to_c = true, .c_to_c = true}},
       .implies = {AdyaSi}},
      {.level = SessionSi,
       .id = "session-si",
       .name = "session-snapshot-isolation",
       .aliases = {"prefix-consistent-si"},
       .definition = "si whose snapshots and commits also respect real time before each commit. (What Viper "
                     "calls strong session SI.)",
       .source = "Daudjee and Salem 2006; Zhang, Ji, Mu and Tan 2023 (Viper)",
       .view = View::Order,
       .points = {.two_points = true, .exclusive = true, .real_time = {.s_to_c = true, .c_to_c = true}},
       .implies = {Gsi, Si}},
      {.level = StrongSi,
       .id = "strong-si",
       .name = "strong-snapshot-isolation",
       .aliases = {},
       .definition = "session-si whose snapshots include everything committed before the transaction began.",
       .source = "Daudjee and Salem 2006",
       .view = View::Order,
       .points = {.two_points = true,
                  .exclusive = true,
                  .real_time = {.c_to_s = true, .s_to_c = true, .c_to_c = true}},
       .implies = {SessionSi}},
      {.level = Ser,
       .id = "ser",
       .name = "strong-session-serializable",
       .aliases = {"session-serializable"},
       .definition = "One serial order of the transactions, containing session order, explains every read.",
       .source = kBiswasEnea,
       .view = View::Order,
       .points = {},
       .implies = {Si, PlainSer}},
      {.level = PlainSer,
       .id = "plain-ser",
       .name = "serializable",
       .aliases = {"pl-3", "serializability", "plain-serializable"},
       .definition = "One serial order of the transactions explains every read; sessions do not matter.",
       .source = "Adya 1999",
       .view = View::Order,
       .points = {.session_order = false},
       .implies = {AdyaSi}},
      {.level = StrictSer,
       .id = "strict-ser",
       .name = "strict-serializable",
       .aliases = {"strong-serializable", "strict-serializability", "pl-ss"},
       .definition = "Serializable in an order that also respects real time: what ended before another began "
                     "comes first.",
       .source = "Papadimitriou 1979",
       .view = View::Order,
       .points = {.real_time = {.c_to_s = true}},
       .implies = {Ser}},
  }};
  return rows;
}

// By level: all levels that it implies. Repeats until nothing is added, so the rows may be in any order.
std::array<LevelSet, kLevelCount> closed_implications() {
  std::array<LevelSet, kLevelCount> implied;
  for (const LevelRow& level : level_table())
    implied[static_cast<std::size_t>(level.level)] = LevelSet{level.level};
  for (bool changed = true; changed;) {
    changed = false;
    for (const LevelRow& level : level_table()) {
      LevelSet& all = implied[static_cast<std::size_t>(level.level)];
      const LevelSet before = all;
      for (const Level weaker : level.implies) all |= implied[static_cast<std::size_t>(weaker)];
      changed |= all != before;
    }
  }
  return implied;
}

std::optional<Level> level_asking_for(View view, const PointRules& points) {
  for (const LevelRow& level : level_table())
    if (level.view == view && level.points == points) return level.level;
  return std::nullopt;
}

}  // namespace

bool is_spelled(std::string_view name, std::string_view written) {
  return std::ranges::equal(name, written, [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y) || (x == '_' && y == '-');
  });
}

std::span<const LevelRow> levels() { return level_table(); }

const LevelRow& row(Level level) {
  const LevelRow& found = level_table()[static_cast<std::size_t>(level)];
  ASSAY_ASSERT(found.level == level);
  return found;
}

std::optional<Level> find_level(std::string_view name) {
  for (const LevelRow& r : level_table()) {
    if (is_spelled(name, r.id) || is_spelled(name, r.name)) return r.level;
    for (const std::string_view alias : r.aliases)
      if (is_spelled(name, alias)) return r.level;
  }
  return std::nullopt;
}

LevelSet implied_by(Level level) {
  static const std::array<LevelSet, kLevelCount> implied = closed_implications();
  return implied[static_cast<std::size_t>(level)];
}

bool implies(Level stronger, Level weaker) { return implied_by(stronger).contains(weaker); }

Level without_real_time(Level level) {
  PointRules points = row(level).points;
  points.real_time = {};
  const auto found = level_asking_for(row(level).view, points);
  ASSAY_ASSERT(found.has_value());  // a test checks every row
  return *found;
}

std::optional<Level> with_session_order(Level level) {
  PointRules points = row(level).points;
  points.session_order = true;
  return level_asking_for(row(level).view, points);
}

Level stand_in(Level level) {
  if (has_total_order(level)) return level;
  for (const LevelRow& stronger : level_table())
    if (has_total_order(stronger.level) && !stronger.needs_instants() && implies(stronger.level, level))
      return stronger.level;
  ASSAY_ASSERT(false);  // serializability implies every level
  return level;
}

}  // namespace assay
