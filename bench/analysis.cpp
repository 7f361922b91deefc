// The results of "Detecting serializability violations under weak consistency" that can be asked of
// `assay analyze`: the benchmarks' programs, the level, the length of cycles, what was published, what comes
// out, and the CPU seconds it takes. As a Markdown table; the exit code is 1 if an answer differs.
#include <fmt/format.h>

#include <ctime>

#include "analysis/known_answers.h"

namespace {

using namespace assay;
using namespace assay::analysis;

std::string in_words(Outcome outcome) {
  switch (outcome) {
    case Outcome::AnomalyFound: return "anomaly";
    case Outcome::NoneUpToCycle: return "none up to k";
    case Outcome::Serializable: return "serializable";
    case Outcome::NotDecided: break;
  }
  return "undecided";
}

template <class Range>
std::string listed(const Range& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

int main() {
  std::size_t differ = 0;
  double slowest = 0;
  fmt::print("| subject | programs | levels | k | proved | known answer | Assay | CPU, s |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  for (const KnownAnswer& known : known_answers()) {
    const sql::Application application = example(known.files, known.programs);
    const std::clock_t start = std::clock();
    const Outcome outcome = analysis_of(known, application, known.levels).outcome;
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    slowest = std::max(slowest, seconds);
    const bool right = outcome == known.outcome;
    differ += right ? 0 : 1;
    fmt::print("| {} | {} | {} | {} | {} | {} | {}{} | {:.2f} |\n", listed(known.files),
               known.programs.empty() ? "all" : listed(known.programs), known.levels, known.cycle,
               known.prove ? "yes" : "", in_words(known.outcome), in_words(outcome),
               right ? "" : " (differs)", seconds);
    std::fflush(stdout);
  }
  fmt::print("\n{} differ; the slowest takes {:.2f} CPU seconds\n", differ, slowest);
  return differ == 0 ? 0 : 1;
}
