// Pages answer the question that was asked: all transactions, the witnesses, the reasons, the scope.
#include "spec_report/pages.h"

#include <gmock/gmock.h>

#include "synthesis/specs.h"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

synthesis::FindOptions options_for(synthesis::Scope scope) {
  synthesis::FindOptions options;
  options.scope = scope;
  options.minimal = true;
  return options;
}

// What Graphviz would be given stands in the page instead of a picture.
std::optional<std::string> shows_dot(const std::string& dot) { return "<svg>" + dot + "</svg>"; }

TEST(SpecificationPages, FindShowsTheQuestionTheHistoryAndTheReasons) {
  const synthesis::Problem problem{specs("biswas:SI biswas:UpdateSer"), specs("biswas:SER")};
  auto options = options_for({4, 2, 3});
  options.scope.sessions = false;
  const auto result = found(problem, options.scope, options);
  ASSERT_EQ(result.found.size(), 1u);
  const std::string page = spec_report::find_page(problem, options, result, {"1", "assay find"}, shows_dot);
  EXPECT_THAT(
      page,
      AllOf(HasSubstr("A history allowed by biswas:SI and biswas:UpdateSer and forbidden by biswas:SER"),
            HasSubstr("up to 4 transactions, 2 objects and 3 values, each in a session of its own"),
            HasSubstr("<b>T1</b>"), HasSubstr("<b>T2</b>"), HasSubstr("<b>T3</b>"),
            HasSubstr("<tr><th>S3</th>"), HasSubstr("Why biswas:SI allows it"),
            HasSubstr("Why biswas:UpdateSer allows it"), HasSubstr("<li>co: T"),
            HasSubstr("Why biswas:SER forbids it"), HasSubstr("none of the 6 possible witnesses fits")));
  EXPECT_THAT(page, AllOf(HasSubstr("SER fails for x = "), HasSubstr("is missing")));
}

TEST(SpecificationPages, FindDrawsReadsSessionsAndEveryKindOfWitness) {
  const auto page_of = [](const char* allow, const char* forbid) {
    const synthesis::Problem problem{specs(allow), specs(forbid)};
    const auto options = options_for({3, 2, 3});
    return spec_report::find_page(problem, options, found(problem, options.scope, options), {"1", ""},
                                  shows_dot);
  };
  EXPECT_THAT(page_of("cerone:RA", "cerone:CC"), AllOf(HasSubstr("vis"), HasSubstr("ar"), HasSubstr("wr")));
  EXPECT_THAT(page_of("adya:SI", "adya:SER"), HasSubstr("ww[x]: "));
  const std::string none = page_of("biswas:SER", "biswas:SI");
  EXPECT_THAT(none, AllOf(HasSubstr("There is none. Larger histories were not searched."),
                          Not(HasSubstr("<section>"))));
}

TEST(SpecificationPages, CompareShowsBothDirections) {
  const synthesis::Problem problem{specs("cerone:PC"), specs("cerone:PSI")};
  const auto options = options_for({4, 2, 3});
  const auto comparison = synthesis::compare(problem.allow[0], problem.forbid[0], options);
  ASSERT_TRUE(comparison);
  const std::string page = spec_report::compare_page(problem, options, *comparison, {"1", ""}, shows_dot);
  EXPECT_THAT(page, AllOf(HasSubstr("cerone:PC and cerone:PSI: incomparable"),
                          HasSubstr("A history allowed by cerone:PC and forbidden by cerone:PSI"),
                          HasSubstr("A history allowed by cerone:PSI and forbidden by cerone:PC")));
}

TEST(SpecificationPages, LatticeHasAHistoryForEachLineAndItsScope) {
  const auto levels = specs("cerone:RA cerone:CC biswas:CC cerone:SER");
  const auto options = options_for({3, 2, 3});
  const auto lattice = synthesis::lattice(levels, options);
  ASSERT_TRUE(lattice);
  const std::string page = spec_report::lattice_page(levels, options, *lattice, {"1", ""}, shows_dot);
  EXPECT_THAT(page, AllOf(HasSubstr("histories of up to 3 transactions, 2 objects and 3 values"),
                          HasSubstr("cerone:CC = biswas:CC"), HasSubstr("href=\"#h1-0\""),
                          HasSubstr("<section id=\"h1-0\">"),
                          HasSubstr("Allowed by cerone:RA, forbidden by cerone:CC"),
                          HasSubstr("Why cerone:RA allows it"), HasSubstr("Why cerone:SER forbids it")));
}

TEST(SpecificationPages, EscapeNames) {
  auto problem = synthesis::Problem{specs("biswas:SER"), specs("biswas:SI")};
  problem.allow[0].name = "<b>:SER";
  const auto options = options_for({1, 1, 2});
  const std::string page =
      spec_report::find_page(problem, options, found(problem, options.scope, options), {"1", ""});
  EXPECT_THAT(page, AllOf(HasSubstr("&lt;b&gt;:SER"), Not(HasSubstr("<b>:SER"))));
}

TEST(SpecificationPages, LatticeLeadsFromBoxesAndLinesToWhatTheyMean) {
  const auto levels = specs("adya:PL-3 cerone2015:SER crooks:SI");
  const auto options = options_for({3, 2, 4});
  auto lattice = synthesis::lattice(levels, options).value();
  lattice.proved[0][2] = "with e = x";
  const std::string page = spec_report::lattice_page(levels, options, lattice, {"1", ""}, shows_dot);
  EXPECT_THAT(page, AllOf(HasSubstr("URL=\"#level0\""), HasSubstr("URL=\"#h0-2\""),
                          HasSubstr("<section id=\"h0-2\">"), HasSubstr("<tr id=\"level0\">"),
                          HasSubstr("proved with e = x"), HasSubstr("equivalent to adya:PL-3"),
                          HasSubstr("(Adya 1999, chapter 3)")));
}

TEST(SpecificationPages, LatticeKnowsFromWhichInclusionsTheOthersFollow) {
  const auto lattice =
      synthesis::lattice(specs("adya:PL-3 cerone2015:SER crooks:SI adya:PL-CS"), options_for({3, 2, 4}))
          .value();
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(lattice.inclusions_that_matter(), (Pairs{{0, 1}, {0, 2}, {1, 0}, {2, 3}}));
}

}  // namespace
}  // namespace assay::test
