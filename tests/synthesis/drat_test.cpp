#include "synthesis/drat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "synthesis/specs.h"

namespace assay::test {
namespace {

using synthesis::check_drat;
using synthesis::Clause;

const std::vector<Clause> kFourClauses{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}};

TEST(Drat, AcceptsAProofByUnitPropagation) { EXPECT_TRUE(check_drat(kFourClauses, "1 0\n0\n")); }

TEST(Drat, RefusesAClauseThatDoesNotFollow) {
  EXPECT_EQ(check_drat({{1, 2}, {-1, 2}}, "1 0\n0\n").error().what, "line 1: the clause does not follow");
}

TEST(Drat, RefusesAProofThatEndsTooEarly) {
  EXPECT_EQ(check_drat({{1, 2}, {-1, 2}, {-2, 3}}, "2 0\n").error().what,
            "the proof ends without a contradiction");
}

TEST(Drat, ObeysDeletions) {
  EXPECT_FALSE(check_drat(kFourClauses, "d 1 -2 0\n1 0\n0\n"));
  EXPECT_TRUE(check_drat(kFourClauses, "1 0\nd 1 -2 0\nd 1 2 0\n0\n"));
}

TEST(Drat, SaysWhatIsNoProof) {
  EXPECT_THAT(check_drat(kFourClauses, "1 x 0").error().what, testing::HasSubstr("not 'x'"));
  EXPECT_THAT(check_drat(kFourClauses, "1 ").error().what, testing::HasSubstr("a literal or 0 is expected"));
}

// Proofs of the solver for random formulas; and none for those that can be satisfied.
TEST(Drat, AcceptsWhatTheSolverProves) {
  Random random(1);
  std::size_t proved = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<Clause> formula(70 + random.below(40));
    for (Clause& clause : formula)
      for (int k = 0; k < 3; ++k)
        clause.push_back((1 + static_cast<int>(random.below(18))) * (random.chance(0.5) ? 1 : -1));
    const auto proof = synthesis::prove_unsatisfiable(formula);
    if (!proof) continue;
    ++proved;
    const auto checked = check_drat(formula, *proof);
    EXPECT_TRUE(checked) << checked.error().what;
  }
  EXPECT_GT(proved, 20u);
}

TEST(Drat, ReadsTheFormulasItWrites) {
  const std::string text = synthesis::to_dimacs(kFourClauses, {{0, "all"}, {2, "the last two"}});
  EXPECT_EQ(text, "p cnf 2 4\nc all\n1 2 0\n1 -2 0\nc the last two\n-1 2 0\n-1 -2 0\n");
  EXPECT_EQ(*synthesis::parse_dimacs(text), kFourClauses);
}

// Where there is no history, the formula of each size has a proof; without its instances it has none.
TEST(Drat, ProvesThatThereIsNoHistory) {
  for (const auto& [allow, forbid] :
       {std::pair("biswas:SI", "cerone:SI"), {"cerone:CC", "biswas:CC"}, {"biswas:SER", "biswas:SI"}}) {
    synthesis::FindOptions options;
    options.proofs = true;
    const auto result = found({specs(allow), specs(forbid)}, {3, 2, 3}, options);
    ASSERT_EQ(result.proofs.size(), 3u);
    for (const auto& proof : result.proofs) {
      const auto checked = check_drat(proof.clauses, proof.drat);
      EXPECT_TRUE(checked) << checked.error().what;
      ASSERT_FALSE(proof.notes.empty());
      std::vector<Clause> without(
          proof.clauses.begin(),
          proof.clauses.begin() + static_cast<std::ptrdiff_t>(proof.notes[0].first_clause));
      EXPECT_FALSE(synthesis::prove_unsatisfiable(without)) << allow << " alone";
    }
  }
}

}  // namespace
}  // namespace assay::test
