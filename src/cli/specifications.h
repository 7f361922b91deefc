// What find, compare, lattice and check --spec share: loading specifications, scopes, limits, and printing
// histories.
#pragma once

#include "cli/command.h"
#include "cli/progress_line.h"
#include "spec_report/pages.h"
#include "spec_report/words.h"
#include "synthesis/find.h"

namespace assay::cli {

using spec_report::hist_text, spec_report::in_words, spec_report::why_undecided;

struct ScopeArguments {
  std::string scope = "4,3";
  bool duplicates = false, no_blind_writes = false, no_sessions = false, non_repeatable_reads = false;
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

// `"scope":[4,3,5],"duplicates":false,...`
std::string scope_as_json(const synthesis::Scope& scope);
void describe_effort(const synthesis::Effort& effort);
std::string json_list(const std::vector<std::string>& words);
std::string json_text(std::string_view text);

}  // namespace assay::cli
