// The contract of the command line: what is printed where, and the exit codes that scripts rely on.
#include <fmt/format.h>
#include <sys/resource.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

#include "e2e/command.h"

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Sanitizers keep memory of their own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr long kMostMegabytes = 4096;
#else
constexpr long kMostMegabytes = 90;
#endif
#else
constexpr long kMostMegabytes = 90;
#endif

rusage used_by_commands() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return used;
}

constexpr std::string_view kLine = "{\"session\":1,\"txn\":1,\"ops\":[[\"r\",\"x\",0]]}\n";

class Commands : public Command {
 protected:
  // Refused with exit 2: one line on stderr that names the file, nothing on stdout.
  void refused(const std::string& arguments, const std::string& message) {
    EXPECT_EQ(assay(arguments), 2) << arguments;
    EXPECT_EQ(out_, "") << arguments;
    EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1) << err_;
    EXPECT_THAT(err_, StartsWith("assay: "));
    EXPECT_THAT(err_, HasSubstr(message));
  }
};

TEST_F(Commands, SayTheirVersionAndCommit) {
  EXPECT_EQ(assay("--version"), 0);
  EXPECT_THAT(out_, testing::MatchesRegex("assay [0-9]+\\.[0-9]+\\.[0-9]+( \\([0-9a-f]+(-changed)?\\))?\n"));
}

TEST_F(Commands, SuggestWhatWasMeant) {
  refused("chek x", "(did you mean check? assay --help)");
  refused("check --levle ser x", "(did you mean --level? assay check --help)");
  refused("check --formt=hist x", "(did you mean --format? assay check --help)");
  refused("check --level serr x", "unknown level serr (did you mean ser? assay levels lists them)");
  refused("check --nothing-like-it x", "(try assay check --help)");
}

TEST_F(Commands, TakeLevelsInOneOptionOrInSeveral) {
  const std::string history = write("h.hist", "S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)");
  for (const char* levels : {"--level ser,si", "--level 'ser, si'", "--level ser --level si"}) {
    EXPECT_EQ(assay("check --quiet " + std::string(levels) + " " + history), 1) << levels;
    EXPECT_THAT(out_, testing::AllOf(HasSubstr("\tser\tviolated"), HasSubstr("\tsi\tholds"))) << levels;
  }
}

TEST_F(Commands, AloneShowsWhatItCanDo) {
  EXPECT_EQ(assay(""), 0);
  for (const char* command :
       {"check", "explain", "stats", "convert", "generate", "levels", "find", "compare", "prove", "lattice"})
    EXPECT_THAT(out_, HasSubstr(command));
}

TEST_F(Commands, EachExplainsItselfWithAnExample) {
  for (const std::string command : {"check", "explain", "stats", "convert", "generate", "levels", "find",
                                    "compare", "prove", "lattice"}) {
    EXPECT_EQ(assay(command + " --help"), 0);
    EXPECT_THAT(out_, HasSubstr("Example"));
    EXPECT_THAT(out_, HasSubstr("assay " + command));
  }
}

TEST_F(Commands, BadUsageIsExitTwoAndSaysWhereToLook) {
  refused("stats", "HISTORY is required (try assay stats --help)");
  refused("frobnicate", "frobnicate");
  refused("stats --format nonsense x", "unknown format nonsense");
  refused("check --level nonsense " + write("h.jsonl", kLine),
          "unknown level nonsense (assay levels lists them)");
}

TEST_F(Commands, APasswordThatWasTypedInTheWrongPlaceIsNotQuoted) {
  refused("check postgres://bob:hunter2@h/db", "postgres://bob:***@h/db: cannot open");
  refused("run --workload postgres://bob:hunter2@h/db", "no workload postgres://bob:***@h/db");
  refused("run postgres://bob:hunter2@h/db", "not expected: postgres://bob:***@h/db");
  refused("run --dbb=postgres://bob:hunter2@h/db", "***@h/db");
}

