// The printers: what they say about one violation, and that nothing in a history can break out of the form it
// is printed in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/check.h"
#include "explain/explain.h"
#include "report/dot.h"
#include "report/html.h"
#include "report/junit.h"
#include "report/page.h"
#include "report/text.h"
#include "report/tikz.h"
#include "report/timeline.h"
#include "support/hist.h"

namespace assay {
namespace {

using test::hist;
using testing::HasSubstr;
using testing::Not;

class Report : public testing::Test {
 protected:
  // Judged at one level, and explained if it is violated.
  Findings findings(const History& history, Level level) {
    Checker checker(history);
    Findings result{"h.hist", "hist", std::make_shared<const History>(history), {}, {}, {{"reading", 0.5}}};
    result.levels.push_back({level, judge_and_name(checker, level).value(), 0.25});
    if (const auto* fell = std::get_if<Violated>(&result.levels[0].verdict)) {
      result.levels[0].story = 0;
      result.stories.push_back(explain(checker, level, *fell));
    }
    return result;
  }
  static Json data(const Findings& findings) {
    return report_data(findings, {"1.2.3", "assay check h.hist"},
                       [](std::size_t) { return std::optional<std::string>("<svg/>"); });
  }
};

constexpr std::string_view kSkew = "S1: <T1> r(x,0) w(y,1) S2: <T2> r(y,0) w(x,1) S3: <T3> r(x,1)";

TEST_F(Report, TextTellsTheCycle) {
  const History history = hist(kSkew);
  const std::string text = as_text(findings(history, Level::Ser), 0, {});
  EXPECT_THAT(text, HasSubstr("ser: write-skew on x, y: "));
  EXPECT_THAT(text,
              HasSubstr("1. T1 read x=0, the initial value, which T2 overwrote with 1.  [T1 -rw-> T2]\n"));
  EXPECT_THAT(text, Not(HasSubstr("T3")));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  EXPECT_THAT(as_text(findings(history, Level::Ser), 0, {.colours = true}), HasSubstr("\033"));
  EXPECT_THAT(as_text(findings(history, Level::Ser), 0, {.full = true}),
              HasSubstr("    S1: <T1> r(x,0) w(y,1)\n"));
}

TEST_F(Report, JsonHasTheExplanationBesideTheContract) {
  const History history = hist(kSkew);
  const Json json = Json::parse(as_json(findings(history, Level::Ser)));
  EXPECT_EQ(json["schema"], 1);
  const Json& result = json["results"][0];
  EXPECT_EQ(result["transactions"], Json({"T1", "T2"}));
  EXPECT_EQ(result["cycle"].size(), 2u);
  const Json& explanation = result["explanation"];
  EXPECT_EQ(explanation["cycle"], Json({"e1", "e2"}));
  EXPECT_EQ(explanation["edges"][0]["kind"], "rw");
  EXPECT_EQ(explanation["still_hold"], Json({"si"}));
  EXPECT_EQ(explanation["transactions"][0]["operations"][0]["from"], "initial");
}

TEST_F(Report, DataNamesTheReadsBehindAnInferredEdge) {
  const History history = hist("S1: <T1> r(x,0) w(x,1)  S2: <T2> r(x,0) w(x,2)");
  const Json edges = data(findings(history, Level::Si))["violations"][0]["edges"];
  ASSERT_EQ(edges.size(), 2u);
  const Json& inferred = edges[0]["inferred"] ? edges[0] : edges[1];
  EXPECT_EQ(inferred["kind"], "ww");
  const Json& reason = inferred["reason"];
  EXPECT_EQ(reason["reads"], Json::array({{{"transaction", "T1"}, {"operation", 0}, {"text", "r(x,0)"}}}));
  EXPECT_EQ(reason["supposed"], "T2 before T1");
  EXPECT_EQ(reason["steps"][0]["kind"], "rw");
}

constexpr std::string_view kTwoWriters =
    "S1: <T1> w(x,1) w(y,1)  S2: <T2> w(x,1) w(y,2)  S3: <T3> r(x,1) r(y,0)";

TEST_F(Report, TextTellsEachCase) {
  const History history = hist(kTwoWriters);
  EXPECT_THAT(as_text(findings(history, Level::Ser), 0, {}),
              HasSubstr("  T3 read x=1, which T1 and T2 wrote.\n"
                        "  If it is from T1:\n"
                        "    1. T3 read x=1 from T1.  [T1 -wr-> T3]\n"
                        "    2. T3 read y=0, the initial value, which T1 overwrote with 1.  [T3 -rw-> T1]\n"
                        "    So T1 comes before itself.\n"
                        "  If it is from T2:\n"));
}

TEST_F(Report, TextDoesNotRepeatWhatAnEarlierCaseTold) {
  const History history = hist("S1: <T1> r(x,1) | <T2> w(y,1)  S2: <T3> r(y,1) | <T4> w(x,1) | <T5> w(x,1)");
  EXPECT_THAT(as_text(findings(history, Level::Rc), 0, {}),
              HasSubstr("  If it is from T5:\n"
                        "    1. T1 comes before T4, as above.\n"
                        "    2. T4 comes before T5 in session S2.  [T4 -so-> T5]\n"
                        "    3. T1 read x=1 from T5.  [T5 -wr-> T1]\n"
                        "    So T1 comes before itself.\n"));
}

TEST_F(Report, DataHasCasesInsteadOfACycle) {
  const History history = hist(kTwoWriters);
  const Json violation = data(findings(history, Level::Ser))["violations"][0];
  EXPECT_TRUE(violation["cycle"].empty());
  const Json& cases = violation["cases"];
  EXPECT_EQ(cases["question"], "T3 read x=1, which T1 and T2 wrote.");
  EXPECT_EQ(cases["cases"][0]["supposed"], "If it is from T1");
  EXPECT_EQ(cases["cases"][0]["cycle"], Json({"e1", "e2"}));
  EXPECT_TRUE(cases["cases"][0]["cases"].is_null());
  EXPECT_EQ(cases["cases"][1]["cycle"], Json({"e3", "e4"}));
  EXPECT_EQ(violation["edges"].size(), 4u);
  for (const Json& edge : violation["edges"]) EXPECT_TRUE(edge["on_cycle"]);
  EXPECT_TRUE(data(findings(hist(kSkew), Level::Ser))["violations"][0]["cases"].is_null());
}

TEST_F(Report, DataListsEveryLevelAndTheHistory) {
  const History history = hist("S1: <T1> r(x,0) w(x,1)!");
  const Json json = data(findings(history, Level::Ser));
  EXPECT_EQ(json["levels"].size(), levels().size());
  for (const Json& level : json["levels"])
    EXPECT_EQ(level["verdict"], level["id"] == "ser" ? "holds" : "not-asked");
  EXPECT_EQ(json["history"]["aborted"], 1);
  EXPECT_EQ(json["history"]["reads"], 1);
  EXPECT_EQ(json["tool"]["command"], "assay check h.hist");
  EXPECT_TRUE(json["violations"].empty());
}

TEST_F(Report, NoKeyOrValueCanEndTheScript) {
  const History history =
      hist("S1: <\"</script><script>alert(1)</script>\"> r(\"<!--&\xE2\x80\xA8\",\"]]>\")");
  const Findings found = findings(history, Level::Ser);
  ASSERT_EQ(found.stories.size(), 1u);
  const std::string page = html_report(data(found));
  const std::string plain = html_report(data(findings(hist("S1: r(x,1)"), Level::Ser)));
  const auto count = [](const std::string& text, std::string_view what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
  };
  for (const std::string_view mark : {"</script", "<script", "<!--", "\xE2\x80\xA8", "alert(1)<"})
    EXPECT_EQ(count(page, mark), count(plain, mark)) << mark;
  EXPECT_THAT(page, Not(HasSubstr("/*ASSAY_DATA*/null")));
  EXPECT_THAT(as_dot(found), Not(HasSubstr("<script>")));
  EXPECT_THAT(junit_file(std::vector{junit_suite(found)}), Not(HasSubstr("<script>")));
}

TEST_F(Report, DotDrawsCardsAndEdgesAndSaysWhenThereIsNothing) {
  const History history = hist(kSkew);
  const std::string dot = as_dot(findings(history, Level::Ser));
  EXPECT_THAT(dot, testing::StartsWith("digraph assay {"));
  EXPECT_THAT(dot, HasSubstr("t0_0 -> t0_1 [label=<rw x>"));
  EXPECT_THAT(dot, HasSubstr("<b>r(x,0)</b>"));
  EXPECT_THAT(as_dot(findings(history, Level::Si)), HasSubstr("no level that was asked for is violated"));
}

TEST_F(Report, DotDrawsEveryStoryInAFrameOfItsOwn) {
  const History history = hist(kSkew);
  Findings both = findings(history, Level::Ser);
  both.stories.push_back(both.stories[0]);
  const std::string dot = as_dot(both);
  EXPECT_THAT(dot, HasSubstr("subgraph cluster_1 { label=<<b>"));
  EXPECT_THAT(dot, HasSubstr("t1_0 -> t1_1 [label=<rw x>"));
}

TEST(Drawing, LabelsCannotEndTheirForm) {
  const Drawing drawing{"<b>", "&", {{3, "\"<x>", "y>", {{"a<b", true}}}}, {{3, 3, "rw", "k&"}}};
  const std::string dot = as_dot({drawing});
  EXPECT_THAT(dot, HasSubstr("label=<<b>&lt;b&gt;</b><br/>&amp;>;"));
  EXPECT_THAT(dot, HasSubstr("<b>&quot;&lt;x&gt;</b> <font point-size=\"10\">y&gt;</font>"));
  EXPECT_THAT(dot, HasSubstr("<b>a&lt;b</b>"));
  EXPECT_THAT(dot, HasSubstr("t0_3 -> t0_3 [label=<rw k&amp;>, color=\"#c0392b\""));
}

TEST(Drawing, OfALatticeHasBoxesAndLinesWithTooltips) {
  const Drawing drawing{.nodes = {{0, "strong"}, {1, "weak\n\"too\""}},
                        .edges = {{.from = 1, .to = 0, .tooltip = "S1: r(x,0)"}}};
  EXPECT_EQ(as_dot({drawing}, DrawingStyle::Lattice),
            "digraph lattice {\n  rankdir=BT;\n  node [shape=box, fontname=\"sans-serif\"];\n"
            "  edge [fontname=\"monospace\", fontsize=9];\n  n0 [label=\"strong\"];\n"
            "  n1 [label=\"weak\\n\\\"too\\\"\"];\n  n1 -> n0 [dir=none, tooltip=\"S1: r(x,0)\"];\n}\n");
}

TEST(Drawing, IsDrawnByGraphviz) {
  const auto svg = draw_svg(as_dot({Drawing{.nodes = {{0, "T1"}}}}));
  ASSERT_TRUE(svg) << svg.error().describe();
  EXPECT_THAT(figure(*svg), testing::AllOf(testing::StartsWith("<figure><svg width="),
                                           testing::EndsWith("</svg>\n</figure>\n"), HasSubstr(">T1</text>"),
                                           Not(HasSubstr("xmlns")), Not(HasSubstr("<?xml"))));
  EXPECT_FALSE(try_draw_svg("no graph"));
  EXPECT_EQ(figure("no picture"), "");
}

TEST(Drawing, IsSetInLatexWithItsOwnTexts) {
  const Drawing drawing{.nodes = {{0, "50 % \\ {a_b}"}, {1, "weak\n^too~"}}, .edges = {{.from = 1, .to = 0}}};
  const auto lattice = as_tikz(drawing, DrawingStyle::Lattice);
  ASSERT_TRUE(lattice) << lattice.error().describe();
  EXPECT_THAT(*lattice, testing::AllOf(testing::StartsWith("\\documentclass"),
                                       HasSubstr("{50 \\% \\textbackslash{} \\{a\\_b\\}};"),
                                       HasSubstr("{weak\\\\\\textasciicircum{}too\\textasciitilde{}};"),
                                       HasSubstr("\\draw[black] ("), HasSubstr(".. controls (")));
  const auto cards =
      as_tikz({.nodes = {{0, "T1", "", {{"w(x,1)"}}}, {1, "T2"}}, .edges = {{0, 1, "wr", "x y"}}});
  ASSERT_TRUE(cards);
  EXPECT_THAT(*cards, testing::AllOf(HasSubstr("{\\textbf{T1}\\\\w(x,1)};"),
                                     HasSubstr("\\draw[wr,->,thick] ("), HasSubstr("{wr x y};")));
}

// What draws the edges on paper is what the pages give colours of their own.
TEST(Page, KnowsTheColoursOfEveryKindOfEdge) {
  for (const char* kind : {"wr", "ww", "rw", "so", "rt"}) {
    const std::string dot = as_dot({Drawing{.nodes = {{0, "T1"}}, .edges = {{0, 0, kind}}}});
    const std::string colour = dot.substr(dot.find(", color=\"") + 9, 7);
    EXPECT_THAT(
        std::string(page_style()),
        testing::AllOf(HasSubstr("figure [stroke=\"" + colour + "\"] { stroke: var(--" + kind + "); }"),
                       HasSubstr("figure [fill=\"" + colour + "\"] { fill: var(--" + kind + "); }")));
  }
}

TEST(Page, HasTheStyleOfTheReport) {
  const std::string page = static_page("a<b", "c<d", "<p>body</p>\n", {"1<2", "assay <x>"});
  EXPECT_THAT(page,
              testing::AllOf(HasSubstr("<title>a&lt;b</title>"), HasSubstr("<h1>c&lt;d</h1>\n<p>body</p>"),
                             HasSubstr("assay 1&lt;2: assay &lt;x&gt;"), HasSubstr("--paper: #fbfbf9;")));
  EXPECT_THAT(std::string(report_page()), HasSubstr("--paper: #fbfbf9"));
}

TEST_F(Report, JunitCountsViolationsAsFailuresAndBadInputAsErrors) {
  const History history = hist(kSkew);
  const std::vector<JunitSuite> suites{junit_suite(findings(history, Level::Ser)),
                                       junit_suite("bad\"file", error("cut off"))};
  const std::string xml = junit_file(suites);
  EXPECT_THAT(
      xml,
      HasSubstr("<testsuite name=\"h.hist\" tests=\"1\" failures=\"1\" errors=\"0\" time=\"0.250000\">"));
  EXPECT_THAT(xml, HasSubstr("<failure message=\"ser is violated: write-skew\" type=\"write-skew\">"));
  EXPECT_THAT(xml, HasSubstr("name=\"bad&quot;file\" tests=\"1\" failures=\"0\" errors=\"1\""));
}

TEST_F(Report, TimelineShowsWhatIsNearTheViolation) {
  std::string text;
  for (int i = 0; i < 6000; ++i)
    text += "S" + std::to_string(i % 3) + ": <f" + std::to_string(i) + "> w(z" + std::to_string(i) + ",1)\n";
  text += "S4: <T1> r(x,0) w(y,1) S5: <T2> r(y,0) w(x,1)\n";
  const History history = hist(text);
  const Json json = timeline(findings(history, Level::Ser));
  EXPECT_EQ(json["axis"], "order");
  std::size_t shown = 0;
  std::string all;
  for (const Json& session : json["sessions"]) {
    shown += session["transactions"].size();
    for (const Json& t : session["transactions"])
      if (!t["violations"].empty()) all += std::string(t["id"]) + " ";
  }
  EXPECT_EQ(all, "T1 T2 ");
  EXPECT_LE(shown, kMostTransactions);
  EXPECT_GT(shown, 1000u);
  EXPECT_EQ(json["left_out"], 6002 - shown);
  EXPECT_LE(dump(json).size(), 2 * kMostBytes);
}

TEST_F(Report, TimelineUsesClocksWhereThereAreSome) {
  const History history = hist("S1: <T1 @1000..5000> r(x,0) w(y,1) S2: <T2 @2000..> r(y,0) w(x,1)?");
  const Json json = timeline(findings(history, Level::Ser));
  EXPECT_EQ(json["axis"], "time");
  EXPECT_EQ(json["sessions"][0]["transactions"][0]["end"], 4000);
  EXPECT_EQ(json["sessions"][1]["transactions"][0]["start"], 1000);
}

}  // namespace
}  // namespace assay
