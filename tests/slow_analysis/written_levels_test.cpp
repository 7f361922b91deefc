// Every built-in level, spelled out in the specification language, on all the small subjects.
#include <gtest/gtest.h>

#include "analysis/known_answers.h"
#include "support/paths.h"

namespace assay::analysis {
namespace {

TEST(WrittenLevels, GiveTheAnswersOfTheBuiltInOnes) {
  const std::string stores = test::source_dir() + "/examples/stores.spec:";
  for (const auto& [builtin, written] :
       {std::pair("ec", "EC"), std::pair("cc", "CC"), std::pair("pc", "PC"), std::pair("psi", "PSI"),
        std::pair("si", "SI"), std::pair("ser", "SER")}) {
    expect_same_answers(example({"bank.sql"}), builtin, stores + written, 3, true);
    expect_same_answers(example({"smallbank.sql"}), builtin, stores + written, 3, false);
    // Courseware deletes rows: the built-in si lets an INSERT take their keys again, as PostgreSQL does.
    if (std::string_view(builtin) == "si") continue;
    expect_same_answers(example({"courseware.sql"}), builtin, stores + written, 3, false);
  }
}

}  // namespace
}  // namespace assay::analysis
