// Inclusions of built-in levels are proved for all sizes exactly where they hold, and every proof is
// confirmed.
#include "prove/prove.h"

#include <gmock/gmock.h>

#include "prove/second_solver.h"
#include "synthesis/specs.h"

namespace assay::test {
namespace {

using prove::InclusionProof;

std::optional<InclusionProof> proof_of(const spec::Specification& first, const spec::Specification& second,
                                       const prove::ProveOptions& options = {}) {
  auto proof = prove::prove_inclusion(first, second, options);
  if (!proof) {
    ADD_FAILURE() << proof.error().describe();
    return std::nullopt;
  }
  return std::move(proof).value();
}

std::optional<InclusionProof> proof_of(const std::string& first, const std::string& second) {
  return proof_of(specs(first)[0], specs(second)[0]);
}

// Biswas and Enea against Cerone, Bernardi and Gotsman, both ways.
TEST(Prove, TwoFrameworksAgreeForAllSizes) {
  for (const char* level : {"RA", "UA", "CC", "PSI", "PC", "SI", "SER", "NLU"}) {
    const std::string biswas = std::string("biswas:") + level, cerone = std::string("cerone:") + level;
    EXPECT_TRUE(proof_of(biswas, cerone)) << biswas;
    EXPECT_TRUE(proof_of(cerone, biswas)) << cerone;
  }
}

TEST(Prove, ALevelIncludesItself) {
  for (const char* level : {"adya:PL-3U", "adya:SI", "adya:PL-SI", "crooks:SI", "biswas:RC", "plume:CC"})
    EXPECT_TRUE(proof_of(level, level)) << level;
}

// With orders along what has no cycle, guesses, greatest elements, and induction along closures.
TEST(Prove, FrameworksThatDifferInTheirWitnesses) {
  const std::pair<const char*, const char*> inclusions[] = {
      {"adya:SER", "biswas:SER"},       {"biswas:SER", "adya:SER"},       {"adya:PSI", "cerone:PSI"},
      {"cerone:PSI", "adya:PSI"},       {"biswas:SI", "adya:SI"},         {"adya:PL-SI", "cerone2015:SI"},
      {"adya:PL-FCV", "adya:PL-2plus"}, {"cerone2015:SER", "crooks:SER"}, {"biswas:SI", "biswas:SI-2019"},
      {"biswas:SI-2019", "biswas:SI"},  {"biswas:RC", "adya:PL-2"},       {"biswas:SI", "biswas:CC"}};
  for (const auto& [first, second] : inclusions)
    EXPECT_TRUE(proof_of(first, second)) << first << " in " << second;
}

// What is proved must hold in every scope: no proof where a history tells the levels apart.
TEST(Prove, ProvesNothingThatAHistoryRefutes) {
  const auto levels = specs(
      "biswas:RC biswas:RA biswas:CC biswas:PC biswas:SI biswas:SER adya:PL-2 adya:SER crooks:SI plume:RA");
  std::size_t proved = 0, refuted = 0;
  for (const auto& first : levels)
    for (const auto& second : levels) {
      if (first.name == second.name) continue;
      const bool apart = !found({{first}, {second}}, {4, 2, 3}).found.empty();
      prove::ProveOptions options;
      options.effort = 20'000;
      const bool has_proof = proof_of(first, second, options).has_value();
      EXPECT_FALSE(apart && has_proof) << first.name << " in " << second.name;
      (has_proof ? proved : refuted) += 1;
    }
  EXPECT_GT(proved, 15u);
  EXPECT_GT(refuted, 20u);
}

TEST(Prove, SaysByWhichWitnesses) {
  EXPECT_EQ(proof_of("biswas:SI", "cerone:SI")->witnesses, "ar = co, vis = prefix_of_writers(co)");
  EXPECT_EQ(proof_of("cerone:SER", "biswas:SER")->witnesses, "co = ar");
}

TEST(Prove, SessionsMatter) {
  prove::ProveOptions options;
  const auto plain = specs("cerone2015:SI")[0], sessions = specs("cerone:SI")[0];
  EXPECT_TRUE(proof_of(sessions, plain, options));
  options.effort = 20'000;
  EXPECT_FALSE(proof_of(plain, sessions, options));
  options.effort = 5'000'000;
  options.sessions = false;
  EXPECT_TRUE(proof_of(plain, sessions, options));
}

TEST(Prove, RefusesWhatLogicCannotSay) {
  const auto values = level("framework f { }\nlevel L in f: no t, x, v: reads(t,x,v) and writes(t,x,v)", "L");
  const auto recursive =
      level("let rec r : Txn * Txn = so | r . wr\nframework f { }\nlevel L in f: acyclic r", "L");
  EXPECT_THAT(prove::prove_inclusion(values, values, {}).error().describe(),
              testing::HasSubstr("speaks of values"));
  EXPECT_THAT(prove::prove_inclusion(recursive, recursive, {}).error().describe(),
              testing::HasSubstr("let rec"));
}

TEST(Prove, StopsWhenTold) {
  prove::ProveOptions options;
  options.stop = [] { return std::optional<std::string>("enough"); };
  EXPECT_FALSE(proof_of(specs("biswas:SI")[0], specs("cerone:SI")[0], options));
}

TEST(SecondSolver, ConfirmsProofsAndRefutesNonsense) {
  const std::string sort = "(set-logic ALL)(declare-sort S 0)(declare-const a S)";
  if (prove::ask_cvc5(sort + "(assert false)(check-sat)", 20) == prove::SecondOpinion::NotInstalled)
    GTEST_SKIP() << "cvc5 is not installed";
  EXPECT_EQ(prove::ask_cvc5(sort + "(assert (= a a))(check-sat)", 20), prove::SecondOpinion::Refuted);
  EXPECT_EQ(prove::ask_cvc5("nonsense", 20), prove::SecondOpinion::Unknown);
  for (const auto& [first, second] : {std::pair("biswas:SI", "cerone:SI"), {"cerone:SER", "biswas:SER"}}) {
    const auto proof = proof_of(first, second);
    ASSERT_TRUE(proof);
    for (const prove::Obligation& obligation : proof->obligations)
      EXPECT_EQ(prove::ask_cvc5(obligation.smt, 20), prove::SecondOpinion::Confirmed)
          << second << ": " << obligation.name;
  }
}

}  // namespace
}  // namespace assay::test
