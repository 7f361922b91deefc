#include "analysis/analyze.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/encoding.h"
#include "analysis/proof.h"
#include "analysis/queries.h"
#include "analysis/search.h"

namespace assay::analysis {

Analysis analyze(const sql::Application& application, const Levels& levels, const Options& options) {
  const Facts facts(application, levels, options);
  std::vector<Footprint> footprints;
  for (std::size_t p = 0; p < application.programs.size(); ++p) footprints.push_back(footprint(facts, p));
  Queries queries(facts, footprints);
  Analysis analysis;
  const std::vector<Answer> possible = possible_edges(application.programs.size(), queries);
  search(facts, queries, possible, analysis);
  if (options.prove && !queries.stopped()) prove(facts, queries, possible, analysis);
  analysis.queries = queries.asked();
  analysis.undecided_queries = queries.undecided();
  if (queries.stopped()) analysis.notes.push_back("stopped before all questions were answered");
  return analysis;
}

}  // namespace assay::analysis
