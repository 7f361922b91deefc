// The files that `assay check` writes in addition to what it prints.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "report/findings.h"
#include "report/junit.h"

namespace assay::cli {

class Outputs {
 public:
  std::string report, dot, svg, junit, certificate;  // names of files; empty: not wanted
  std::string command;                               // as the user typed it
  std::optional<std::uint64_t> seed;                 // of a run or a generated history

  // Returns an error if a file about one history is requested for several.
  Result<void> possible_for(std::size_t histories) const;
  bool need_stories() const { return !(report + dot + svg + junit).empty(); }

  Result<void> write(const Findings& findings);
  void note(const std::string& file, const Error& problem);  // records a history that was not judged
  Result<void> finish();                                     // writes the files about all histories

 private:
  std::vector<JunitSuite> suites_;
};

}  // namespace assay::cli
