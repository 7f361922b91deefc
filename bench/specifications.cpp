// The benchmark of comparing specifications: 46 questions with known answers, 5 objects, 5 values, 3 to 7
// transactions.
//
//   bench_specifications            the table of docs/performance.md
//   bench_specifications problems   each problem by itself
//   bench_specifications ideas      what each idea is worth
//
// Seconds are CPU seconds of this process, for all sizes up to the one that is named, with the history's
// confirmation.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <ctime>

#include "spec/load.h"
#include "synthesis/find.h"

namespace {

using namespace assay;
using synthesis::FindOptions;
using synthesis::FindResult;

struct Question {
  std::vector<std::string> allow, forbid;
  std::size_t transactions;  // of the smallest history; 0: there is none
  const char* group;
};

std::vector<Question> questions() {
  std::vector<Question> all;
  const char *one = "one framework", *mixed = "mixed";
  const std::vector<std::pair<std::string, std::size_t>> levels{
      {"RA", 3}, {"CC", 4}, {"PC", 2}, {"SI", 2}, {"SER", 0}};
  for (const std::string a : {"biswas:", "cerone:"})
    for (const std::string b : {"biswas:", "cerone:"}) {
      const char* group = a == b ? one : mixed;
      for (std::size_t i = 0; i + 1 < levels.size(); ++i)
        all.push_back({{a + levels[i].first}, {b + levels[i + 1].first}, levels[i].second, group});
      for (const std::string c : {"biswas:", "cerone:"})
        all.push_back({{a + "SI", c + "UpdateSer"}, {b + "SER"}, 3, a == b && b == c ? one : mixed});
      for (std::size_t i = 0; a == b && i + 1 < levels.size(); ++i)
        all.push_back({{a + levels[i + 1].first}, {a + levels[i].first}, 0, one});
      for (std::size_t i = 0; a != b && i < levels.size(); ++i)
        all.push_back({{a + levels[i].first}, {b + levels[i].first}, 0, mixed});
    }
  all.push_back({{"plume:RA"}, {"biswas:RA"}, 2, one});
  all.push_back({{"biswas:RA"}, {"plume:RA"}, 0, one});
  all.push_back({{"biswas:CC"}, {"plume:CC"}, 0, one});
  all.push_back({{"plume:CC"}, {"biswas:CC"}, 0, one});
  return all;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Answered {
  double seconds;
  bool right, stopped;
  synthesis::Effort effort;
};

Answered answer(const Question& question, std::size_t transactions, FindOptions options, double limit) {
  synthesis::Problem problem;
  for (const std::string& name : question.allow)
    problem.allow.push_back(spec::load_specification(name).value());
  for (const std::string& name : question.forbid)
    problem.forbid.push_back(spec::load_specification(name).value());
  options.scope = {transactions, 5, 5};
  const double start = cpu_seconds();
  options.stop = [&]() -> std::optional<std::string> {
    return cpu_seconds() - start > limit ? std::optional<std::string>("time") : std::nullopt;
  };
  const auto result = find(problem, options);
  const double seconds = cpu_seconds() - start;
  const std::size_t size =
      !result || result->found.empty() ? 0 : result->found[0].solution.facts.transactions - 1;
  const std::size_t expected = question.transactions <= transactions ? question.transactions : 0;
  return {seconds, result && size == expected, result && result->kind == FindResult::Kind::Stopped,
          result ? result->effort : synthesis::Effort{}};
}

std::string name_of(const Question& question) {
  return fmt::format("{{{}, !{}}}", fmt::join(question.allow, ", "), fmt::join(question.forbid, ", "));
}

std::size_t peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) / 1024;
}

int table() {
  constexpr std::size_t kSizes[] = {3, 4, 5, 6, 7};
  fmt::print("| class | problems | 3 | 4 | 5 | 6 | 7 |\n|---|---|---|---|---|---|---|\n");
  int wrong = 0;
  for (const bool satisfiable : {true, false})
    for (const std::string_view group : {"one framework", "mixed"}) {
      std::vector<Question> members;
      for (const Question& question : questions())
        if ((question.transactions > 0) == satisfiable && question.group == group)
          members.push_back(question);
      fmt::print("| {}, {} | {} |", satisfiable ? "SAT" : "UNSAT", group, members.size());
      for (const std::size_t size : kSizes) {
        std::vector<double> seconds;
        for (const Question& question : members) {
          const Answered answered = answer(question, size, {}, 3600);
          wrong += answered.right && !answered.stopped ? 0 : 1;
          seconds.push_back(answered.seconds);
        }
        std::ranges::sort(seconds);
        fmt::print(" {:.3f} / {:.3f} |", seconds[seconds.size() / 2], seconds.back());
        std::fflush(stdout);
      }
      fmt::print("\n");
    }
  fmt::print("\n{} wrong answers; peak memory {} MB\n", wrong, peak_megabytes());
  return wrong;
}

void problems() {
  for (const Question& question : questions())
    for (const std::size_t size : {3, 4, 5, 6, 7}) {
      const Answered answered = answer(question, size, {}, 3600);
      fmt::print("{}\t{}\t{:.3f}\t{}\tcandidates {} instances {} clauses {}\n", name_of(question), size,
                 answered.seconds, answered.right ? "right" : "WRONG", answered.effort.candidates,
                 answered.effort.instances, answered.effort.clauses);
    }
}

// Each idea taken away, and all of them; a problem that takes longer than the limit counts as the limit.
void ideas() {
  constexpr double kLimit = 30;
  constexpr std::size_t kTransactions = 5;
  fmt::print(
      "| without | CPU s, all 46 | slowest | not answered in {:.0f} s | candidates "
      "|\n|---|---|---|---|---|\n",
      kLimit);
  const std::pair<const char*, synthesis::SearchOptions> rows[] = {
      {"nothing", {}},
      {"numbering and sorting", {.numbered = false}},
      {"witnesses by terms", {.symbolic = false}},
      {"cycles instead of orders", {.shortcut = false}},
      {"generalising", {.generalise = false}},
      {"keeping the verifier", {.incremental = false}},
      {"witnesses by terms, cycles, generalising",
       {.symbolic = false, .shortcut = false, .generalise = false}}};
  for (const auto& [name, search] : rows) {
    double total = 0, slowest = 0;
    std::size_t stopped = 0, candidates = 0;
    for (const Question& question : questions()) {
      FindOptions options;
      options.search = search;
      const Answered answered = answer(question, kTransactions, options, kLimit);
      total += answered.seconds;
      slowest = std::max(slowest, answered.seconds);
      stopped += answered.stopped ? 1 : 0;
      candidates += answered.effort.candidates;
    }
    fmt::print("| {} | {:.2f} | {:.2f} | {} | {} |\n", name, total, slowest, stopped, candidates);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "problems") == 0) return problems(), 0;
  if (argc > 1 && std::strcmp(argv[1], "ideas") == 0) return ideas(), 0;
  return table() == 0 ? 0 : 1;
}
