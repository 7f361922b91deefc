// Findings as the rooms that ask for a judgement take them: they keep alive the history that they look at.
#pragma once

#include <memory>
#include <utility>

#include "cli/judge.h"

namespace assay::cli {

inline Result<std::shared_ptr<const Findings>> shared_findings(Result<JudgedFile> judged) {
  if (!judged) return std::move(judged).error();
  const auto kept = std::make_shared<const JudgedFile>(std::move(judged).value());
  return std::shared_ptr<const Findings>(kept, &kept->findings());
}

}  // namespace assay::cli