// CLI11 takes -1 for the largest count, 010 for eight and nan for a number that no comparison refuses.
TEST_F(Commands, NumbersOfOptionsAreWhatTheySay) {
  const std::string history = write("h.jsonl", kLine);
  for (const char* command : {"check", "explain"}) {
    const std::string on = std::string(command) + " " + history;
    refused(on + " --timeout nan", "--timeout: nan is not a number");
    refused(on + " --timeout inf", "--timeout: inf is not a number");
    refused(on + " --timeout 0x10", "--timeout: 0x10 is not a number");
    refused(on + " --timeout=-1", "--timeout: -1 is less than 0");
    refused(on + " --memory=-1", "--memory: -1 is less than 0");
    refused(on + " --memory 99999999999999999999", "is not a whole number that fits");
    refused(on + " --threads 010", "--threads: 010 is not a whole number that fits");
    refused(on + " --skew 1.5", "--skew: 1.5 is not a whole number that fits");
  }
  refused("generate --txns=-1 " + file("out.jsonl"), "--txns: -1 is less than 0");
  refused("generate --reads nan " + file("out.jsonl"), "--reads: nan is not a number");
  refused("analyze --cycle 0x3 " + file("x.sql"), "--cycle: 0x3 is not a whole number that fits");
  EXPECT_EQ(assay("generate --txns 2 --seed 18446744073709551615 " + file("out.jsonl")), 0) << err_;
}

