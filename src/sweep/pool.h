// Does pieces of work in child processes, as many at once as asked for.
//
// A process of its own keeps a piece that needs too much memory, or meets a defect, from ending the others,
// and a limit of memory counts for each piece alone. A child takes pieces one after another until there are
// none; one that dies is replaced, and only the piece that it had is lost.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace assay::sweep {

struct Work {
  std::size_t pieces = 0;
  std::size_t processes = 1;
  std::function<std::string(std::size_t piece)> run{};  // in a child; must not print
  // In the parent, in the order in which pieces end. Without an answer, the child died: `how` says of what.
  std::function<void(std::size_t piece, std::optional<std::string> answer, const std::string& how)> done{};
  // Asked now and then. True: children are killed, and what they were doing is lost.
  std::function<bool()> stop = [] { return false; };
};

// Pieces are started in their order. The caller must not have other threads.
Result<void> run_in_processes(const Work& work);

}  // namespace assay::sweep
