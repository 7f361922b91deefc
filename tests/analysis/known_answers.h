// The subjects with known answers, from their SQL; and again with every table, column and program renamed,
// because nothing may depend on a name.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "sql/read.h"

namespace assay::analysis {

// The application of files in examples/programs; empty `programs`: all of them.
sql::Application example(const std::vector<std::string>& files,
                         const std::vector<std::string>& programs = {});

using Cycle = std::multiset<std::string>;  // the programs on it
std::set<Cycle> cycles(const Analysis& analysis, const sql::Application& application);

struct KnownAnswer {
  std::string name;
  std::vector<std::string> files;
  std::vector<std::string> programs;
  std::string levels;
  unsigned cycle;
  bool prove;
  Outcome outcome;
  std::vector<Cycle> anomalies{};  // must be among those found
  bool all_of_them = false;        // and there are no others
};

inline void PrintTo(const KnownAnswer& known, std::ostream* out) { *out << known.name; }

// Those of the tables in the literature that take seconds.
std::vector<KnownAnswer> known_answers();
// Of these, the ones that are quick enough to be asked twice, or the others.
std::vector<KnownAnswer> quick_answers(bool quick);

// What the analysis says when it is asked that way.
Analysis analysis_of(const KnownAnswer& known, const sql::Application& application,
                     const std::string& levels);

// Analyses and expects the answer; `renamed` with other words for everything that has a name.
void expect_answer(const KnownAnswer& known, bool renamed);

// Two levels, as parse_levels() reads them, allow the same cycles.
void expect_same_answers(const sql::Application& application, const std::string& one,
                         const std::string& other, unsigned cycle, bool prove);

}  // namespace assay::analysis
