#include "isolation/level.h"

#include <algorithm>
#include <cctype>

#include "base/contract.h"

namespace assay {
namespace {

using enum Level;

const std::vector<LevelRow>& level_table() {
  static const std::vector<LevelRow> rows{
      {Rc,
       "rc",
       "read-committed",
       {},
       "No aborted, intermediate or thin-air reads, and within a transaction reads never go back: once it "
       "has read from t2, it reads no key from a transaction that t2 overwrote. (Stronger than Adya's PL-2.)",
       false,
       true,
       {}},
      {Ra,
       "ra",
       "read-atomic",
       {},
       "All or nothing of another transaction's writes: who reads from t2, or follows it in its session, "
       "reads no key from a transaction that t2 overwrote; repeated reads of a key agree.",
       false,
       true,
       {Rc}},
      {Cc,
       "cc",
       "causal",
       {"transactional-causal-consistency", "tcc", "causal-consistency"},
       "As read-atomic for every transaction in the reader's past, through sessions and reads.",
       false,
       true,
       {Ra}},
      {Pc,
       "pc",
       "prefix",
       {"prefix-consistency"},
       "Every transaction reads from a snapshot that is a prefix of one commit order of all transactions.",
       false,
       true,
       {Cc}},
      {Psi,
       "psi",
       "parallel-snapshot-isolation",
       {},
       "Causal, and the writers of each key are ordered: no transaction that overwrites a version another "
       "one read and overwrote too (no lost update); snapshots may fork.",
       false,
       true,
       {Cc}},
      {Si,
       "si",
       "snapshot-isolation",
       {"strong-session-snapshot-isolation"},
       "Every transaction reads from a snapshot that is a prefix of the commit order and includes its "
       "session; of two concurrent transactions that write the same key, one aborts.",
       false,
       true,
       {Pc, Psi, AdyaSi}},
      {AdyaSi,
       "adya-si",
       "adya-snapshot-isolation",
       {"pl-si"},
       "Snapshot isolation without session order.",
       false,
       false,
       {}},
      {Gsi,
       "gsi",
       "generalized-snapshot-isolation",
       {"ansi-si"},
       "adya-si whose snapshots and commits also respect real time before each commit: a snapshot may be "
       "old, "
       "never from the future.",
       true,
       false,
       {AdyaSi}},
      {SessionSi,
       "session-si",
       "session-snapshot-isolation",
       {"prefix-consistent-si"},
       "si whose snapshots and commits also respect real time before each commit. (What Viper calls strong "
       "session SI.)",
       true,
       true,
       {Gsi, Si}},
      {StrongSi,
       "strong-si",
       "strong-snapshot-isolation",
       {},
       "session-si whose snapshots include everything committed before the transaction began.",
       true,
       true,
       {SessionSi}},
      {Ser,
       "ser",
       "serializable",
       {"serializability", "strong-session-serializable"},
       "One serial order of the transactions, containing session order, explains every read.",
       false,
       true,
       {Si, PlainSer}},
      {PlainSer,
       "plain-ser",
       "plain-serializable",
       {"pl-3"},
       "Serializable without session order.",
       false,
       false,
       {AdyaSi}},
      {StrictSer,
       "strict-ser",
       "strict-serializable",
       {"strong-serializable", "strict-serializability"},
       "Serializable in an order that also respects real time: what ended before another began comes first.",
       true,
       true,
       {Ser}},
  };
  return rows;
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y) || (x == '_' && y == '-');
  });
}

}  // namespace

std::span<const LevelRow> levels() { return level_table(); }

const LevelRow& row(Level level) {
  const LevelRow& found = level_table()[static_cast<std::size_t>(level)];
  ASSAY_ASSERT(found.level == level);
  return found;
}

std::optional<Level> find_level(std::string_view name) {
  for (const LevelRow& r : level_table()) {
    if (same_letters(name, r.id) || same_letters(name, r.name)) return r.level;
    for (const std::string_view alias : r.aliases)
      if (same_letters(name, alias)) return r.level;
  }
  return std::nullopt;
}

bool implies(Level stronger, Level weaker) {
  if (stronger == weaker) return true;
  return std::ranges::any_of(row(stronger).implies, [&](Level next) { return implies(next, weaker); });
}

Level without_real_time(Level level) {
  if (!row(level).needs_instants) return level;
  if (level == Level::StrictSer) return Level::Ser;
  return level == Level::Gsi ? Level::AdyaSi : Level::Si;
}

}  // namespace assay
