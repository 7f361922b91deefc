#include "analysis/analyze.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/encoding.h"
#include "analysis/harmless.h"
#include "analysis/proof.h"
#include "analysis/queries.h"
#include "analysis/search.h"

namespace assay::analysis {
namespace {

void drop_harmless(const sql::Application& application, const Facts& facts,
                   std::span<const Footprint> footprints, Analysis& analysis) {
  const std::size_t before = analysis.anomalies.size();
  std::erase_if(analysis.anomalies, [&](const FoundAnomaly& anomaly) {
    if (!anomaly.complete) return false;  // it needs others, of whom the question below knows nothing
    Tuple cycle;
    for (const Call& call : anomaly.calls) cycle.push_back(call.program);
    return harmful(application, facts, footprints, cycle) == Answer::Impossible;
  });
  analysis.harmless = before - analysis.anomalies.size();
  if (analysis.outcome == Outcome::AnomalyFound && analysis.anomalies.empty())
    analysis.outcome = Outcome::NoneUpToCycle;
}

}  // namespace

Analysis analyze(const sql::Application& application, const Levels& asked, const Options& options) {
  Analysis analysis;
  const Levels levels = with_own_levels(asked, application, analysis.notes);
  const Facts facts(application, levels, options);
  std::vector<Footprint> footprints;
  for (std::size_t p = 0; p < application.programs.size(); ++p) footprints.push_back(footprint(facts, p));
  Queries queries(facts, footprints);
  const std::vector<Answer> possible = possible_edges(application.programs.size(), queries);
  search(facts, queries, possible, analysis);
  if (options.drop_harmless) drop_harmless(application, facts, footprints, analysis);
  // What was dropped is still a cycle, on which every proof would rest that there is none.
  if (options.prove && analysis.harmless == 0 && !queries.stopped()) {
    prove(facts, queries, possible, analysis);
    if (options.drop_harmless) drop_harmless(application, facts, footprints, analysis);
  }
  analysis.queries = queries.asked();
  analysis.undecided_queries = queries.undecided();
  if (queries.stopped()) analysis.notes.push_back("stopped before all questions were answered");
  return analysis;
}

}  // namespace assay::analysis
