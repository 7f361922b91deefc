#include "sql/settings.h"

#include <algorithm>
#include <array>

#include "sql/words.h"

namespace assay::sql {
namespace {

constexpr auto kHarmless = std::to_array<std::string_view>({
    // Who is asking, and where names are looked for.
    "role",
    "row_security",
    "search_path",
    "session_authorization",
    // How values are shown, and texts are read whose value is not calculated here.
    "bytea_output",
    "client_encoding",
    "datestyle",
    "default_text_search_config",
    "extra_float_digits",
    "intervalstyle",
    "names",
    "quote_all_identifiers",
    "timezone",
    "xmlbinary",
    "xmloption",
    // Access modes; levels are read in another place (isolation.h).
    "default_transaction_deferrable",
    "default_transaction_read_only",
    "session characteristics",
    "transaction",
    "transaction_deferrable",
    "transaction_read_only",
    // Who waits how long, what is written to logs, where things are stored.
    "allow_system_table_mods",
    "application_name",
    "check_function_bodies",
    "client_min_messages",
    "commit_delay",
    "commit_siblings",
    "deadlock_timeout",
    "default_table_access_method",
    "default_tablespace",
    "default_toast_compression",
    "default_with_oids",
    "idle_in_transaction_session_timeout",
    "idle_session_timeout",
    "lc_messages",
    "lc_monetary",
    "lc_numeric",
    "lc_time",
    "lock_timeout",
    "maintenance_work_mem",
    "standard_conforming_strings",
    "statement_timeout",
    "synchronize_seqscans",
    "synchronous_commit",
    "temp_buffers",
    "temp_file_limit",
    "temp_tablespaces",
    "vacuum_cost_delay",
    "vacuum_cost_limit",
    "wal_compression",
    "work_mem",
    // How queries are planned.
    "constraint_exclusion",
    "cpu_index_tuple_cost",
    "cpu_operator_cost",
    "cpu_tuple_cost",
    "cursor_tuple_fraction",
    "default_statistics_target",
    "effective_cache_size",
    "effective_io_concurrency",
    "from_collapse_limit",
    "hash_mem_multiplier",
    "join_collapse_limit",
    "parallel_setup_cost",
    "parallel_tuple_cost",
    "plan_cache_mode",
    "random_page_cost",
    "seq_page_cost",
});

constexpr auto kHarmlessBeginnings =
    std::to_array<std::string_view>({"auto_explain.", "debug_", "enable_", "geqo", "jit", "log_",
                                     "max_parallel_", "pg_stat_statements.", "track_"});

}  // namespace

bool is_harmless_setting(std::string_view name) {
  const std::string setting = lowered(name);
  if (std::ranges::find(kHarmless, setting) != kHarmless.end()) return true;
  if (std::ranges::any_of(kHarmlessBeginnings,
                          [&](std::string_view part) { return setting.starts_with(part); }))
    return true;
  // One with a dot is the application's own, or of a language.
  return setting.find('.') != setting.npos && !setting.starts_with("plpgsql.");
}

}  // namespace assay::sql
