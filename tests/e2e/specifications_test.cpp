// find, compare, lattice and check --spec as scripts use them.
#include <nlohmann/json.hpp>

#include "e2e/command.h"

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class SpecificationCommands : public Command {};

TEST_F(SpecificationCommands, FindPrintsAHistoryThatCheckReads) {
  EXPECT_EQ(assay("find --allow biswas:SI,biswas:UpdateSer --forbid biswas:SER --minimal"), 1);
  EXPECT_THAT(
      out_,
      StartsWith(
          "# 3 transactions, 4 operations, 2 objects, 2 values\n# allowed by biswas:SI with\n#   co: "));
  EXPECT_THAT(out_,
              HasSubstr("# forbidden by biswas:SER: none of the 6 possible witnesses fits; for example\n"));
  const std::string found = write("found.hist", out_);
  EXPECT_EQ(assay("check --quiet --level si " + found), 0) << out_ << err_;
  EXPECT_EQ(assay("check --quiet --level ser " + found), 1) << out_ << err_;
  EXPECT_EQ(assay("check --quiet --spec biswas:SI,biswas:UpdateSer " + found), 0) << out_ << err_;
  EXPECT_EQ(assay("check --quiet --spec cerone:SER " + found), 1) << out_ << err_;
}

TEST_F(SpecificationCommands, FindSaysThatThereIsNoneAndHowFarItLooked) {
  EXPECT_EQ(assay("find --allow cerone:SER --forbid biswas:SER --scope 3,2,2"), 0);
  EXPECT_EQ(out_,
            "# no history of up to 3 transactions, 2 objects and 2 values is allowed by cerone:SER and "
            "forbidden by biswas:SER\n"
            "# (larger histories were not searched)\n");
}

TEST_F(SpecificationCommands, FindWritesProofsThatThereIsNone) {
  EXPECT_EQ(assay("find --allow biswas:SI --forbid cerone:SI --scope 3,2,3 --proof " + file("proofs")), 0);
  for (const std::string size : {"1", "2", "3"}) {
    EXPECT_THAT(content(file("proofs/" + size + "-transactions.cnf")), StartsWith("p cnf "));
    EXPECT_THAT(content(file("proofs/" + size + "-transactions.cnf")),
                HasSubstr("c cerone:SI forbids it, so also for: orders of biswas:SI"));
    EXPECT_NE(content(file("proofs/" + size + "-transactions.drat")), "");
  }
}

TEST_F(SpecificationCommands, FindEnumeratesHistoriesThatAreNoRenamings) {
  EXPECT_EQ(assay("find --allow plume:RA --forbid biswas:RA --scope 2,1,2 --all 10 --json"), 1);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["answer"], "found");
  EXPECT_EQ(json["schema"], 1);
  EXPECT_GT(json["histories"].size(), 1u);
  EXPECT_EQ(json["histories"][0]["allowed"][0]["spec"], "plume:RA");
  EXPECT_EQ(json["histories"][0]["transactions"], 2);
}

TEST_F(SpecificationCommands, ReachingALimitIsUndecided) {
  EXPECT_EQ(assay("find --allow biswas:SER --forbid cerone:SI --scope 8,8,8 --timeout 0"), 3);
  EXPECT_THAT(err_, HasSubstr("undecided: the limit of 0 s was reached"));
  EXPECT_EQ(assay("compare biswas:SER cerone:SER --timeout 0"), 3);
  EXPECT_EQ(assay("lattice biswas:SER cerone:SER --timeout 0"), 3);
  EXPECT_EQ(assay("find --allow biswas:SER --forbid cerone:SI --timeout 0 --json"), 3);
  EXPECT_EQ(nlohmann::json::parse(out_)["answer"], "undecided");
}

TEST_F(SpecificationCommands, CompareSaysHowTheyRelate) {
  EXPECT_EQ(assay("compare plume:RA biswas:RA"), 1);
  EXPECT_THAT(out_, StartsWith("plume:RA is weaker than biswas:RA: "));
  EXPECT_THAT(out_,
              HasSubstr("# allowed by plume:RA only\n# 2 transactions, 2 operations, 1 object, 2 values\n"));
  EXPECT_EQ(assay("compare cerone:SER biswas:SER --scope 4,5,5"), 0);
  EXPECT_EQ(out_,
            "cerone:SER and biswas:SER are equivalent for histories of up to 4 transactions, 5 objects and 5 "
            "values\n");
  EXPECT_EQ(assay("compare cerone:PC cerone:PSI --json"), 1);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["relation"], "incomparable");
  EXPECT_EQ(json["only_first"]["allowed"][0]["spec"], "cerone:PC");
  EXPECT_EQ(json["only_second"]["allowed"][0]["spec"], "cerone:PSI");
}

