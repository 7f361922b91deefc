// Which parts of an execution a pass looks at.
#include "encoding/total_order_repair.h"

#include <gmock/gmock.h>

#include "search_parts.h"

namespace assay {
namespace {

using test::rules_of;
using test::SearchParts;
using testing::ElementsAre;

struct Repaired : SearchParts {
  Repaired(std::string_view text, std::initializer_list<std::size_t> transactions,
           bool is_guess_clean = false)
      : SearchParts(text, Level::Ser, transactions), repair(make(is_guess_clean)) {}

  TotalOrderRepair make(bool is_guess_clean) {
    if (is_guess_clean) {
      guess.broken.clear();
      guess.is_broken.assign(history.key_count(), false);
    }
    return TotalOrderRepair(problem, guess, theory.order(), choices, order, version, clauses);
  }
  void put(std::uint32_t first, std::uint32_t second) {
    ASSERT_TRUE(theory.order().insert({first, second}, 1000 + first));
  }

  TotalOrderRepair repair;
};

TEST(TotalOrderRepair, ChecksWhatTheGuessBreaks) {
  Repaired r("S1: w(x,1)  S2: r(x,1)  S3: w(x,2)", {0, 2, 1});
  r.repair.run([] { return false; });
  EXPECT_THAT(rules_of(r.choices), ElementsAre(Rule::Suppose));
}

TEST(TotalOrderRepair, DoesNotLookWhereNothingMoved) {
  Repaired r("S1: w(x,1)  S2: r(x,1)  S3: w(x,2)", {0, 2, 1}, true);
  r.repair.run([] { return false; });
  EXPECT_EQ(r.choices.size(), 0u);
}

TEST(TotalOrderRepair, LooksAtReadersThatMoved) {
  Repaired r("S1: w(x,1)  S2: r(x,1) w(y,1)  S3: w(x,2)  S4: w(z,1)", {0, 1, 2, 3});
  r.repair.run([] { return false; });
  ASSERT_EQ(r.choices.size(), 0u);
  r.put(3, 1);  // the reader moves behind what overwrote its version, or that before it
  r.put(2, 1);
  r.repair.run([] { return false; });
  EXPECT_THAT(rules_of(r.choices), ElementsAre(Rule::Suppose));
}

TEST(TotalOrderRepair, LooksAtWritersThatMoved) {
  Repaired r("S1: w(x,1)  S2: r(x,1)  S3: w(x,2)  S4: w(x,3)", {0, 1, 2, 3});
  r.repair.run([] { return false; });
  ASSERT_EQ(r.choices.size(), 0u);
  r.put(3, 0);
  r.repair.run([] { return false; });
  EXPECT_EQ(r.choices.size(), 0u);  // before both of them
  r.theory.order().remove_last();
  r.put(2, 1);
  r.repair.run([] { return false; });
  EXPECT_THAT(rules_of(r.choices), ElementsAre(Rule::Suppose));
}

TEST(TotalOrderRepair, LooksAgainAtAnOpenReadThatWasBroken) {
  Repaired r("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)  S4: w(x,2)", {0, 1, 3, 2});
  r.repair.run([] { return false; });
  ASSERT_EQ(r.choices.size(), 2u);
  r.state();
  ASSERT_EQ(r.solve([&] { r.repair.run([] { return false; }); }), Answer::Satisfiable);
  EXPECT_EQ(r.choices.size(), 4u);
}

}  // namespace
}  // namespace assay
