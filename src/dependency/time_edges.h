// Real-time order as edges, in linear size.
//
// Clocks order almost all pairs of points, so there are too many pairs for an edge each. Instead, nodes of
// time form a chain. A point has an edge to the first time that comes after its latest instant (and the
// skew), and an edge from the last time that its earliest instant allows. So a path through times leads from
// p to q exactly when p precedes q in real time. Targets that the same sources precede
// share a time.
//
// No level orders two snapshots in real time. So a chain serves one kind of target: commits, which all
// sources may precede, or snapshots, which only commits precede. With one point per transaction there is one
// chain.
#pragma once

#include "dependency/points.h"

namespace assay {

void add_real_time(const History& history, const ReadFacts& facts, const PointRules& rules,
                   KnownGraph& known);

}  // namespace assay