TEST_F(Commands, ControlCharactersOfAFileDoNotReachTheTerminal) {
  const std::string hostile = write(
      "h.jsonl",
      R"({"session":"a\nb","ops":[["w","\u001b[31mx\u0007",1],["r","k\u009b2J","\u007f"],["r","\u001b[31mx\u0007","\r"]]})"
      "\n");
  for (const std::string& command :
       {"explain --level ser " + hostile, "check --json " + hostile, "stats " + hostile}) {
    assay(command);
    for (const char c : out_ + err_)
      ASSERT_TRUE(c == '\n' || c == '\t' ||
                  (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && c != '\x9b'))
          << command << "\n"
          << out_;
  }
  assay("check '" +
        file("no\x1b[31msuch\xff"
             "file") +
        "'");
  EXPECT_THAT(err_, HasSubstr("no\\u001b[31msuch\\xfffile: cannot open"));
}

TEST_F(Commands, BadInputIsExitTwoAndOneLine) {
  const std::string line(kLine);
  refused("stats " + file("missing"), "missing: cannot open: No such file or directory");
  refused("stats " + write("empty", ""), "empty: the file is empty");
  refused("stats " + directory_.string(), "this directory holds no history logs");
  refused("stats " + write("cut.jsonl", line + line.substr(0, 30)),
          "cut.jsonl:2: not valid JSON: A string is opened, but never closed");
  refused("stats " + write("twice.jsonl", line + line), "twice.jsonl:2: transaction id 1 is used twice");
  refused("stats " + write("op.jsonl", "{\"session\":1,\"ops\":[[\"x\",1,2]]}"),
          "op.jsonl:1: operation 1: unknown operation");
  refused("stats " + write("utf.jsonl", "{\"session\":1,\"ops\":[[\"w\",\"\xff\",2]]}"), "utf.jsonl:1: ");
  refused("stats " + write("noise", std::string(100, '\xfe')), "noise");
  std::string huge(40, '\0');
  for (int i = 0; i < 3; ++i) huge += std::string(8, '\0');
  huge += "\xff\xff\xff\xff\xff\xff\xff\x0f";
  refused("stats --format dbcop " + write("huge.bincode", huge), "huge.bincode:byte ");
}

TEST_F(Commands, AHistoryWithoutTransactionsDoesNotPass) {
  const std::string empty = write("empty.jsonl", "{\"assay\":1}\n");
  EXPECT_EQ(assay("check " + empty), 2);
  EXPECT_EQ(out_, "");
  EXPECT_THAT(
      err_,
      HasSubstr("the history holds no transactions (there is nothing to judge; check that the recorder ran"));
}

TEST_F(Commands, CheckNotesWhereAHistorySaysNothingAboutIsolation) {
  const std::string serial = write("serial.hist", "S1: r(x,0) w(x,1) | r(x,1)");
  const std::string note =
      "all transactions are in one session, one after another, so this history says nothing about isolation";
  EXPECT_EQ(assay("check --junit " + file("out.xml") + " --report " + file("out.html") + " " + serial), 0);
  EXPECT_EQ(err_, "assay: " + serial + ": note: " + note + "\n");
  EXPECT_THAT(content(file("out.xml")), HasSubstr("<system-out>note: " + note));
  EXPECT_THAT(content(file("out.html")), HasSubstr("\"reason\":\"" + note));
  EXPECT_EQ(assay("check --json " + serial), 0);
  EXPECT_THAT(out_, HasSubstr("\"notes\":[\"" + note + "\"]"));
  EXPECT_EQ(err_, "");
  EXPECT_EQ(assay("check " + write("wrong.hist", "S1: w(x,1) | r(x,0)")), 1);
  EXPECT_THAT(err_, Not(HasSubstr("says nothing"))) << "it does say something: the level is violated";
}

TEST_F(Commands, StatsCountsAlsoAsJson) {
  const std::string h = write("h.hist", "S1: <@0..10> r(x,0) w(x,1) S2: <@5..9> r(x,1)!");
  EXPECT_EQ(assay("stats " + h), 0);
  EXPECT_THAT(out_,
              HasSubstr("transactions  2 (1 committed, 1 aborted, 0 unknown; 1 read-only, 0 write-only)"));
  EXPECT_EQ(assay("stats --json " + h), 0);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["operations"], 3);
  EXPECT_EQ(json["most_concurrent"], 2);
}

TEST_F(Commands, ConvertReadsStandardInputAndWritesStandardOutput) {
  const std::string h = write("h.hist", "S1: r(x,0) w(x,1)");
  EXPECT_EQ(assay("convert --to hist - - <" + h), 0);
  EXPECT_EQ(out_, "S1: r(x,0) w(x,1)\n");
}

TEST_F(Commands, ConvertCompressesByNameAndUnderstandsItAgain) {
  const std::string h = write("h.hist", "1: <7> r(x,0) w(x,1)\n");
  for (const std::string suffix : {".gz", ".zst"}) {
    EXPECT_EQ(assay("convert " + h + " " + file("h.jsonl" + suffix)), 0);
    EXPECT_EQ(assay("convert --to hist " + file("h.jsonl" + suffix) + " -"), 0);
    EXPECT_EQ(out_, "1: <7> r(x,0) w(x,1)\n");
  }
}

TEST_F(Commands, ConvertRefusesToLoseContentAndNamesWhatItLeavesOut) {
  const std::string h = write("h.hist", "1: <@1..2> r(1,0) w(1,1)");
  refused("convert " + h + " " + file("h.bincode"),
          "dbcop cannot express instants (first at transaction 1:1) (add --lossy to leave them out)");
  EXPECT_FALSE(std::filesystem::exists(file("h.bincode")));
  EXPECT_EQ(assay("convert --lossy " + h + " " + file("h.bincode")), 0);
  EXPECT_THAT(err_, HasSubstr("left out the instants of 1 transaction"));
  refused("convert " + h + " " + file("h.unknown"), "its name does not say the format to write");
  refused("convert --to viper " + h + " -", "viper can be read but not written");
}

TEST_F(Commands, ExplainsAnomaliesAndLevelsByName) {
  EXPECT_EQ(assay("explain G-Single"), 0);
  EXPECT_THAT(out_, StartsWith("g-single: a cycle with exactly one anti-dependency\n"));
  EXPECT_THAT(out_, HasSubstr("Elle: G-single-item\n"));
  EXPECT_THAT(out_, HasSubstr("\npsi: g-single on "));
  EXPECT_EQ(assay("explain a5a"), 0);
  EXPECT_THAT(out_, StartsWith("read-skew: "));
  EXPECT_EQ(assay("levels serializable"), 0);
  EXPECT_THAT(out_, StartsWith("plain-ser   serializable"));
  EXPECT_THAT(out_, HasSubstr("  write-skew: "));
  refused("levels repeatable-read", "is not judged");
  // A file comes before an anomaly of the same name.
  write("p4", "S1: r(x,0) w(x,1) S2: r(x,0) w(x,2)");
  EXPECT_EQ(assay("explain --level si " + file("p4")), 1);
}

TEST_F(Commands, NamesAnomaliesAsAdyaOrElleDo) {
  const std::string own = write("own.hist", "S1: w(x,1) | w(y,1) w(x,2)  S2: r(x,1) r(y,1)");
  const std::string skew = write("skew.hist", "S1: r(x,0) w(y,1)  S2: r(y,0) w(x,1)");
  EXPECT_EQ(assay("check --quiet --level ra " + own), 1);
  EXPECT_THAT(out_, testing::EndsWith("\tread-skew-session\n"));
  EXPECT_EQ(assay("check --level ra --names elle " + own), 1);
  EXPECT_THAT(out_, HasSubstr("\tG-single-item-process\n"));
  EXPECT_THAT(out_, HasSubstr("\nra: G-single-item-process on "));
  EXPECT_EQ(assay("check --quiet --level ra --names adya " + own), 1);
  EXPECT_THAT(out_, testing::EndsWith("\tG-single-session\n"));
  EXPECT_EQ(assay("check --quiet --level ser --names Elle " + skew), 1);
  EXPECT_THAT(out_, testing::EndsWith("\tG2-item\n"));
  refused("check --names jepsen " + skew, "--names");
}

TEST_F(Commands, SaysWhichDefinitionOfALevelItTook) {
  const std::string own = write("own.hist", "S1: w(x,1) | r(x,0)");
  EXPECT_EQ(assay("check --quiet --level serializable " + own), 0);
  EXPECT_THAT(out_, HasSubstr("\tplain-ser\tholds\t"));
  EXPECT_THAT(err_, HasSubstr("serializable is taken for plain-ser: "));
  EXPECT_THAT(err_, HasSubstr("With session order it is ser (strong-session-serializable)."));
  EXPECT_EQ(assay("check --quiet --level ser " + own), 1);
  EXPECT_EQ(err_, "");
  EXPECT_EQ(assay("check --quiet --level strong-session-serializable " + own), 1);
  EXPECT_EQ(assay("generate --isolation serializable --txns 10 " + file("g.jsonl")), 0);
  EXPECT_THAT(err_, HasSubstr("the history is of ser, which implies plain-ser"));
}

TEST_F(Commands, CheckExitsByVerdictAndPrintsOneLineEach) {
  const std::string fine = write("fine.hist", "S1: w(x,1) S2: r(x,1)");
  const std::string fractured = write("bad.hist", "S1: w(x,1) w(y,1) S2: r(y,0) r(x,1)");
  EXPECT_EQ(assay("check --level rc,ra,cc " + fine), 0);
  EXPECT_THAT(out_, StartsWith(fine + "\trc\tholds\t"));
  EXPECT_EQ(assay("check --level RA --quiet " + fine + " " + fractured), 1);
  EXPECT_THAT(out_, HasSubstr(fractured + "\tra\tviolated\t"));
  EXPECT_THAT(out_, testing::EndsWith("\tread-skew\n"));
  EXPECT_EQ(assay("check --level cc --json " + fractured), 1);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["results"][0]["verdict"], "violated");
  EXPECT_EQ(json["results"][0]["anomaly"], "read-skew");
  EXPECT_EQ(assay("check --level rc " + fine + " " + file("missing")), 2);
  EXPECT_EQ(assay("check --level ra " + fractured + " " + file("missing")), 1);
  refused("check --level strict-ser " + fine, "does not say when it began");
  refused("check --level serious " + fine, "unknown level serious");
}

