// Real time as edges, in linear size.
//
// That one point is before another because clocks tell them apart concerns almost all pairs. Instead there
// are nodes of time, in a chain: a point goes into the first one that comes after its latest instant (and the
// skew), and each point is after the last one that its earliest instant allows. So a path through times leads
// from p to q exactly when p precedes q in real time. Points that nothing parts share their time.
//
// No level orders two snapshots in real time, so a chain serves one kind of target: commits, which all
// sources precede, or snapshots, which only commits do. With one point per transaction there is one chain.
#pragma once

#include "dependency/points.h"

namespace assay {

void add_real_time(const History& history, const ReadFacts& facts, const PointRules& rules,
                   KnownGraph& known);

}  // namespace assay
