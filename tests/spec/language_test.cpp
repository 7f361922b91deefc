// What the language accepts and what it says about mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "spec/load.h"
#include "spec/published.h"

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
      {"biswas", {"Any", "RC", "RA", "CC", "PC", "UA", "PSI", "SI", "SI-2019", "NLU", "SER", "UpdateSer"}},
      {"cerone", {"RA", "UA", "CC", "PSI", "PC", "SI", "SER", "NLU", "UpdateSer"}},
      {"cerone2015", {"RA", "UA", "CC", "PSI", "PC", "SI", "SER"}},
      {"adya",
       {"RU", "RC", "PSI", "SI", "SER", "UpdatersAlone", "PL-1", "PL-2", "PL-CS", "PL-2plus", "PL-3U",
        "PL-299", "PL-3", "PL-SI", "PL-FCV"}},
      {"crooks",
       {"RC", "PSI", "SI", "SER", "SessionSI", "SessionSER", "ANSI-SI", "TimedSessionSI", "StrongSI",
        "StrictSER"}},
      {"plume", {"CI", "RC", "RA", "CC"}},
      {"berenson", {"RU", "RC", "CS", "RR", "SER", "SI"}},
      {"bailis",
       {"RU", "RC", "I-CI", "MAV", "MonotonicReads", "MonotonicWrites", "ReadYourWrites", "WritesFollowReads",
        "PRAM", "Causal"}},
      {"sessions", {"ReadYourWrites", "MonotonicReads", "MonotonicWrites", "WritesFollowReads", "PRAM"}},
      {"ardekani", {"NMSI"}},
      {"realtime", {"GSI", "SessionSI", "StrongSI", "StrictSER", "RSS"}},
      {"labelled", {"RedBlue", "SitePSI"}}};
  for (const auto& [framework, names] : levels)
    for (const std::string name : names) {
      const auto found = load_specification(std::string(framework) + ":" + name);
      ASSERT_TRUE(found) << found.error().describe();
      EXPECT_EQ(found->name, std::string(framework) + ":" + name);
    }
}

// The comment above a level says where it is from, with a year, or that it is ours.
TEST(SpecLanguage, EveryBuiltinLevelCitesItsSource) {
  std::size_t levels = 0;
  for (const BuiltinFile& file : builtin_files()) {
    std::istringstream text{std::string(file.text)};
    std::string comment;
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("#")) {
        comment += line;
        continue;
      }
      if (line.starts_with("level ")) {
        ++levels;
        EXPECT_TRUE(std::regex_search(comment, std::regex("(19|20)[0-9][0-9]|Ours")))
            << file.name << ": " << line;
      }
      comment.clear();
    }
  }
  EXPECT_GE(levels, 50u);
}

