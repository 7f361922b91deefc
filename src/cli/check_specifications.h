// `assay check --spec`: judges small histories by specifications.
#pragma once

#include "cli/command.h"

namespace assay::cli {

struct SpecificationCheck {
  const std::vector<std::string>& histories;
  const std::vector<std::string>& specifications;
  const Format* format;
  std::optional<double> timeout;
  std::optional<std::size_t> memory;
  bool json, quiet;
  const ReadOptions& reading;
};
Exit check_specifications(const SpecificationCheck& check);

}  // namespace assay::cli