TEST_F(SpecificationCommands, LatticeDrawsWhatCoversWhat) {
  EXPECT_EQ(assay("lattice cerone:RA cerone:CC cerone:SER biswas:CC --scope 3,2,2 --dot " + file("l.dot")),
            0);
  EXPECT_THAT(
      out_,
      StartsWith("cerone:CC = biswas:CC\ncerone:CC > cerone:RA\ncerone:SER > cerone:CC\n(> is stronger"));
  EXPECT_THAT(content(file("l.dot")), HasSubstr("n0 -> n1 "));
  EXPECT_THAT(content(file("l.dot")), HasSubstr("label=\"cerone:CC\\nbiswas:CC\""));
  EXPECT_EQ(assay("lattice cerone:RA cerone:CC --scope 3,2,2 --json"), 0);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["implies"], nlohmann::json::parse("[[true,false],[true,true]]"));
}

TEST_F(SpecificationCommands, LatticeRelatesThePublishedLevels) {
  EXPECT_EQ(assay("lattice --published --no-prove --scope 2,1 --report " + file("l.html") + " --tikz " +
                  file("l.tex")),
            0);
  EXPECT_THAT(out_, HasSubstr("berenson:RU = adya:PL-1\n"));
  EXPECT_THAT(out_, Not(HasSubstr("# proved")));
  EXPECT_THAT(content(file("l.html")), HasSubstr("(Ardekani et al. 2013)"));
  EXPECT_THAT(content(file("l.tex")), HasSubstr("berenson:RU\\\\"));
  EXPECT_EQ(assay("lattice"), 2);
  EXPECT_THAT(err_, HasSubstr("--published"));
}

TEST_F(SpecificationCommands, LatticeProvesWhatItCanForAllSizes) {
  EXPECT_EQ(assay("lattice --prove cerone:SI cerone:SER crooks:SER adya:PL-3 --scope 3,2"), 0);
  EXPECT_THAT(out_, HasSubstr("# cerone:SI allows all that cerone:SER allows, with ar = ar, vis = vis"));
  EXPECT_THAT(out_, HasSubstr("# for histories within the scope; no proof was found for larger ones\n"));
  EXPECT_EQ(assay("lattice --prove cerone:SI cerone:SER --json --scope 3,2"), 0);
  EXPECT_EQ(nlohmann::json::parse(out_)["proved"][0]["to"], "cerone:SI");
}

TEST_F(SpecificationCommands, MistakesAreExitTwoWithTheirPlace) {
  const std::string spec = write("my.spec", "include biswas\nlevel L in biswas: acyclic casual\n");
  EXPECT_EQ(assay("compare " + spec + ":L biswas:RA"), 2);
  EXPECT_EQ(err_, "assay: " + spec + ":2:28: casual is not defined here (did you mean causal?)\n");
  EXPECT_EQ(assay("find --allow biswas:SRE"), 2);
  EXPECT_THAT(err_, HasSubstr("there is no level SRE (did you mean SER?)"));
  EXPECT_EQ(assay("find --allow biswas:SER --scope 3"), 2);
  EXPECT_THAT(err_, HasSubstr("3 is no scope"));
  EXPECT_EQ(assay("find"), 2);
  EXPECT_EQ(assay("check --spec biswas:SI --level si x"), 2);
}

TEST_F(SpecificationCommands, CheckJudgesBySpecifications) {
  const std::string history = write("h.hist", "S1: <a> r(x,0) w(x,1)\nS2: <b> r(x,0) w(x,2)\n");
  EXPECT_EQ(assay("check --spec biswas:PC,biswas:SI " + history), 1);
  EXPECT_THAT(out_, HasSubstr("\tbiswas:PC\tholds\t"));
  EXPECT_THAT(out_, HasSubstr("\tbiswas:SI\tviolated\t"));
  EXPECT_THAT(out_, HasSubstr("co: a < b: SI fails for x = x, t1 = T0, t2 = a, t3 = b: co(a,T0) is missing"));
  EXPECT_EQ(assay("check --spec biswas:PC --json " + history), 0);
  EXPECT_EQ(nlohmann::json::parse(out_)["results"][0]["verdict"], "holds");
  EXPECT_EQ(assay("check --spec biswas:PC " + write("l.hist", "S1: append(l,1)\n")), 2);
}

TEST_F(SpecificationCommands, FindCompareAndLatticeWriteReports) {
  EXPECT_EQ(assay("find --allow biswas:SI --forbid biswas:SER --report " + file("r.html")), 1);
  EXPECT_THAT(content(file("r.html")),
              HasSubstr("A history allowed by biswas:SI and forbidden by biswas:SER"));
  EXPECT_EQ(assay("compare biswas:SI cerone:SI --scope 3,2 --report " + file("c.html")), 0);
  EXPECT_THAT(content(file("c.html")), HasSubstr("biswas:SI and cerone:SI: equivalent"));
  EXPECT_EQ(assay("lattice biswas:SI biswas:SER --scope 3,2 --report " + file("l.html")), 0);
  EXPECT_THAT(content(file("l.html")),
              HasSubstr("histories of up to 3 transactions, 2 objects and 4 values"));
}

