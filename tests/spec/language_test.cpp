// What the language accepts and what it says about mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "spec/load.h"

namespace assay::spec {
namespace {

std::string problem_of(const std::string& text) {
  const auto library = library_of_text(text, "my.spec");
  return library ? "" : library.error().describe();
}

// In a framework with a commit order.
std::string problem_in_level(const std::string& formula) {
  return problem_of("include biswas\nlevel L in biswas: " + formula);
}

TEST(SpecLanguage, ReadsTheExamplesOfItsDesign) {
  EXPECT_EQ(
      problem_of(
          "framework mine { witness co : total order on Txn; axiom so | wr in co }\n"
          "level RA in mine: all x, t1, t2, t3: W(x)(t1) and W(x)(t2) and t1 != t2 and wr[x](t1,t3) and "
          "(so|wr)(t2,t3) => co(t2,t1)\n"),
      "");
  EXPECT_EQ(problem_of("include adya\nlevel S in adya: acyclic so | wr | ww | rw"), "");
}

TEST(SpecLanguage, HasEveryBuiltinLevel) {
  const std::pair<const char*, std::vector<const char*>> levels[] = {
      {"biswas", {"Any", "RC", "RA", "CC", "PC", "UA", "PSI", "SI", "NLU", "SER", "UpdateSer"}},
      {"cerone", {"RA", "UA", "CC", "PSI", "PC", "SI", "SER", "NLU", "UpdateSer"}},
      {"adya", {"RU", "RC", "PSI", "SI", "SER", "UpdateSer"}},
      {"crooks", {"RC", "SI", "SER", "SessionSI", "SessionSER"}},
      {"plume", {"RA", "CC"}}};
  for (const auto& [framework, names] : levels)
    for (const std::string name : names) {
      const auto found = load_specification(std::string(framework) + ":" + name);
      ASSERT_TRUE(found) << found.error().describe();
      EXPECT_EQ(found->name, std::string(framework) + ":" + name);
    }
}

TEST(SpecLanguage, FindsLevelsInAnyCase) {
  ASSERT_TRUE(load_specification("BISWAS:si"));
  EXPECT_EQ(load_specification("Biswas:updateSER")->name, "biswas:UpdateSer");
}

TEST(SpecLanguage, SaysWhereANameIsNotDefinedAndWhatWasMeant) {
  EXPECT_EQ(problem_of("level L in biswas: true"), "my.spec:1:12: there is no framework biswas");
  EXPECT_EQ(problem_in_level("acyclic casual"),
            "my.spec:2:28: casual is not defined here (did you mean causal?)");
  EXPECT_EQ(problem_in_level("all t: Co(t,t)"), "my.spec:2:27: Co is not defined here (did you mean co?)");
}

TEST(SpecLanguage, ChecksSortsAndArities) {
  EXPECT_EQ(problem_in_level("so in W"), "my.spec:2:23: Txn * Txn and Txn do not fit together");
  EXPECT_EQ(problem_in_level("all x, t: W(x)(t) and co(x,t)"),
            "my.spec:2:45: Obj and Txn do not fit together");
  EXPECT_EQ(problem_in_level("co"),
            "my.spec:2:20: a relation (Txn * Txn) where a formula is expected (compare it (in, =), "
            "test it (empty, acyclic), or apply it: r(t,s))");
  EXPECT_EQ(problem_in_level("acyclic W"), "my.spec:2:28: a relation of two columns is needed, not Txn");
  EXPECT_EQ(problem_in_level("co(T0)"), "my.spec:2:22: 2 columns (Txn * Txn) but 1 argument");
  EXPECT_EQ(problem_in_level("all t: unless_overwritten(co,so)"),
            "my.spec:2:45: unless_overwritten takes 1 parameter, not 2");
  EXPECT_EQ(problem_in_level("all t: true"),
            "my.spec:2:24: nothing says what t ranges over (say it: in Txn, in Obj, in Val)");
  EXPECT_EQ(problem_in_level("empty co[T0]"),
            "my.spec:2:28: only a family has an index (membership is written r(t,s))");
}

TEST(SpecLanguage, SaysWhatSyntaxIsExpected) {
  EXPECT_EQ(problem_of("levle X in y: true"),
            "my.spec:1:1: a definition is expected, not levle (one of include, let, framework, "
            "level, anomaly)");
  EXPECT_EQ(problem_in_level("all t co(t,t)"), "my.spec:2:26: : is expected, not co");
  EXPECT_EQ(problem_in_level("co(t,"),
            "my.spec:2:25: a relation or formula is expected, not the end of the file");
  EXPECT_EQ(problem_in_level("co $ so"), "my.spec:2:23: '$' means nothing here");
  EXPECT_EQ(problem_of("include \"a\n"), "my.spec:1:9: the text is not closed (add a \")");
  EXPECT_EQ(problem_of("let all = so"),
            "my.spec:1:5: a definition is expected, not all (all is a word of the language)");
}

TEST(SpecLanguage, RefusesTextThatIsNestedOrChainedWithoutEnd) {
  EXPECT_THAT(problem_in_level(std::string(100000, '(')), testing::HasSubstr("too deeply"));
  std::string chain = "so";
  for (int i = 0; i < 100000; ++i) chain += "|so";
  EXPECT_THAT(problem_in_level("acyclic " + chain), testing::HasSubstr("too long"));
}

TEST(SpecLanguage, LetsADefinitionUseOnlyEarlierOnes) {
  EXPECT_EQ(problem_of("let a = b\nlet b = so\nframework f { let c = a }\nlevel L in f: acyclic c"),
            "my.spec:1:9: b is not defined here");
  EXPECT_EQ(problem_of("let so = wr"), "my.spec:1:5: so is defined already (choose another name)");
}

TEST(SpecLanguage, ChecksWhatNobodyUses) {
  EXPECT_EQ(problem_of("let a = so | nothing"), "my.spec:1:14: nothing is not defined here");
  EXPECT_EQ(problem_of("framework f { witness o : total order on Obj }"),
            "my.spec:1:42: Obj and Txn do not fit together");
}

TEST(SpecLanguage, HasLeastFixpointsThatOnlyGrow) {
  EXPECT_EQ(
      problem_of("let rec hb : Txn * Txn = so | wr | hb . hb\nframework f { }\nlevel L in f: acyclic hb"),
      "");
  EXPECT_EQ(problem_of("let rec r : Txn * Txn = so \\ r\nframework f { }\nlevel L in f: acyclic r"),
            "my.spec:1:9: r is used where more of it can give less (not under not, =, max, a test, on the "
            "left of => or in, or on "
            "the right of \\)");
  EXPECT_EQ(problem_of("let rec r = so\nframework f { }\nlevel L in f: acyclic r"),
            "my.spec:1:9: let rec needs the sorts of its columns (let rec r : Txn * Txn = ...)");
}

TEST(SpecLanguage, ForbidsOnlyAnomalies) {
  EXPECT_EQ(problem_of("include plume\nlevel L in plume forbids k, n"), "");
  EXPECT_EQ(problem_of("include plume\nlevel L in plume forbids CC"),
            "my.spec:2:26: CC is not an anomaly (define it: anomaly NAME in FRAMEWORK: ...)");
  EXPECT_EQ(load_specification("plume:k").error().what, "k is an anomaly, not a level");
}

TEST(SpecLanguage, SaysWhichSpecificationIsMissing) {
  EXPECT_EQ(load_specification("biswas").error().what, "biswas is no specification");
  EXPECT_EQ(load_specification("biswsa:SI").error().describe(),
            "biswsa is neither a built-in framework nor a file (did you mean biswas?)");
  EXPECT_EQ(load_specification("biswas:SRE").error().describe(),
            "biswas: there is no level SRE (did you mean SER?)");
}

TEST(SpecLanguage, IncludesFilesBesideTheOneThatNamesThem) {
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "/base.spec") << "include biswas\nlevel Base in biswas: RA\n";
  std::ofstream(folder + "/mine.spec")
      << "include \"base.spec\"\ninclude biswas\nlevel Mine in biswas: Base and CC\n";
  const auto mine = load_specification(folder + "/mine.spec:mine");
  ASSERT_TRUE(mine) << mine.error().describe();
  EXPECT_EQ(mine->level, "Mine");
  EXPECT_TRUE(load_specification(folder + "/mine.spec:SER"));
  std::ofstream(folder + "/lost.spec") << "include \"nowhere.spec\"\n";
  EXPECT_THAT(load_library(folder + "/lost.spec").error().describe(),
              testing::HasSubstr("lost.spec:1:9: there is no file"));
}

TEST(SpecLanguage, StopsAtAFileThatIncludesItself) {
  const std::string file = testing::TempDir() + "/round.spec";
  std::ofstream(file) << "include \"round.spec\"\nframework f { }\nlevel L in f: true\n";
  EXPECT_TRUE(load_specification(file + ":L"));
}

}  // namespace
}  // namespace assay::spec
