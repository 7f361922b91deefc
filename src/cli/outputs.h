// The files that check writes beside what it prints.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "report/findings.h"

namespace assay::cli {

class Outputs {
 public:
  std::string report, dot, svg, junit, certificate;  // names of files; empty: not wanted
  std::string command;                               // as the user gave it
  std::optional<std::uint64_t> seed;                 // where something was drawn at random

  // An error when a file about one history is wanted for several.
  Result<void> possible_for(std::size_t histories) const;
  bool need_stories() const { return !(report + dot + svg + junit).empty(); }

  Result<void> write(const Findings& findings);
  void note(const std::string& file, const Error& problem);  // it could not be judged
  Result<void> finish();                                     // what is about all histories

 private:
  std::vector<std::string> suites_;
};

}  // namespace assay::cli