TEST_F(SpecificationCommands, ValuesDefaultToAllThatMatter) {
  EXPECT_EQ(assay("compare cerone:UA cerone:NLU"), 1);
  EXPECT_THAT(
      out_,
      StartsWith("cerone:UA is stronger than cerone:NLU: for histories of up to 4 transactions, 3 objects "
                 "and 5 values, "));
  EXPECT_EQ(assay("compare biswas:SI cerone:SI --scope 2,1"), 0);
  EXPECT_THAT(out_, HasSubstr("up to 2 transactions, 1 object and 3 values"));
  EXPECT_EQ(assay("compare biswas:SI cerone:SI --scope 2,1,2 --no-sessions --json"), 0);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["scope"], nlohmann::json::parse("[2,1,2]"));
  EXPECT_EQ(json["sessions"], false);
}

// Fekete, O'Neil and O'Neil (2004): without sessions it takes all three dependencies, and two writers.
TEST_F(SpecificationCommands, FindsTheReadOnlyAnomalyWithoutSessions) {
  EXPECT_EQ(assay("find --allow biswas:SI,biswas:UpdateSer --forbid biswas:SER --no-sessions --minimal"), 1);
  const std::string found = write("found.hist", out_);
  EXPECT_EQ(assay("check --quiet --level adya-si " + found), 0) << out_ << err_;
  EXPECT_EQ(assay("check --quiet --level plain-ser " + found), 1) << out_ << err_;
  EXPECT_EQ(assay("check --quiet --spec adya:PL-3U " + found), 1) << out_ << err_;
  EXPECT_EQ(assay("check --quiet --spec adya:UpdatersAlone " + found), 0) << out_ << err_;
}

TEST_F(SpecificationCommands, UndecidedSaysWhatWasFinished) {
  EXPECT_EQ(assay("find --allow biswas:SER --forbid cerone:SI --timeout 0"), 3);
  EXPECT_THAT(
      err_,
      HasSubstr(
          "undecided: the limit of 0 s was reached before all histories of 1 transaction were searched"));
  EXPECT_EQ(assay("find --allow adya:PL-3 --forbid crooks:SER --scope 12,12 --timeout 5 --json"), 3);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["answer"], "undecided");
  EXPECT_GE(json["finished"], 2);
  EXPECT_LT(json["finished"], 12);
}

TEST_F(SpecificationCommands, ProveAnswersForAllSizes) {
  EXPECT_EQ(assay("prove biswas:SI cerone:SI --scope 3,2 --smt " + file("smt")), 0) << out_ << err_;
  EXPECT_THAT(out_, StartsWith("biswas:SI and cerone:SI are equivalent for histories of all sizes\n"));
  EXPECT_THAT(
      out_,
      HasSubstr("cerone:SI allows all that biswas:SI allows, with ar = co, vis = prefix_of_writers(co)"));
  EXPECT_THAT(content(file("smt/first-in-second-1.smt2")), HasSubstr("(check-sat)"));
  EXPECT_EQ(assay("prove biswas:PC biswas:SI --scope 3,2"), 1);
  EXPECT_THAT(out_, StartsWith("biswas:PC is weaker than biswas:SI, for histories of all sizes\n"));
  EXPECT_THAT(out_, HasSubstr("# allowed by biswas:PC only\n# 2 transactions"));
  EXPECT_EQ(assay("prove biswas:SI cerone:SI --scope 3,2 --json"), 0);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["inclusions"][0]["answer"], "proved");
  EXPECT_EQ(json["inclusions"][1]["to"], "biswas:SI");
  const std::string spec = write("v.spec",
                                 "include biswas\nlevel A in biswas: SER and no t, x, v: reads(t,x,v) and "
                                 "writes(t,x,v)\nlevel B in biswas: SER\n");
  EXPECT_EQ(assay("prove " + spec + ":A " + spec + ":B --scope 2,1"), 3);
  EXPECT_THAT(
      out_,
      HasSubstr(
          "are equivalent for histories of up to 2 transactions, 1 object and 3 values; for larger ones "
          "it is undecided"));
  EXPECT_THAT(out_, HasSubstr("speaks of values"));
}

TEST_F(SpecificationCommands, FindListsIrreducibleHistories) {
  EXPECT_EQ(assay("find --allow biswas:RA --forbid biswas:CC --scope 3,2,2 --irreducible"), 1);
  EXPECT_THAT(out_, HasSubstr("# history 4\n"));
  EXPECT_THAT(
      out_,
      HasSubstr("# 4 found; no other irreducible history of up to 3 transactions, 2 objects and 2 values is "
                "allowed by biswas:RA"));
  EXPECT_EQ(assay("find --allow biswas:RA --forbid biswas:CC --irreducible --duplicates"), 2);
}

TEST_F(SpecificationCommands, WarnsOfAWitnessThatDemandsNothing) {
  const std::string spec =
      write("rt.spec",
            "framework f { witness co : total order on Txn; witness clock : order on Txn\n"
            "axiom so | wr | clock in co }\nlevel L in f: true\n");
  EXPECT_EQ(assay("compare " + spec + ":L biswas:Any --scope 2,1"), 0);
  EXPECT_THAT(err_, HasSubstr("witness clock of " + spec + ":L demands nothing"));
}

}  // namespace
}  // namespace assay::test
