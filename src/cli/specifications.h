// What find, compare, lattice and check --spec share: loading specifications, scopes, limits, and printing
// histories.
#pragma once

#include "cli/command.h"
#include "cli/progress_line.h"
#include "synthesis/find.h"

namespace assay::cli {

struct ScopeArguments {
  std::string scope = "4,3,3";
  bool duplicates = false, no_blind_writes = false;
  std::optional<double> timeout;
  std::optional<std::size_t> memory;
  bool verbose = false;
  bool no_symmetry = false, no_symbolic = false, no_shortcuts = false, no_generalising = false,
       fresh_verifiers = false;
};
void add_scope_options(CLI::App& command, ScopeArguments& arguments);

// The budget must outlive the result.
Result<synthesis::FindOptions> find_options(const ScopeArguments& arguments, Budget& budget);

// SPEC, or several separated by commas.
Result<std::vector<spec::Specification>> load_specifications(const std::vector<std::string>& lists);

// A history as a `.hist` file, with what is known about it as comments.
std::string as_hist(const synthesis::Problem& problem, const synthesis::Found& found);
std::string found_as_json(const synthesis::Problem& problem, const synthesis::Found& found);

// `4 transactions, 3 objects and 3 values`
std::string in_words(const synthesis::Scope& scope);
void describe_effort(const synthesis::Effort& effort);
std::string json_list(const std::vector<std::string>& words);
std::string json_text(std::string_view text);

// Writes the report (--report) of a history that was found, judged at every level that applies to it.
Result<void> write_found_report(const synthesis::Found& found, const std::string& file,
                                const std::string& command);

}  // namespace assay::cli
