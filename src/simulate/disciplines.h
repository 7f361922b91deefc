// The disciplines by which a store decides what is visible; store.h compares them.
#pragma once

#include "simulate/store.h"

namespace assay {

// Of two transactions that write the same key, neither of which sees the other.
enum class WriteConflicts : std::uint8_t { Allowed, Refused };
// Where in the serial order a transaction may stand.
enum class Places : std::uint8_t { InThePast, WithinTheTransaction };

std::unique_ptr<Store> make_read_committed_store(const StoreOptions& options);
std::unique_ptr<Store> make_read_atomic_store(const StoreOptions& options);
std::unique_ptr<Store> make_causal_store(const StoreOptions& options, WriteConflicts conflicts);
std::unique_ptr<Store> make_prefix_store(const StoreOptions& options, WriteConflicts conflicts);
std::unique_ptr<Store> make_timestamp_store(const StoreOptions& options, Places places);

}  // namespace assay
