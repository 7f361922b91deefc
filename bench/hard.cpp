// How far the search comes with histories that are built to hurt (hard_histories.h).
//
//     bench_hard [LIMIT [THREADS [KIND]]]
//
// Without the assumption of check/assumption.h where NO_ASSUMPTION is set in the environment.
//
// Of each kind in growing sizes, five histories each, at ser and si: how many hold, are violated, or were
// undecided after LIMIT seconds (default 10); seconds by the wall clock, and choices and conflicts of the
// search that answered, as medians, with the longest time beside them. A kind ends where most of a size are
// undecided. KIND: only the kinds whose name begins with this.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "check/check.h"
#include "hard_histories.h"

namespace {

using namespace assay;
using Clock = std::chrono::steady_clock;

struct Kind {
  std::string_view name;
  std::vector<std::size_t> sizes;
  std::function<History(std::size_t, Random&)> make;
};

History formula(std::size_t variables, Random& random) {
  const auto clauses = static_cast<std::size_t>(4.26 * static_cast<double>(variables));
  return history_of(random_formula(random, variables, clauses), random);
}

// Of the shapes that were tried these leave the search the most to do: with more reads nearly everything
// follows without it, with fewer nearly any order is right.
ForgottenExecution forgotten(std::size_t transactions) {
  return {.transactions = transactions, .keys = transactions / 4, .writes = 4, .reads = 1};
}

ForgottenExecution repeated(std::size_t transactions) {
  return {.transactions = transactions, .keys = 8, .writes = 1, .reads = 4, .values = 3};
}

History disturbed(ForgottenExecution shape, Random& random) {
  shape.disturbed = true;
  return history_of(shape, random);
}

const std::array kKinds{
    Kind{"formula", {20, 40, 60, 80, 100, 120, 140, 160}, formula},
    Kind{"pigeons",
         {4, 5, 6, 7, 8, 9},
         [](std::size_t holes, Random& r) { return history_of(pigeons(holes), r); }},
    Kind{"forgotten",
         {50, 100, 200, 300, 400, 600},
         [](std::size_t n, Random& r) { return history_of(forgotten(n), r); }},
    Kind{"forgotten, disturbed",
         {50, 100, 200, 300, 400, 600},
         [](std::size_t n, Random& r) { return disturbed(forgotten(n), r); }},
    Kind{"repeated",
         {40, 50, 60, 70, 80, 100},
         [](std::size_t n, Random& r) { return history_of(repeated(n), r); }},
    Kind{"repeated, disturbed",
         {40, 50, 60, 70, 80, 100},
         [](std::size_t n, Random& r) { return disturbed(repeated(n), r); }},
};

constexpr std::size_t kHistories = 5;

struct Run {
  std::size_t verdict;  // its place in the variant
  double seconds;
  CheckEffort effort;
};

struct Limits {
  double seconds = 10;
  std::size_t threads = 1;
};

Run judge(const History& history, Level level, const Limits& limits) {
  const auto start = Clock::now();
  const auto spent = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  Budget budget({.seconds = limits.seconds});
  CheckOptions options;
  options.portfolio.searches = limits.threads;
  if (std::getenv("NO_ASSUMPTION") != nullptr) options.assumption.after = UINT64_MAX;
  options.budget = &budget;
  Checker checker(history, options);
  const auto verdict = checker.judge(level);
  ASSAY_REQUIRE(verdict.has_value());
  return {verdict->index(), spent(), checker.effort()};
}

template <class Number>
auto median(const std::vector<Run>& runs, Number number) {
  std::vector<decltype(number(runs[0]))> numbers;
  for (const Run& run : runs) numbers.push_back(number(run));
  std::ranges::sort(numbers);
  return numbers[numbers.size() / 2];
}

// Whether most were decided.
bool print_row(const Kind& kind, std::size_t size, Level level, const Limits& limits) {
  std::vector<Run> runs;
  std::array<std::size_t, 3> verdicts{};
  std::size_t transactions = 0, operations = 0;
  double longest = 0;
  for (std::size_t seed = 1; seed <= kHistories; ++seed) {
    Random random(seed);
    const History history = kind.make(size, random);
    transactions = history.transaction_count();
    operations = history.operation_count();
    runs.push_back(judge(history, level, limits));
    ++verdicts[runs.back().verdict];
    longest = std::max(longest, runs.back().seconds);
  }
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {:.2f} | {:.2f} | {} | {} |\n", kind.name, size,
             transactions, operations, id(level), verdicts[0], verdicts[1], verdicts[2],
             median(runs, [](const Run& r) { return r.seconds; }), longest,
             median(runs, [](const Run& r) { return r.effort.choices; }),
             median(runs, [](const Run& r) { return r.effort.conflicts; }));
  std::fflush(stdout);
  return 2 * verdicts[2] < kHistories;
}

}  // namespace

int main(int argc, char** argv) {
  Limits limits;
  if (argc > 1) limits.seconds = std::strtod(argv[1], nullptr);
  if (argc > 2) limits.threads = std::strtoull(argv[2], nullptr, 10);
  const std::string_view only = argc > 3 ? argv[3] : "";
  fmt::print(
      "| kind | size | transactions | operations | level | hold | violated | undecided | s | longest s | "
      "choices | conflicts |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Kind& kind : kKinds) {
    if (!kind.name.starts_with(only)) continue;
    for (const Level level : {Level::Ser, Level::Si})
      for (const std::size_t size : kind.sizes)
        if (!print_row(kind, size, level, limits)) break;
  }
}
