// What reaches a read that missed it, at psi.
#include "encoding/psi_repair.h"

#include <gmock/gmock.h>

#include "search_parts.h"

namespace assay {
namespace {

using test::rules_of;
using test::SearchParts;
using testing::ElementsAre;

struct Repaired : SearchParts {
  Repaired(std::string_view text, std::initializer_list<std::size_t> transactions)
      : SearchParts(text, Level::Psi, transactions),
        repair(problem, guess.broken, theory, order, version, clauses) {
    state();
  }

  Answer run() {
    return solver.solve(
        [&] {
          const std::size_t before = choices.size();
          repair.run([] { return false; });
          return state() || choices.size() > before;
        },
        [] { return false; });
  }

  PsiRepair repair;
};

TEST(PsiRepair, AllowsAReaderAfterAWriterThatDoesNotReachIt) {
  Repaired r("S1: w(x,1)  S2: w(x,2)  S3: r(x,1)", {0, 1, 2});
  EXPECT_EQ(r.run(), Answer::Satisfiable);
  EXPECT_EQ(r.choices.size(), 0u);
}

TEST(PsiRepair, RefusesAWriterThatReachesWhoMissedIt) {
  // The third knows the second, which overwrote what it reads: the second must come first.
  Repaired r("S1: w(x,1)  S2: w(x,2) w(y,1)  S3: r(y,1) r(x,1)", {0, 1, 2});
  EXPECT_EQ(r.run(), Answer::Satisfiable);
  EXPECT_THAT(rules_of(r.choices), ElementsAre(Rule::Suppose));
  EXPECT_TRUE(r.before(1, 0));
}

TEST(PsiRepair, NeverLetsAWriterReachAReaderOfTheInitialVersion) {
  Repaired r("S1: w(x,1) w(y,1)  S2: r(y,1) r(x,0)", {0, 1});
  EXPECT_EQ(r.run(), Answer::Unsatisfiable);
}

TEST(PsiRepair, DecidesTheOrderOfWritersThatAPathReliesOn) {
  // The second reaches the fourth only if its z is before the third's.
  Repaired r("S1: w(x,1)  S2: r(x,1) w(x,2) w(z,1)  S3: w(z,2) w(y,1)  S4: r(y,1) r(x,1)", {0, 1, 2, 3});
  EXPECT_EQ(r.run(), Answer::Satisfiable);
  EXPECT_EQ(r.choices[0].rule, Rule::Suppose);
  EXPECT_TRUE(r.before(2, 1));
}

TEST(PsiRepair, ChoosesTheWritersOfOpenReadsFromTheStart) {
  Repaired r("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)", {0, 1, 2});
  EXPECT_TRUE(r.version.has_writers(0));
  EXPECT_THAT(rules_of(r.choices), ElementsAre(Rule::From, Rule::From));
  EXPECT_EQ(r.run(), Answer::Satisfiable);
}

TEST(PsiRepair, AnOpenReadMayBeFromAnotherWriterThanTheOneThatWasOverwritten) {
  Repaired r("S1: w(x,1)  S2: r(x,1) w(x,2) w(y,1)  S3: w(x,1)  S4: r(y,1) r(x,1)", {0, 2, 1, 3});
  EXPECT_EQ(r.run(), Answer::Satisfiable);
  ASSERT_EQ(r.solve([&] {
    const std::uint32_t read = r.facts.place(r.facts.open_of(TxnId(3))[0]);
    EXPECT_EQ(r.version.chosen(read), r.version_by(r.version.chosen(0) == r.version_by(0) ? 2 : 0));
  }),
            Answer::Satisfiable);
}

}  // namespace
}  // namespace assay
