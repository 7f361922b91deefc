// The program `assay`: registers the commands, checks and runs the command line, and hides passwords in it.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "api/version.h"
#include "base/similar.h"
#include "cli/command.h"
#include "collect/url.h"

namespace {

using assay::cli::Exit;

constexpr const char* kOverview = R"(Assay tests the metal of transaction isolation.

  assay run                         run a workload on a database, record what it did, and judge it
  assay matrix                      which levels does each available database really keep
  assay check HISTORY               does it satisfy an isolation level, and if not, why
  assay sweep PATH...               the same for thousands of histories, on all cores
  assay merge RESULTS...            the results of several sweeps together
  assay client-test COMMAND         does a client of yours speak the protocol of assay run --client
  assay clean --db URL              remove what runs that were killed left in a database
  assay explain HISTORY             the same, with the whole story of each violation
  assay certify HISTORY CERTIFICATE check the evidence for a verdict, independently of what found it
  assay stats HISTORY               what a history is made of
  assay convert IN OUT              from any format to any other
  assay generate OUT                a history of a chosen level, from a simulated store
  assay levels                      the isolation levels and what implies what
  assay find --allow A --forbid B   a history that some specifications allow and others forbid
  assay compare A B                 how two specifications relate, with histories that tell them apart
  assay prove A B                   the same for histories of all sizes, proved where it is so
  assay lattice SPEC...             how several do, drawn
  assay analyze FILE.sql...         are SQL transaction programs safe at a weaker level, before they run

Try it:
  assay run
  assay matrix --report matrix.html
  assay generate --isolation si --txns 1000 h.jsonl
  assay check --level all h.jsonl
  assay stats h.jsonl

Every command explains itself: assay COMMAND --help
)";

// "assay 0.1.0 (db9013b0aabb)"
std::string version_line() {
  const std::string commit = assay::commit();
  return std::string("assay ") + assay::version() + (commit.empty() ? "" : " (" + commit + ")");
}

std::string refuse_odd_whole(const std::string& text) {
  const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool octal = digits.size() > 1 && digits[0] == '0';
  if (problem == std::errc() && end == digits.data() + digits.size() && !octal) return {};
  return text + " is not a whole number that fits";
}

std::string refuse_odd_count(const std::string& text) {
  if (std::string problem = refuse_odd_whole(text); !problem.empty()) return problem;
  return text.starts_with('-') ? text + " is less than 0" : std::string();
}

std::string refuse_odd_number(const std::string& text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc() && end == text.data() + text.size() && std::isfinite(number)) return {};
  return text + " is not a number";
}

// CLI11 takes -1 for the largest count, 010 for 8, and accepts nan, which passes every range check. So this
// checks every option of every command against its type.
void hold_numbers_to_their_types(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      const std::string type = option->get_type_name();
      if (type.starts_with("UINT")) option->check(CLI::Validator(refuse_odd_count, "", ""));
      else if (type.starts_with("INT")) option->check(CLI::Validator(refuse_odd_whole, "", ""));
      else if (type.starts_with("FLOAT")) option->check(CLI::Validator(refuse_odd_number, "", ""));
    }
  }
}

// What was probably meant by a word that is neither a command nor an option.
std::string hint_for(const CLI::App& app, const std::vector<std::string>& words) {
  const auto chosen = app.get_subcommands();
  std::vector<std::string> known;
  if (chosen.empty()) {
    for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
    return words.size() < 2 ? "" : assay::did_you_mean(words[1], known);
  }
  for (const CLI::Option* option : chosen.front()->get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string option = words[i].substr(0, words[i].find('='));
    if (!option.starts_with("--") || std::ranges::find(known, option) != known.end()) continue;
    if (std::string hint = assay::did_you_mean(option, known); !hint.empty()) return hint;
  }
  return {};
}

int usage_error(const CLI::App& app, const std::vector<std::string>& words, const CLI::ParseError& problem) {
  const auto chosen = app.get_subcommands();
  const std::string help =
      chosen.empty() ? "assay --help" : "assay " + chosen.front()->get_name() + " --help";
  const bool is_unknown = dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr;
  const std::string hint = is_unknown ? hint_for(app, words) : "";
  return static_cast<int>(
      assay::cli::fail(assay::error(problem.what(), hint.empty() ? "try " + help : hint + " " + help)));
}

// Quotes the arguments for a shell, so that others can repeat the command.
std::string as_typed(const std::vector<std::string>& words) {
  std::string text = "assay";
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789-_=+,./:@%") == std::string_view::npos;
    text += ' ';
    if (plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

// The command line, and a copy without passwords.
struct Typed {
  std::vector<std::string> words, shown;
};

// Overwrites passwords in the process's argument list, which all users of the machine can see, and hides them
// in messages.
Typed take_arguments(int argc, char** argv) {
  Typed typed{{argv, argv + argc}, {}};
  for (int i = 0; i < argc; ++i) {
    const std::string& word = typed.words[static_cast<std::size_t>(i)];
    const std::string& shown = typed.shown.emplace_back(i == 0 ? word : assay::hide_password(word));
    for (std::size_t at = 0; at < word.size(); ++at) argv[i][at] = at < shown.size() ? shown[at] : '\0';
    assay::cli::show_as(word, shown);
    if (const std::size_t equals = word.find('='); word.starts_with("--") && equals != std::string::npos)
      assay::cli::show_as(word.substr(equals + 1), shown.substr(equals + 1));
  }
  return typed;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Assay: did the database keep its isolation promise?", "assay"};
  app.set_version_flag("--version", version_line());
  app.require_subcommand(0, 1);
  Exit exit = Exit::Holds;
  const Typed typed = take_arguments(argc, argv);
  const std::vector<std::string>& words = typed.words;
  const std::string command_line = as_typed(typed.shown);
  assay::cli::add_run(app, exit, command_line);
  assay::cli::add_matrix(app, exit, command_line);
  assay::cli::add_check(app, exit, command_line);
  assay::cli::add_client_test(app, exit);
  assay::cli::add_clean(app, exit);
  assay::cli::add_explain(app, exit, command_line);
  assay::cli::add_certify(app, exit);
  assay::cli::add_stats(app, exit);
  assay::cli::add_sweep(app, exit, command_line);
  assay::cli::add_watch(app, exit);
  assay::cli::add_merge(app, exit, command_line);
  assay::cli::add_convert(app, exit);
  assay::cli::add_generate(app, exit);
  assay::cli::add_levels(app, exit);
  assay::cli::add_find(app, exit, command_line);
  assay::cli::add_compare(app, exit, command_line);
  assay::cli::add_prove(app, exit);
  assay::cli::add_lattice(app, exit, command_line);
  assay::cli::add_analyze(app, exit, command_line);

  hold_numbers_to_their_types(app);

  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));  // CLI11 wants reverse order
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    assay::cli::print(chosen.empty() ? std::string(kOverview) : chosen.front()->help("assay") + "\n");
  } catch (const CLI::CallForVersion& version) {
    assay::cli::print(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& problem) {
    return usage_error(app, typed.shown, problem);
  }
  if (argc == 1) assay::cli::print(kOverview);
  if (std::fflush(stdout) != 0) exit = assay::cli::fail(assay::error("cannot write to standard output"));
  return static_cast<int>(exit);
}