TEST_F(Commands, CheckOfAllLevelsSaysWhichAreTheStrongest) {
  const std::string skew = write("skew.hist", "S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)");
  EXPECT_EQ(assay("check --level all --quiet " + skew), 1);
  EXPECT_THAT(out_, HasSubstr(skew + "\tser\tviolated\t"));
  EXPECT_THAT(out_, HasSubstr(skew + "\tsi\tholds\t"));
  EXPECT_THAT(out_, HasSubstr("strongest that hold: si\n"));
  EXPECT_EQ(assay("check --json " + skew), 1);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["results"][0]["anomaly"], "write-skew");
  EXPECT_EQ(json["results"][0]["transactions"].size(), 2u);
  EXPECT_EQ(json["results"][0]["cycle"].size(), 2u);
}

TEST_F(Commands, LevelsThatCannotBeJudgedDoNotKeepOthersFromIt) {
  const std::string untimed = write("h.hist", "S1: r(x,0) w(x,1) S2: r(x,1)");
  const std::string why = untimed + ": strict-ser not judged: transaction S1:1 does not say when it began";
  EXPECT_EQ(assay("check --level ser,strict-ser " + untimed), 2);
  EXPECT_THAT(out_, StartsWith(untimed + "\tser\tholds\t"));
  EXPECT_THAT(err_, HasSubstr(why));
  EXPECT_EQ(assay("check --level strict-ser " + untimed), 2);
  EXPECT_EQ(out_, "");
  EXPECT_EQ(assay("check --level all " + untimed), 0);
  EXPECT_THAT(err_, HasSubstr(untimed + ": gsi, session-si, strong-si, strict-ser not judged: "));
  EXPECT_EQ(assay("check --json --level ser,strict-ser " + untimed), 2);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["not_judged"][0]["level"], "strict-ser");
  EXPECT_THAT(std::string(json["not_judged"][0]["reason"]), HasSubstr("need begin and end"));
}

