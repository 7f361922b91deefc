// Whom open reads are from, and which versions are there.
#include "encoding/version_choices.h"

#include <gmock/gmock.h>

#include "search_parts.h"

namespace assay {
namespace {

using test::SearchParts;
using testing::ElementsAre;

constexpr TxnId kFirst{0}, kSecond{1};

TEST(VersionChoices, OneOfThePossibleWritersIsChosen) {
  SearchParts s("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)", Level::Ser, {0, 1, 2});
  EXPECT_FALSE(s.version.has_writers(0));
  EXPECT_TRUE(s.version.chosen(0).is_none());
  s.version.choose_writer(0);
  s.state();
  s.assume(~s.version.is_from(0, s.version_by(1)));
  ASSERT_EQ(s.solve([&] { EXPECT_EQ(s.version.chosen(0), s.version_by(0)); }), Answer::Satisfiable);
  s.assume(~s.version.is_from(0, s.version_by(0)));
  EXPECT_EQ(s.solve(), Answer::Unsatisfiable);
}

TEST(VersionChoices, TheLastWriterBeforeTheReaderIsTriedFirst) {
  for (const std::size_t last : {0, 1}) {
    const std::size_t other = 1 - last;
    SearchParts s("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)", Level::Ser, {other, last, 2});
    s.version.choose_writer(0);
    s.state();
    ASSERT_EQ(s.solve([&] { EXPECT_EQ(s.version.chosen(0), s.version_by(last)); }), Answer::Satisfiable);
  }
}

TEST(VersionChoices, AWriterThatIsChosenComesBeforeTheReader) {
  SearchParts s("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)", Level::Ser, {0, 2, 1});
  s.version.choose_writer(0);
  s.state();
  s.assume(s.version.is_from(0, s.version_by(1)));
  ASSERT_EQ(s.solve(), Answer::Satisfiable);
  EXPECT_TRUE(s.before(1, 2));
}

TEST(VersionChoices, AnExcludedWriterIsNeverChosen) {
  SearchParts s("S1: w(x,1)  S2: w(x,1)  S3: r(x,1)", Level::Ser, {0, 1, 2});
  s.known.excluded.resize(s.facts.candidates.size());
  s.known.excluded[1].edges = 1;
  s.version.choose_writer(0);
  s.state();
  s.assume(s.version.is_from(0, std::size_t{1}));
  EXPECT_EQ(s.solve(), Answer::Unsatisfiable);
}

TEST(VersionChoices, ATransactionCountsIfItIsReadFrom) {
  SearchParts s("S1: w(x,1)?  S2: w(x,1)?  S3: r(x,1)", Level::Ser, {2, 0, 1});
  ASSERT_FALSE(s.facts.counts[0]);
  EXPECT_FALSE(s.version.counts(kFirst));
  s.version.choose_writer(0);
  s.state();
  s.assume(s.version.is_from(0, s.version_by(0)));
  ASSERT_EQ(s.solve([&] {
    EXPECT_TRUE(s.version.counts(kFirst));
    EXPECT_FALSE(s.version.counts(kSecond));
  }),
            Answer::Satisfiable);
  EXPECT_THAT(s.version.made_counting(), ElementsAre(kFirst, kSecond));
}

TEST(VersionChoices, AReaderThatDoesNotCountReadsFromNobody) {
  SearchParts s("S1: w(x,1)  S2: r(x,1) w(y,1)?  S3: r(y,1)  S4: w(y,1)", Level::Ser, {0, 3, 2, 1});
  ASSERT_EQ(s.facts.open.size(), 2u);  // of S2, which may count, and of y
  s.version.choose_writer(0);
  s.state();
  s.assume(~s.version.counting(kSecond));
  ASSERT_EQ(s.solve(), Answer::Satisfiable);
  s.assume(~s.version.is_from(0, s.version_by(0)));
  EXPECT_EQ(s.solve(), Answer::Satisfiable);
}

TEST(DefiningClauses, WhoeverIsShownByOneThatCountsCountsToo) {
  SearchParts s("S1: append(l,1)?  S2: append(l,2)?  S3: r(l,[1 2]) w(x,1)?  S4: r(x,1)  S5: w(x,1)",
                Level::Ser);
  ASSERT_FALSE(s.facts.possibly_observed.empty());
  const Lit reader = s.version.counting(TxnId(2));
  s.state();
  s.assume(reader);
  ASSERT_EQ(s.solve([&] {
    EXPECT_TRUE(s.version.counts(kFirst));
    EXPECT_TRUE(s.version.counts(kSecond));
  }),
            Answer::Satisfiable);
}

constexpr std::string_view kUpdate = "S1: w(x,5)  S2: update-maybe(value > 3,[x=9])  S3: r(x,5)";

TEST(DefiningClauses, AConditionalWriteTakesPlaceExactlyIfWhatItMetMatches) {
  for (const bool matches : {false, true}) {
    SearchParts s(test::with_conditional_writes(kUpdate), Level::Ser);
    ASSERT_EQ(s.facts.conditional.size(), 1u);
    const std::uint32_t read = s.facts.conditional[0].read;
    const Lit took = s.version.took(s.facts.conditional_version(0));
    EXPECT_THAT(s.version.made_took(), ElementsAre(0));
    s.state();
    ASSERT_TRUE(s.version.has_writers(read));
    s.assume(s.version.is_from(read, matches ? s.version_by(0) : s.facts.initial_version(KeyId(0))));
    ASSERT_EQ(s.solve([&] { EXPECT_EQ(s.version.decided(0), matches); }), Answer::Satisfiable);
    s.assume(matches ? ~took : took);
    EXPECT_EQ(s.solve(), Answer::Unsatisfiable);
  }
}

TEST(VersionChoices, AClauseAboutAConditionalWriteHoldsOnlyIfItTookPlace) {
  SearchParts s(test::with_conditional_writes(kUpdate), Level::Ser);
  EXPECT_EQ(s.version.decided(0), std::nullopt);
  std::vector<Lit> clause;
  s.version.add_condition(s.version_by(0), clause);
  EXPECT_TRUE(clause.empty());
  s.version.add_condition(s.facts.conditional_version(0), clause);
  EXPECT_THAT(clause, ElementsAre(~s.version.took(s.facts.conditional_version(0))));
}

}  // namespace
}  // namespace assay
