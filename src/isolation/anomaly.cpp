#include "isolation/anomaly.h"

#include "base/contract.h"

namespace assay {
namespace {

using enum Anomaly;
using enum Level;

const std::vector<AnomalyRow>& anomaly_table() {
  static const LevelSet every{Pl2};
  static const std::vector<AnomalyRow> rows{
      {ThinAir, "thin-air", "a read of a value that nobody wrote", every},
      {G1a, "g1a", "a read of an aborted transaction's write", every},
      {G1b, "g1b", "a read of another transaction's intermediate write", every},
      {FutureRead, "future-read", "a read of the transaction's own later write", every},
      {NotOwnWrite, "not-own-write", "a read that ignores the transaction's own earlier write", every},
      {NotOwnLastWrite, "not-own-last-write", "a read of an own write that the transaction had overwritten",
       every},
      {NonRepeatableRead,
       "non-repeatable-read",
       "two reads of a key in one transaction saw different versions",
       {PlainRa}},
      {IncompatibleOrder, "incompatible-order",
       "two list reads of a key of which neither is a prefix of the other", every},
      {DuplicateElements, "duplicate-elements", "a list read that shows an element twice", every},
      {G0, "g0", "a cycle of write dependencies", every},
      {G1c, "g1c", "a cycle of write and read dependencies", every},
      {NonMonotonicRead,
       "non-monotonic-read",
       "a transaction read from another, and then an older version of something that one wrote",
       {Mav}},
      {FracturedRead, "fractured-read", "a transaction saw a part of another's writes", {PlainRa}},
      {Causality, "causality", "a transaction missed a write in its own causal past", {Cc, AdyaSi}},
      {LostUpdate,
       "lost-update",
       "two transactions read the same version of a key and both wrote it",
       {Psi, AdyaSi}},
      {LongFork, "long-fork", "two readers saw two independent writes in opposite order", {Pc, AdyaSi}},
      {ReadSkew, "read-skew", "a cycle with exactly one anti-dependency (G-single)", {Psi, AdyaSi}},
      {GNonadjacent,
       "g-nonadjacent",
       "a cycle with several anti-dependencies, no two of them adjacent",
       {AdyaSi}},
      {WriteSkew, "write-skew", "a cycle with two adjacent anti-dependencies (G2-item)", {PlainSer}},
      {Phantom, "phantom", "a cycle with an anti-dependency through a predicate (G2)", {PlainSer}},
      {ReadOnly, "read-only", "serializable but for a read-only transaction", {PlainSer}},
      {StaleInitialRead,
       "stale-initial-read",
       "a transaction read the initial version although its past overwrote it",
       {Cc, AdyaSi}},
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
  for (const AnomalyRow& r : anomaly_table())
    if (r.name == name) return r.anomaly;
  return std::nullopt;
}

bool rules_out(Anomaly anomaly, Level level) { return !(row(anomaly).rules_out & implied_by(level)).empty(); }

Anomaly name_of_condition(Level level) {
  switch (row(level).view) {
    case View::None: return G1c;
    case View::EarlierReads: return NonMonotonicRead;
    case View::Neighbours: return FracturedRead;
    case View::Past: return Causality;
    case View::Order: break;
  }
  if (!has_total_order(level)) return ReadSkew;
  return has_two_points(level) ? GNonadjacent : WriteSkew;
}

}  // namespace assay