TEST(SpecLanguage, PublishedLevelsAreBuiltInAndSayFromWhere) {
  std::set<std::string> names;
  for (const char* name : published_levels()) {
    const auto found = load_specification(name);
    ASSERT_TRUE(found) << found.error().describe();
    EXPECT_EQ(found->name, name);
    EXPECT_TRUE(std::regex_search(found->about, std::regex("(19|20)[0-9][0-9]"))) << name << found->about;
    EXPECT_FALSE(found->about.starts_with("Ours")) << name;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_GE(names.size(), 55u);
}

TEST(SpecLanguage, LevelsOfTheCheckerAreSpecificationsToo) {
  std::set<std::string> names;
  for (const CheckedLevel& level : checked_levels()) {
    const auto found = load_specification(level.name);
    ASSERT_TRUE(found) << found.error().describe();
    EXPECT_EQ(found->name, level.name);
    EXPECT_EQ(found->formula == nullptr, false);
    names.insert(level.name);
  }
  EXPECT_EQ(names.size(), 16u);
  EXPECT_FALSE(load_specification("sre"));
}

TEST(SpecLanguage, TheCommentAboveALevelIsAboutIt) {
  const auto about = [](const std::string& before) {
    return library_of_text("framework f { }" + before + "level L in f: true # behind it\n", "test")
        ->find("", "L")
        ->about;
  };
  EXPECT_EQ(about("\n# One.\n#  Two. \n"), "One. Two.");
  EXPECT_EQ(about("\n# Another thing.\n\n# One.\n"), "One.");
  EXPECT_EQ(about("\n# Another thing.\n\n"), "");
  EXPECT_EQ(about(" # behind the framework\n"), "");
}

TEST(SpecLanguage, FindsLevelsInAnyCase) {
  ASSERT_TRUE(load_specification("BISWAS:si"));
  EXPECT_EQ(load_specification("Biswas:updateSER")->name, "biswas:UpdateSer");
}

TEST(SpecLanguage, SaysWhereANameIsNotDefinedAndWhatWasMeant) {
  EXPECT_EQ(problem_of("level L in biswas: true"),
            "my.spec:1:12: there is no framework biswas (write: include biswas)");
  EXPECT_EQ(problem_of("include biswas\nlevel L in biswsa: true"),
            "my.spec:2:12: there is no framework biswsa (did you mean biswas?)");
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

TEST(SpecLanguage, TellsElementsFromSets) {
  const std::string remedy =
      " where an element is expected (name one with all or some, or compare sets with in)";
  EXPECT_EQ(problem_in_level("co(W,T0)"), "my.spec:2:23: a set (Txn)" + remedy);
  EXPECT_EQ(problem_in_level("all x: co(max(co, W(x)), T0 . co)"), "my.spec:2:48: a set (Txn)" + remedy);
  EXPECT_EQ(problem_in_level("acyclic wr[Obj]"), "my.spec:2:31: a set (Obj)" + remedy);
  EXPECT_EQ(problem_in_level("all o, t: co(o . by, t) => W(o . at)(t)"), "");
  EXPECT_EQ(problem_in_level("let t = T0 in lone s: co(t, s) and W = R"), "");
}

TEST(SpecLanguage, LabelsAreSetsOfTransactionsOrObjects) {
  const auto problem = [](const std::string& label, const std::string& formula) {
    return problem_of(label + "\nframework f { }\nlevel L in f: " + formula);
  };
  EXPECT_EQ(problem("label red on Txn", "all s in red: s != T0"), "");
  EXPECT_EQ(problem("label hot on Obj", "all x in hot: empty W(x) . so"), "");
  EXPECT_EQ(problem("label hot on Obj", "so in hot * hot"), "my.spec:3:18: Txn and Obj do not fit together");
  EXPECT_THAT(problem("label red on Val", "true"), testing::HasSubstr("Val has no labels (Txn or Obj)"));
  EXPECT_THAT(problem("label so on Txn", "true"), testing::HasSubstr("so is defined already"));
  EXPECT_THAT(problem("label a-b on Txn", "true"), testing::HasSubstr("a label is one word"));
  EXPECT_EQ(problem_of("include biswas\nlabel red on Txn\nlevel L in biswas: red * red in co"), "");
  EXPECT_EQ(problem_of("include biswas\nlabel unless_overwritten on Txn\nlevel L in biswas: true"),
            "my.spec:2:7: unless_overwritten is defined already in framework biswas (choose another name)");
  // It is a word of the language only where a label is defined.
  EXPECT_EQ(problem("let label = so", "label in so"), "");
}

// `clock in co` is no real time: the empty order is one too.
TEST(SpecLanguage, WarnsOfWitnessesThatDemandNothing) {
  const auto warnings = [](const std::string& formula) {
    const auto library = library_of_text(
        "framework f { witness co : total order on Txn; witness clock : order on Txn; witness r : relation "
        "on "
        "Txn }\n"
        "level L in f: " +
            formula,
        "test");
    return library ? idle_witnesses(*library->find("f", "L")) : std::vector{library.error().describe()};
  };
  EXPECT_THAT(warnings("clock in co"),
              testing::ElementsAre(testing::HasSubstr("witness clock of f:L demands nothing: the empty")));
  EXPECT_THAT(warnings("all s, t: clock(s,t) and not so(s,t) => co(s,t)"), testing::SizeIs(1));
  EXPECT_THAT(warnings("so in r"), testing::ElementsAre(testing::HasSubstr("the full relation")));
  EXPECT_THAT(warnings("so in clock and clock in co"), testing::IsEmpty());
  EXPECT_THAT(warnings("so in r and acyclic r | wr"), testing::IsEmpty());
  EXPECT_THAT(warnings("so in co"), testing::IsEmpty());
}

TEST(SpecLanguage, WarnsOfNoBuiltinWitness) {
  std::size_t levels = 0;
  for (const BuiltinFile& file : builtin_files()) {
    const auto library = load_library(std::string(file.name));
    ASSERT_TRUE(library) << file.name;
    for (const Specification& level : library->levels()) {
      ++levels;
      EXPECT_THAT(idle_witnesses(level), testing::IsEmpty()) << level.name;
    }
  }
  EXPECT_GE(levels, 50u);
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

TEST(SpecLanguage, LetsLevelsOfAnIncludedFrameworkUseTheFilesOwnDefinitions) {
  EXPECT_EQ(problem_of("include biswas\nlet g = so . so\nlevel L in biswas: g in so\n"
                       "level M in biswas: L and acyclic g | co"),
            "");
  EXPECT_EQ(problem_of("include adya\nlet rw = so . so\nlevel L in adya: rw in so"),
            "my.spec:2:5: rw is defined already in framework adya (choose another name)");
}

TEST(SpecLanguage, HasGuessesOfWitnesses) {
  const std::string framework =
      "framework f { witness ar : total order on Txn; witness vis : relation on Txn; witness ww[x] : total "
      "order on W(x) }\n";
  EXPECT_EQ(problem_of(framework + "level L in f with vis = so | wr, ar = ar: vis in ar"), "");
  EXPECT_EQ(problem_of(framework + "level L in f with wr = so: vis in ar"),
            "my.spec:2:19: wr is not a witness of this framework");
  EXPECT_EQ(problem_of(framework + "level L in f with ww = so: vis in ar"),
            "my.spec:2:19: ww has an index (only a witness without an index can be guessed)");
  EXPECT_EQ(problem_of(framework + "level L in f with vis = W: vis in ar"),
            "my.spec:2:25: a relation of two columns is needed, not Txn");
}

TEST(SpecLanguage, ChecksWhatNobodyUses) {
  EXPECT_EQ(problem_of("let a = so | nothing"), "my.spec:1:14: nothing is not defined here");
  EXPECT_EQ(problem_of("framework f { witness o : total order on Obj }"),
            "my.spec:1:42: a witness relates transactions, not Obj (such as: on Txn, on W(x))");
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
