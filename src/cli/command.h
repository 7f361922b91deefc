// What the commands share: how they are registered, how they fail, the exit codes of the contract.
//
// The command line is the only place that prints or exits. A command registers itself on the CLI11
// application and, when it runs, leaves its exit code; problems go to stderr as one line,
// `assay: FILE:LINE: what is wrong (what to do)`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "history_io/format.h"

namespace assay::cli {

enum class Exit : int {
  Holds = 0,      // every requested level holds / the job succeeded
  Found = 1,      // a requested level is violated / an anomaly or a difference was found
  Bad = 2,        // bad usage, bad input, a missing file: nothing was judged
  Undecided = 3,  // a limit was reached first
};

// Each registers one sub-command; `exit` is where it leaves its code. `command_line` is what the user typed.
void add_analyze(CLI::App& app, Exit& exit, const std::string& command_line);
void add_certify(CLI::App& app, Exit& exit);
void add_check(CLI::App& app, Exit& exit, const std::string& command_line);
void add_compare(CLI::App& app, Exit& exit, const std::string& command_line);
void add_convert(CLI::App& app, Exit& exit);
void add_explain(CLI::App& app, Exit& exit, const std::string& command_line);
void add_find(CLI::App& app, Exit& exit, const std::string& command_line);
void add_generate(CLI::App& app, Exit& exit);
void add_lattice(CLI::App& app, Exit& exit, const std::string& command_line);
void add_levels(CLI::App& app, Exit& exit);
void add_matrix(CLI::App& app, Exit& exit, const std::string& command_line);
void add_prove(CLI::App& app, Exit& exit);
void add_run(CLI::App& app, Exit& exit, const std::string& command_line);
void add_stats(CLI::App& app, Exit& exit);

// Says on stderr what is wrong.
Exit fail(const Error& problem);
void warn(const std::string& message);
void print(const std::string& text);  // on stdout
// One line of stderr that keeps changing, on a terminal only; nothing takes it away.
void show_progress(const std::string& text);

Result<void> write_text(const std::string& file, std::string_view text);

// The format that an option names; null when the option was not given.
Result<const Format*> format_option(const std::string& id);

// What numbers of options are held to; main.cpp holds them to their types.
CLI::Validator at_least_zero();
CLI::Validator more_than_zero();

// 10000 -> "10,000"
std::string with_commas(std::uint64_t number);

}  // namespace assay::cli
