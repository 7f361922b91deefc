// Histories and lattices of specifications as graphs.
#pragma once

#include "report/drawing.h"
#include "spec/core.h"
#include "synthesis/compare.h"

namespace assay::spec_report {

// The transactions with what they read and write, in the order of the numbers. Edges are session order, reads
// and the witnesses: of an order the steps from each transaction to the next one, of a relation all of it.
// The initial transaction, which precedes all, is left out.
Drawing drawing_of(const spec::HistoryFacts& facts, const spec::Specification& level,
                   const synthesis::Solution::Explanation& explanation);

// Where the page of a lattice tells of a level, and of a pair of neighbours.
std::string anchor_of_level(std::size_t level);
std::string anchor_of_pair(std::size_t stronger, std::size_t weaker);

// A level and those that are equivalent to it, as one box; the stronger ones are on top. Boxes and lines lead
// to these places.
Drawing drawing_of(const synthesis::Lattice& lattice);
std::string names_of_kind(const synthesis::Lattice& lattice, std::size_t level, std::string_view separator);

std::vector<std::string> operations_of(const spec::HistoryFacts& facts, std::uint32_t transaction);

}  // namespace assay::spec_report