// One key, 49 transactions: a search over the writers of what was read does not end.
TEST_F(Commands, CheckCountsUpdatesWhereASearchWouldTryThemAll) {
  const std::string history = source_dir() + "/tests/e2e/histories/slow1key.jsonl";
  for (const std::string level : {"adya-si", "plain-ser"}) {
    const std::string certificate = file("certificate");
    EXPECT_EQ(assay("check --timeout 60 --level " + level + " --certificate " + certificate + " " + history),
              1);
    EXPECT_THAT(out_, testing::AllOf(HasSubstr("\t" + level + "\tviolated"), HasSubstr("lost-update on k"),
                                     HasSubstr("11 transactions read k and then wrote k: transaction 9,"),
                                     HasSubstr("They can have read only 10 versions: the initial one, ")));
    EXPECT_EQ(assay("certify " + history + " " + certificate), 0) << out_ << err_;
  }
}

TEST_F(Commands, CertifyAcceptsWhatCheckWroteAndNothingElse) {
  const std::string skew = write("skew.hist", "S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)");
  const std::string fine = write("fine.hist", "S1: w(x,1) S2: r(x,1)");
  const std::string proof = file("proof.txt");
  EXPECT_EQ(assay("check --level ser,si --certificate " + proof + " " + skew), 1);
  EXPECT_EQ(assay("certify " + skew + " " + proof), 0);
  const std::string digest =
      "\tcertified\thistory " + content(proof).substr(content(proof).find("history ") + 8, 16) + "\n";
  EXPECT_EQ(out_, skew + "\tser\tviolated" + digest + skew + "\tsi\tholds" + digest);
  EXPECT_EQ(assay("certify " + fine + " " + proof), 3);
  EXPECT_THAT(err_, HasSubstr("certifies nothing: it is about another history"));
  std::string forged = content(proof);
  forged.replace(forged.find("level si holds"), 14, "level ser holds");
  forged.erase(forged.find("level ser violated"),
               forged.find("end\n") + 4 - forged.find("level ser violated"));
  EXPECT_EQ(assay("certify " + skew + " " + write("forged.txt", forged)), 1) << forged;
  EXPECT_EQ(out_, "");
  EXPECT_EQ(assay("certify " + fine + " " + file("missing")), 2);
  refused("certify " + fine + " " + fine, "");
}

TEST_F(Commands, CheckWritesWhatItFoundForEveryKindOfReader) {
  const std::string skew = write("skew.hist", "S1: <T1> r(x,0) w(y,1) S2: <T2> r(y,0) w(x,1)");
  EXPECT_EQ(assay("check --quiet --report " + file("r.html") + " --dot " + file("g.dot") + " --junit " +
                  file("j.xml") + " " + skew),
            1);
  EXPECT_THAT(content(file("r.html")), HasSubstr("Write skew on x and y"));
  EXPECT_THAT(content(file("r.html")), HasSubstr("assay check --quiet --report "));
  EXPECT_LT(std::filesystem::file_size(file("r.html")), 1u << 20);
  EXPECT_THAT(content(file("g.dot")), StartsWith("digraph"));
  EXPECT_THAT(content(file("j.xml")), HasSubstr("failures=\"1\""));
  refused("check --report " + file("r.html") + " " + skew + " " + skew, "--report needs exactly one history");
  EXPECT_EQ(assay("check --quiet --junit " + file("j.xml") + " " + skew + " " + file("missing")), 1);
  EXPECT_THAT(content(file("j.xml")), HasSubstr("errors=\"1\""));
}

