#include "isolation/anomaly.h"

#include "base/contract.h"

namespace assay {
namespace {

using enum Anomaly;
using enum Level;

constexpr std::string_view kAdya = "Adya 1999", kBerenson = "Berenson et al. 1995",
                           kElle = "Kingsbury and Alvaro 2020 (Elle)", kTerry = "Terry et al. 1994",
                           kBiswas = "Biswas and Enea 2019";

const std::vector<AnomalyRow>& anomaly_table() {
  static const LevelSet every{Pl2};
  static const std::vector<AnomalyRow> rows{
      {.anomaly = ThinAir,
       .name = "thin-air",
       .meaning = "a read of a value that nobody wrote",
       .definition =
           "T read a value of a key that no transaction wrote to it, and that is not its initial value.",
       .adya = "",
       .elle = "",
       .aliases = {"garbage-read"},
       .source = kBiswas,
       .example = "S1: r(x,7)",
       .rules_out = every},
      {.anomaly = G1a,
       .name = "g1a",
       .meaning = "a read of an aborted transaction's write",
       .definition = "T read a value that only an aborted transaction wrote, or one of unknown outcome that "
                     "cannot have committed.",
       .adya = "G1a",
       .elle = "G1a",
       .aliases = {"aborted-read", "dirty-read"},
       .source = kAdya,
       .example = "S1: w(x,1)!  S2: r(x,1)",
       .rules_out = every},
      {.anomaly = G1b,
       .name = "g1b",
       .meaning = "a read of another transaction's intermediate write",
       .definition = "T read a value that another transaction wrote and then overwrote itself; of a list, a "
                     "part of what another transaction appended to it.",
       .adya = "G1b",
       .elle = "G1b",
       .aliases = {"intermediate-read"},
       .source = kAdya,
       .example = "S1: w(x,1) w(x,2)  S2: r(x,1)",
       .rules_out = every},
      {.anomaly = FutureRead,
       .name = "future-read",
       .meaning = "a read of the transaction's own later write",
       .definition = "T read a value that T itself wrote, but only later.",
       .adya = "",
       .elle = "future-read",
       .aliases = {},
       .source = kElle,
       .example = "S1: r(x,1) w(x,1)",
       .rules_out = every},
      {.anomaly = NotOwnWrite,
       .name = "not-own-write",
       .meaning = "a read that ignores the transaction's own earlier write",
       .definition = "T had written a key, and then read a value of it that T had not written.",
       .adya = "",
       .elle = "internal",
       .aliases = {},
       .source = "Cerone, Bernardi and Gotsman 2015 (the axiom Int)",
       .example = "S1: w(x,1) r(x,0)",
       .rules_out = every},
      {.anomaly = NotOwnLastWrite,
       .name = "not-own-last-write",
       .meaning = "a read of an own write that the transaction had overwritten",
       .definition = "T had written a key more than once, and then read one of its values but the last; of a "
                     "list, it did not see all that it had appended, at the end.",
       .adya = "",
       .elle = "internal",
       .aliases = {},
       .source = "Cerone, Bernardi and Gotsman 2015 (the axiom Int)",
       .example = "S1: w(x,1) w(x,2) r(x,1)",
       .rules_out = every},
      {.anomaly = NonRepeatableRead,
       .name = "non-repeatable-read",
       .meaning = "two reads of a key in one transaction saw different versions",
       .definition = "T read a key twice without writing it, and no version explains both reads.",
       .adya = "",
       .elle = "internal",
       .aliases = {"fuzzy-read", "p2"},
       .source = kBerenson,
       .example = "S1: w(x,1)  S2: r(x,0) r(x,1)",
       .rules_out = {PlainRa}},
      {.anomaly = IncompatibleOrder,
       .name = "incompatible-order",
       .meaning = "two list reads of a key of which neither is a prefix of the other",
       .definition = "Two reads of a list show its elements in orders of which neither begins with the "
                     "other, or one shows the appends of a transaction in another order than it made them.",
       .adya = "",
       .elle = "incompatible-order",
       .aliases = {},
       .source = kElle,
       .example = "S1: append(l,1)  S2: append(l,2)  S3: r(l,[1 2])  S4: r(l,[2 1])",
       .rules_out = every},
      {.anomaly = DuplicateElements,
       .name = "duplicate-elements",
       .meaning = "a list read that shows an element twice",
       .definition = "A read of a list shows an element twice that was appended once.",
       .adya = "",
       .elle = "duplicate-elements",
       .aliases = {},
       .source = kElle,
       .example = "S1: append(l,1)  S2: r(l,[1 1])",
       .rules_out = every},
      {.anomaly = PredicateReadMiss,
       .name = "predicate-read-miss",
       .meaning = "a statement found what no version of a row explains",
       .definition =
           "T's statement says of a row whether it is there, or matches, and no version of the row agrees.",
       .adya = "",
       .elle = "predicate-read-miss",
       .aliases = {},
       .source = kElle,
       .example = "@initial 1\nS1: select(value = 1,[])  S2: r(x,1)",
       .rules_out = every},
      {.anomaly = G0,
       .name = "g0",
       .meaning = "a cycle of write dependencies",
       .definition =
           "A cycle of transactions in which each overwrote what the one before it had written, as lists "
           "show. Also one list read: with elements of others among the appends of one transaction.",
       .adya = "G0",
       .elle = "G0",
       .aliases = {"dirty-write", "p0"},
       .source = kAdya,
       .example = "S1: append(l,1) append(m,1)  S2: append(l,2) append(m,2)  S3: r(l,[1 2])  S4: r(m,[2 1])",
       .rules_out = every},
      {.anomaly = G1c,
       .name = "g1c",
       .meaning = "a cycle of write and read dependencies",
       .definition = "A cycle of transactions in which each read from the one before it or overwrote it, and "
                     "at least one read. Also one list read: with elements of others behind those that its "
                     "transaction had appended.",
       .adya = "G1c",
       .elle = "G1c",
       .aliases = {"circular-information-flow"},
       .source = kAdya,
       .example = "S1: w(x,1) r(y,1)  S2: w(y,1) r(x,1)",
       .rules_out = every},
      {.anomaly = NonMonotonicRead,
       .name = "non-monotonic-read",
       .meaning = "a transaction read from another, and then an older version of something that one wrote",
       .definition = "T read from T2, and then an older version of another key that T2 wrote. However the "
                     "versions are ordered, some transaction did that (mav is violated, pl-2 is not).",
       .adya = "G-single",
       .elle = "G-single-item",
       .aliases = {},
       .source = "Bailis et al. 2013 (monotonic atomic view)",
       .example = "S1: w(y,1)  S2: r(y,1) w(x,1) w(y,2)  S3: r(x,1) r(y,1)",
       .rules_out = {Mav}},
      {.anomaly = ReadSkew,
       .name = "read-skew",
       .meaning = "a transaction saw a part of another's writes",
       .definition = "T read from T2 and read an older version of another key that T2 wrote (A5A, fractured "
                     "read). However the versions are ordered, some transaction did that (plain-ra is "
                     "violated, mav is not).",
       .adya = "G-single",
       .elle = "G-single-item",
       .aliases = {"fractured-read", "a5a"},
       .source = "Berenson et al. 1995 (A5A); Bailis et al. 2014 (fractured reads)",
       .example = "S1: w(y,1)  S2: r(y,1) w(x,1) w(y,2)  S3: r(y,1) r(x,1)",
       .rules_out = {PlainRa}},
      {.anomaly = ReadYourWrites,
       .name = "read-your-writes-violation",
       .meaning = "a transaction missed a write of an earlier transaction of its session",
       .definition =
           "T read an older version of a key than one that an earlier transaction of its session wrote.",
       .adya = "",
       .elle = "G-single-item-process",
       .aliases = {},
       .source = kTerry,
       .example = "S1: w(x,1) | r(x,0)",
       .rules_out = {Ra}},
      {.anomaly = MonotonicReads,
       .name = "monotonic-reads-violation",
       .meaning = "a transaction read an older version than its session had read before",
       .definition =
           "T read an older version of a key than one that an earlier transaction of its session read.",
       .adya = "",
       .elle = "G-single-item-process",
       .aliases = {},
       .source = kTerry,
       .example = "S1: w(x,1)  S2: r(x,1) | r(x,0)",
       .rules_out = {Cc}},
      {.anomaly = MonotonicWrites,
       .name = "monotonic-writes-violation",
       .meaning = "a transaction saw a session's later write and missed an earlier one",
       .definition = "T read from T2, and an older version of a key than one that an earlier transaction of "
                     "T2's session wrote.",
       .adya = "",
       .elle = "G-single-item-process",
       .aliases = {},
       .source = kTerry,
       .example = "S1: w(x,1) | w(y,1)  S2: r(y,1) r(x,0)",
       .rules_out = {Cc}},
      {.anomaly = WritesFollowReads,
       .name = "writes-follow-reads-violation",
       .meaning = "a transaction saw a write and missed another that its writer's session had read",
       .definition = "T read from T2, and an older version of a key than one that T2, or an earlier "
                     "transaction of T2's "
                     "session, read.",
       .adya = "",
       .elle = "G-single-item-process",
       .aliases = {},
       .source = kTerry,
       .example = "S1: w(x,1)  S2: r(x,1) | w(y,1)  S3: r(y,1) r(x,0)",
       .rules_out = {Cc}},
      {.anomaly = Causality,
       .name = "causality",
       .meaning = "a transaction missed a write in its own causal past",
       .definition =
           "T read an older version of a key than one that was written in its past, along reads and "
           "sessions. However the versions are ordered, some transaction did that (cc is violated, ra is "
           "not).",
       .adya = "G-single",
       .elle = "G-single-item",
       .aliases = {"causality-violation"},
       .source = kBiswas,
       .example = "S1: w(x,1)  S2: r(x,1) w(x,2)  S3: r(x,2) w(y,1)  S4: r(y,1) r(x,1)",
       .rules_out = {Cc, AdyaSi}},
      {.anomaly = StaleInitialRead,
       .name = "stale-initial-read",
       .meaning = "a transaction read the initial version although its past overwrote it",
       .definition =
           "T read the initial version of a key that was written in its past, along reads, sessions "
           "and, with -realtime, clocks.",
       .adya = "G-single",
       .elle = "G-single-item",
       .aliases = {},
       .source = kBiswas,
       .example = "S1: w(x,1)  S2: r(x,1) w(y,1)  S3: r(y,1) r(x,0)",
       .rules_out = {Cc, AdyaSi}},
      {.anomaly = LostUpdate,
       .name = "lost-update",
       .meaning = "two transactions read the same version of a key and both wrote it",
       .definition = "T1 and T2 read the same version of a key, and both wrote the key (P4).",
       .adya = "G-single",
       .elle = "lost-update",
       .aliases = {"p4"},
       .source = kBerenson,
       .example = "S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)",
       .rules_out = {Psi, AdyaSi}},
      {.anomaly = LongFork,
       .name = "long-fork",
       .meaning = "two readers saw two independent writes in opposite order",
       .definition =
           "T1 saw a write of W1 and missed one of W2; T2 saw W2's and missed W1's. To see is to be "
           "reached by reads (and sessions).",
       .adya = "G2-item",
       .elle = "G-nonadjacent-item",
       .aliases = {},
       .source = "Sovran et al. 2011",
       .example = "S1: w(x,1)  S2: w(y,1)  S3: r(x,1) r(y,0)  S4: r(x,0) r(y,1)",
       .rules_out = {Pc, AdyaSi}},
      {.anomaly = GSingle,
       .name = "g-single",
       .meaning = "a cycle with exactly one anti-dependency",
       .definition =
           "However the versions are ordered, there is a cycle with at most one anti-dependency (psi is "
           "violated, cc is not), and it is no lost update.",
       .adya = "G-single",
       .elle = "G-single-item",
       .aliases = {"g-single-item"},
       .source = kAdya,
       .example = "S1: r(x,0) append(l,2)  S2: w(x,1) append(l,1)  S3: r(l,[1 2])",
       .rules_out = {Psi, AdyaSi}},
      {.anomaly = GNonadjacent,
       .name = "g-nonadjacent",
       .meaning = "a cycle with several anti-dependencies, no two of them adjacent",
       .definition =
           "However the versions are ordered, there is a cycle without two adjacent anti-dependencies (si is "
           "violated), and in some order none with less than two (psi is not).",
       .adya = "G2-item",
       .elle = "G-nonadjacent-item",
       .aliases = {"g-nonadjacent-item"},
       .source = "Cerone and Gotsman 2016; Kingsbury and Alvaro 2020 (Elle)",
       .example =
           "S1: r(x,0) append(m,2)  S2: w(x,1) append(l,1)  S3: r(y,0) append(l,2)  S4: w(y,1) append(m,1)  "
           "S5: r(l,[1 2])  S6: r(m,[1 2])",
       .rules_out = {AdyaSi}},
      {.anomaly = WriteSkew,
       .name = "write-skew",
       .meaning = "a cycle with two adjacent anti-dependencies (G2-item)",
       .definition =
           "However the versions are ordered, there is a cycle (ser is violated), and in some order each has "
           "two adjacent anti-dependencies (si is not). With two transactions this is A5B.",
       .adya = "G2-item",
       .elle = "G2-item",
       .aliases = {"g2-item", "a5b"},
       .source = kBerenson,
       .example = "S1: r(x,0) w(y,1)  S2: r(y,0) w(x,1)",
       .rules_out = {PlainSer}},
      {.anomaly = Phantom,
       .name = "phantom",
       .meaning = "a cycle with an anti-dependency through a predicate (G2)",
       .definition = "A cycle in which T missed a write that would have changed what its predicate found.",
       .adya = "G2",
       .elle = "G2",
       .aliases = {"g2", "p3"},
       .source = kAdya,
       .example = "@initial null\nS1: select(value = 1,[]) insert(x,2)\nS2: select(value = 2,[]) insert(y,1)",
       .rules_out = {PlainSer}},
      {.anomaly = ReadOnly,
       .name = "read-only",
       .meaning = "serializable but for a read-only transaction",
       .definition =
           "Not serializable, and serializable without what transactions read that write nothing (but for "
           "the order of elements that a list read shows).",
       .adya = "G2-item",
       .elle = "G2-item",
       .aliases = {"read-only-anomaly"},
       .source = "Fekete, O'Neil and O'Neil 2004",
       .example = "S1: r(y,0) w(y,2)  S2: r(x,0) r(y,0) w(x,1)  S3: r(x,0) r(y,2)",
       .rules_out = {PlainSer}},
      {.anomaly = ClockContradiction,
       .name = "clock-contradiction",
       .meaning = "the clocks contradict the order of a session",
       .definition = "A cycle of session order and real time alone: T comes after T2 in its session, and by "
                     "the clocks it had committed before T2 asked to commit.",
       .adya = "",
       .elle = "",
       .aliases = {},
       .source = "",
       .example = "S1: <@5..20,30> w(x,1) | <@6..10> w(y,2)",
       .rules_out = {SessionSi}},
  };
  return rows;
}

}  // namespace

std::span<const AnomalyRow> anomalies() { return anomaly_table(); }

const AnomalyRow& row(Anomaly anomaly) {
  const AnomalyRow& found = anomaly_table()[static_cast<std::size_t>(anomaly)];
  ASSAY_ASSERT(found.anomaly == anomaly);
  return found;
}

std::optional<Anomaly> find_anomaly(std::string_view name) {
  for (const AnomalyRow& r : anomaly_table()) {
    if (is_spelled(name, r.name)) return r.anomaly;
    for (const std::string_view alias : r.aliases)
      if (is_spelled(name, alias)) return r.anomaly;
  }
  return std::nullopt;
}

bool rules_out(Anomaly anomaly, Level level) { return !(row(anomaly).rules_out & implied_by(level)).empty(); }

Anomaly name_of_condition(Level level) {
  switch (row(level).view) {
    case View::None: return G1c;
    case View::EarlierReads: return NonMonotonicRead;
    case View::Neighbours: return ReadSkew;
    case View::Past: return Causality;
    case View::Order: break;
  }
  if (!has_total_order(level)) return GSingle;
  return has_two_points(level) ? GNonadjacent : WriteSkew;
}

}  // namespace assay
