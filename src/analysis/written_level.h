// A level in the specification language, as `FILE:LEVEL` or `cerone:UA`: axioms over vis and ar.
//
// The framework declares `ar : total order on Txn` and `vis : relation on Txn`, has `vis in ar`, and says
// what reads return as cerone does: these are the executions that the encoding is about. Which of the
// built-in axioms follow from the level is found out by asking the solver about three transactions, so that a
// built-in level that is written out is treated as the built-in one is; the axioms themselves hold besides.
#pragma once

#include <memory>

#include "analysis/store_level.h"
#include "spec/core.h"

namespace assay::analysis {

struct WrittenLevel {
  std::string name;
  StoreLevelRow row;  // its flags are what follows from the axioms
  spec::Specification specification;
  std::vector<const spec::Node*> axioms;  // without what reads return
};

Result<std::shared_ptr<const WrittenLevel>> load_written_level(const std::string& name);

}  // namespace assay::analysis
