// Workloads on a table of rows that are found by predicate or by range.
//
// Rows are numbered from kFirstRow, so that planted transactions have keys in no range; and planted rows are
// negative, so that no filter matches them.
#pragma once

#include "simulate/workload.h"

namespace assay {

inline constexpr std::size_t kFirstRow = 10;

// BlindW-Pred: selects and updates of the rows that have one of two columns in some range.
std::unique_ptr<Workload> make_predicates(const GeneratorOptions& options, std::uint64_t seed,
                                          WorkloadClient client);
// V-Range: inserts, deletes, reads, writes and range queries, a transaction of one kind each.
std::unique_ptr<Workload> make_ranges(const GeneratorOptions& options, std::uint64_t seed,
                                      WorkloadClient client);

}  // namespace assay