TEST_F(Commands, APictureNeedsGraphvizAndSaysSo) {
  const std::string skew = write("skew.hist", "S1: <T1> r(x,0) w(y,1) S2: <T2> r(y,0) w(x,1)");
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  EXPECT_EQ(assay("check --quiet --svg " + file("g.svg") + " " + skew), 1);
  setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(err_, HasSubstr("Graphviz is not installed (install it (apt-get install graphviz)"));
  EXPECT_FALSE(std::filesystem::exists(file("g.svg")));
}

TEST_F(Commands, ExplainTellsTheWholeStory) {
  const std::string skew = write("skew.hist", "S1: <T1> r(x,0) w(y,1) S2: <T2> r(y,0) w(x,1) S3: w(z,1)");
  EXPECT_EQ(assay("explain --level ser " + skew), 1);
  EXPECT_THAT(out_, StartsWith(skew + "\tser\tviolated\t"));
  EXPECT_THAT(
      out_,
      HasSubstr(
          "the same as a history of its own:\n    S1: <T1> r(x,0) w(y,1)\n    S2: <T2> r(y,0) w(x,1)\n"));
  EXPECT_EQ(assay("explain --level si " + skew), 0);
}

TEST_F(Commands, AReachedLimitIsUndecided) {
  const std::string history = file("h.jsonl");
  ASSERT_EQ(assay("generate --isolation si --txns 5000 --keys 20 --seed 3 " + history), 0);
  EXPECT_EQ(assay("check --timeout 0.000001 " + history), 3);
  EXPECT_THAT(out_, HasSubstr("\tser\tundecided\t"));
  EXPECT_THAT(err_, HasSubstr("ser is undecided: the limit of 1e-06 s was reached"));
  EXPECT_EQ(assay("check --memory 1 --json " + history), 3);
  EXPECT_THAT(nlohmann::json::parse(out_)["results"][0]["reason"],
              HasSubstr("the limit of 1 MB was reached"));
  std::string alone;
  for (int i = 0; i < 30'000; ++i) alone += fmt::format("S{0}: w(k{0},1)\n", i);
  EXPECT_EQ(assay("check --level cc --no-greedy --timeout 0.001 " + write("alone.hist", alone)), 3);
  EXPECT_THAT(err_, HasSubstr("cc is undecided: the limit of 0.001 s was reached"));
}

// 70 MB of short lines, and a single line of 36 MB, whose operations alone take 70.
TEST_F(Commands, TheLimitOfMemoryHoldsWhileAHistoryIsRead) {
  // Written piece by piece: what this process takes counts as memory of the commands that it starts.
  std::ofstream many(file("many.jsonl")), one(file("one.jsonl"));
  for (int i = 0; i < 1'200'000; ++i)
    many << "{\"session\":1,\"ops\":[[\"w\",\"k1\",1],[\"w\",\"k2\",2],[\"w\",\"k3\",3]]}\n";
  one << "{\"session\":1,\"ops\":[[\"w\",\"k\",1]";
  for (int i = 0; i < 3'000'000; ++i) one << ",[\"w\",\"k\",1]";
  one << "]}\n";
  many.close();
  one.close();
  for (const std::string& history : {file("many.jsonl"), file("one.jsonl")}) {
    EXPECT_EQ(assay("check --level rc,ser --memory 60 " + history), 3);
    EXPECT_THAT(out_, HasSubstr("\trc\tundecided\t"));
    EXPECT_THAT(out_, HasSubstr("\tser\tundecided\t"));
    EXPECT_THAT(err_, HasSubstr("the limit of 60 MB was reached while the history was read"));
    EXPECT_LT(used_by_commands().ru_maxrss, kMostMegabytes << 10) << "KB, of any command so far";
  }
}

// Of 200,000 transactions in 400 sessions the first repair makes ten thousands of choices and tries each.
TEST_F(Commands, ALimitOfTimeEndsACheckSoon) {
  const std::string history = file("h.jsonl");
  ASSERT_EQ(
      assay("generate --isolation ser --txns 150000 --ops 8 --keys 40000 --sessions 400 --seed 3 " + history),
      0);
  const auto spent = [] {
    const timeval time = used_by_commands().ru_utime;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  for (const char* level : {"ser", "si"}) {
    const double before = spent();  // processor time: a busy machine gives less of it, not more
    const int exit = assay(fmt::format("check --timeout 1 --quiet --level {} {}", level, history));
    EXPECT_TRUE(exit == 0 || exit == 3) << err_;
    EXPECT_LT(spent() - before, 4) << level;
  }
}

TEST_F(Commands, CertifyRefusesDamagedCertificates) {
  const std::string history = write("h.hist", "S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)");
  ASSERT_EQ(assay("check --level ser,si --certificate " + file("c.txt") + " " + history), 1);
  const std::string good = content(file("c.txt"));
  const std::size_t sections = good.find("level ");
  const std::string header = good.substr(0, sections), body = good.substr(sections);
  EXPECT_EQ(assay("certify " + history + " " + write("d.txt", header)), 3);
  EXPECT_THAT(err_, HasSubstr("certifies nothing: it has no section"));
  for (const std::string& damaged :
       {std::string(), body, header + body + body, header + body + "x\n", header + header + body,
        header + body + std::string(3, '\0'), header + body.substr(0, body.size() - 4), good.substr(0, 30)}) {
    EXPECT_EQ(assay("certify " + history + " " + write("d.txt", damaged)), 2) << damaged;
    EXPECT_EQ(out_, "");
  }
  EXPECT_EQ(
      assay("certify " + history + " " + write("d.txt", header + body.substr(0, body.find("end")) + "end\n")),
      0);
  EXPECT_THAT(out_, testing::Not(HasSubstr("\tsi\t"))) << "it says only what it has certified";
}

TEST_F(Commands, CertifyIsUndecidedWhereItReachesALimitOrHasNoRules) {
  const std::string history = write("h.hist", "S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)");
  ASSERT_EQ(assay("check --certificate " + file("c.txt") + " " + history), 1);
  EXPECT_EQ(assay("certify --memory 1 " + history + " " + file("c.txt")), 3);
  EXPECT_THAT(err_, HasSubstr("undecided: the limit of 1 MB was reached"));
  EXPECT_EQ(assay("certify --timeout 0.000000001 " + history + " " + file("c.txt")), 3);
  EXPECT_EQ(out_, "");
  EXPECT_EQ(assay("certify --timeout 60 --memory 4000 " + history + " " + file("c.txt")), 0);
  for (const char* option : {"--timeout nan", "--timeout -1", "--timeout 0", "--memory -1", "--memory nan",
                             "--level ser --skew -1", "--level ser --skew 5", "--skew 5", "--level nonsense"})
    EXPECT_EQ(assay("certify " + std::string(option) + " " + history + " " + file("c.txt")), 2) << option;
  const std::string good = content(file("c.txt"));
  const std::string clocks =
      good.substr(0, good.find("level ")) + "level strict-ser skew 0 holds\norder c1 c2\nend\n";
  EXPECT_EQ(assay("certify " + history + " " + write("d.txt", clocks)), 3) << "the history has no clocks";
  EXPECT_THAT(err_, HasSubstr("undecided: "));
}

TEST_F(Commands, CertifyOfALevelTakesOnlyWhatImpliesIt) {
  const auto certificate_of = [&](const std::string& options, const std::string& history) {
    assay("check " + options + " --certificate " + file("c.txt") + " " + history);
  };
  const auto certify = [&](const std::string& options, const std::string& history) {
    return assay("certify " + options + " " + history + " " + file("c.txt"));
  };
  const std::string skew = write("skew.hist", "S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)");
  certificate_of("--level si", skew);
  EXPECT_EQ(certify("--level si", skew), 0);
  EXPECT_EQ(certify("--level rc", skew), 0);
  EXPECT_THAT(out_, HasSubstr("\trc\tholds\tcertified\t"));
  EXPECT_THAT(out_, HasSubstr("implied by holds of si"));
  EXPECT_EQ(certify("--level ser", skew), 3) << "si is weaker";
  EXPECT_EQ(out_, "");
  EXPECT_THAT(err_, HasSubstr("says nothing about ser: it shows holds of si"));
  certificate_of("--level ser", skew);
  EXPECT_EQ(certify("--level ser", skew), 0);
  EXPECT_EQ(certify("--level si", skew), 3) << "ser is stronger, and is violated";
  EXPECT_EQ(certify("--level strict-ser", skew), 3) << "without clocks it says nothing";

  ASSERT_EQ(assay("generate --isolation strict-ser --txns 20 --seed 3 " + file("h.jsonl")), 0) << err_;
  const std::string timed = file("h.jsonl");
  certificate_of("--level strict-ser --skew 5", timed);
  EXPECT_EQ(certify("--level strict-ser --skew 5", timed), 0);
  EXPECT_THAT(out_, HasSubstr(", skew 5 ns\n"));
  EXPECT_EQ(certify("--level strict-ser --skew 6", timed), 0) << "more skew, less order";
  EXPECT_THAT(out_, HasSubstr("skew 6 ns, implied by holds of strict-ser with skew 5 ns"));
  EXPECT_EQ(certify("--level strict-ser --skew 4", timed), 3);
  EXPECT_EQ(certify("--level strict-ser", timed), 3) << "without --skew, clocks are exact";
  EXPECT_EQ(certify("--level ser", timed), 0);

  ASSERT_EQ(assay("generate --isolation strict-ser --txns 20 --inject write-skew --seed 3 " + timed), 0)
      << err_;
  certificate_of("--level strict-ser --skew 5", timed);
  EXPECT_EQ(certify("--level strict-ser --skew 4", timed), 0) << "less skew, more order";
  EXPECT_THAT(out_, HasSubstr("\tstrict-ser\tviolated\tcertified\t"));
  EXPECT_EQ(certify("--level strict-ser --skew 6", timed), 3);
  EXPECT_EQ(certify("--level ser", timed), 3);
  certificate_of("--level ser", timed);
  EXPECT_EQ(certify("--level strict-ser --skew 6", timed), 0) << "ser is violated whatever the clocks are";
}

TEST_F(Commands, ShortSearchesAreAloneWhateverThreadsThereAre) {
  const std::string history = write("h.hist", "S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)");
  EXPECT_EQ(assay("check --threads 4 --verbose --certificate " + file("c.txt") + " " + history), 1);
  EXPECT_THAT(err_, testing::Not(HasSubstr("search 1 of")));
  EXPECT_THAT(content(file("c.txt")), testing::Not(HasSubstr("#")));
  EXPECT_EQ(assay("certify " + history + " " + file("c.txt")), 0);
  refused("check --threads 0 " + history, "--threads");
}

// Which rows it changed is a choice of the search; the story takes one, says so, and the certificate is about
// all of them.
TEST_F(Commands, CheckSaysWhatItTakesAnUpdateToHaveDone) {
  const std::string history = write("h.hist",
                                    "@initial null\nS1: insert(x,1) insert(y,1)\nS2: w(x,2) w(y,2)\nS3: "
                                    "update-maybe(value = 2,[x=3 y=3])\nS4: select(value = 2,[x=2])\n");
  EXPECT_EQ(assay("check --level ser --certificate " + file("c.txt") + " " + history), 1);
  EXPECT_THAT(out_, HasSubstr("Which rows the update of S3:1 changed is not known; here it "));
  EXPECT_THAT(out_, HasSubstr("Whatever it was, the level is violated"));
  EXPECT_THAT(out_, HasSubstr("  rules out ser, strict-ser\n"));  // others were not asked for
  EXPECT_THAT(content(file("c.txt")), HasSubstr("row 3.1 1\nrow 3.1 2\n"));
  EXPECT_EQ(assay("certify " + history + " " + file("c.txt")), 0);
  EXPECT_EQ(assay("check --level ser --json " + history), 1);
  EXPECT_THAT(nlohmann::json::parse(out_).dump(),
              HasSubstr("Which rows the update of S3:1 changed is not known"));
}

TEST_F(Commands, LevelsAreListedAlsoAsJson) {
  EXPECT_EQ(assay("levels --json"), 0);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_GE(json["levels"].size(), 13u);
  const auto& first = json["levels"][0];
  for (const char* field : {"id", "name", "definition", "source"})
    EXPECT_FALSE(first[field].get<std::string>().empty()) << field;
  EXPECT_EQ(assay("levels"), 0);
  EXPECT_THAT(out_, HasSubstr("            from Papadimitriou 1979\n"));
}

}  // namespace
}  // namespace assay::test
