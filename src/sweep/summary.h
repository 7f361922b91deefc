// The results of a sweep as a table for a terminal, as an index page, and as JUnit XML.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "report/junit.h"
#include "report/page.h"
#include "sweep/results.h"

namespace assay::sweep {

struct Summary {
  struct OfLevel {
    std::string level;
    std::size_t holds = 0, violated = 0, undecided = 0;
  };
  std::size_t histories = 0, transactions = 0, bytes = 0;
  std::size_t hold = 0, violated = 0, undecided = 0,
              not_judged = 0;                    // histories, by the worst that was found
  std::vector<OfLevel> levels;                   // in the order of the request
  std::map<std::string, std::size_t> anomalies;  // histories with a violation of this name
};

Summary summarise(std::span<const HistoryResult> results);
std::string as_table(const Summary& summary);

// FILE LEVEL VERDICT SECONDS ANOMALY, separated by tabs, as assay check prints them; `all`: also what holds.
std::string verdict_lines(const HistoryResult& result, bool all);

std::vector<JunitSuite> junit_suites(std::span<const HistoryResult> results);

// Histories that did not hold come first, with links to their pages.
std::string index_page(std::span<const HistoryResult> results, const Tool& tool);

}  // namespace assay::sweep
