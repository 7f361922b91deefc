// What the commands share: registration, errors, exit codes.
//
// Only this folder prints or exits. A command registers itself with the CLI11 application. When it runs, it
// stores its exit code. Errors go to stderr as one line, `assay: FILE:LINE: what is wrong (what to do)`.
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

// Each registers one sub-command, which stores its exit code in `exit`. `command_line`: what the user typed.
void add_analyze(CLI::App& app, Exit& exit, const std::string& command_line);
void add_certify(CLI::App& app, Exit& exit);
void add_check(CLI::App& app, Exit& exit, const std::string& command_line);
void add_clean(CLI::App& app, Exit& exit);
void add_client_test(CLI::App& app, Exit& exit);
void add_compare(CLI::App& app, Exit& exit, const std::string& command_line);
void add_convert(CLI::App& app, Exit& exit);
void add_explain(CLI::App& app, Exit& exit, const std::string& command_line);
void add_find(CLI::App& app, Exit& exit, const std::string& command_line);
void add_generate(CLI::App& app, Exit& exit);
void add_lattice(CLI::App& app, Exit& exit, const std::string& command_line);
void add_levels(CLI::App& app, Exit& exit);
void add_matrix(CLI::App& app, Exit& exit, const std::string& command_line);
void add_merge(CLI::App& app, Exit& exit, const std::string& command_line);
void add_prove(CLI::App& app, Exit& exit);
void add_run(CLI::App& app, Exit& exit, const std::string& command_line);
void add_stats(CLI::App& app, Exit& exit);
void add_sweep(CLI::App& app, Exit& exit, const std::string& command_line);
void add_watch(CLI::App& app, Exit& exit);

// Prints the error on stderr.
Exit fail(const Error& problem);
void warn(const std::string& message);
// From now on, messages on stderr show the second text wherever they would quote the first: a password that
// was typed.
void show_as(const std::string& typed, const std::string& shown);
void print(const std::string& text);  // to stdout
// Overwrites one line of stderr, if it is a terminal; an empty text clears it. Elsewhere it prints a line
// every ten seconds.
void show_progress(const std::string& text);

Result<void> write_text(const std::string& file, std::string_view text);

// The format that an option names; null if the option was not given.
Result<const Format*> format_option(const std::string& id);

// The options that say what the file of a history does not say.
void add_reading_options(CLI::App& command, ReadOptions& options);

// Ranges of numeric options; main.cpp checks their types.
CLI::Validator at_least_zero();
CLI::Validator more_than_zero();

// 10000 -> "10,000"
std::string with_commas(std::uint64_t number);

}  // namespace assay::cli
