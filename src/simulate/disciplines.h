// The disciplines that decide which versions a simulated store shows; store.h compares them.
#pragma once

#include "simulate/store.h"

namespace assay {

// Whether two transactions may write the same key when neither sees the other.
enum class WriteConflicts : std::uint8_t { Allowed, Refused };
// Which places in the serial order a transaction may take (timestamp.cpp).
enum class Places : std::uint8_t { InThePast, WithinTheTransaction };

std::unique_ptr<Store> make_read_committed_store(const StoreOptions& options);
std::unique_ptr<Store> make_read_atomic_store(const StoreOptions& options);
std::unique_ptr<Store> make_causal_store(const StoreOptions& options, WriteConflicts conflicts);
std::unique_ptr<Store> make_prefix_store(const StoreOptions& options, WriteConflicts conflicts);
std::unique_ptr<Store> make_timestamp_store(const StoreOptions& options, Places places);

}  // namespace assay
