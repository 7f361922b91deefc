#include "verdict/certificate.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/random.h"
#include "certify/certify.h"
#include "certify/parse.h"
#include "history/digest.h"
#include "support/hist.h"
#include "support/paths.h"

namespace assay::test {
namespace {

using testing::HasSubstr;

const History& history() {
  static const History h = hist("S1: r(x,0) w(y,1)  S2: r(y,0) w(x,1)  S3: append(l,1)! |  r(l,[])");
  return h;
}

// Every kind of line, in the spelling of the printer.
constexpr std::string_view kEverything = R"(assay-certificate 1
history 0123456789abcdef
level si holds
order s1 s2 c1 c2 s4 c4
end
level rc holds
end
level cc holds
order c1 c2
from 1.1 2
from 2.1 initial
end
level gsi skew 250 holds
end
level strict-ser skew 0 violated
1 realtime 1 2
end
level ser violated
1 session 3 4
2 reads 1.1
3 own 2
4 path 1 2 3
5 missed 1.1 2 4
6 overwritten 1.1 2
7 overwritten 2.1 1 6
8 exclusive 1.2 2 7
9 observed 4.1 1 2
10 suppose 1 2
11 unit 10
12 refute 1 2
13 stale 2.1 1 12
14 falsified 13
15 realtime s1 2
16 realtime 1 s2
17 candidates 1.1
18 implies 2.1 4
19 suppose s1 2
20 from 1.1 initial
21 from 1.1 2
22 not-from 1.1 initial
23 counts 3
24 absent 4
4294967295 wrong 1.1
end
)";

std::string why_not(std::string_view text) {
  const auto parsed = parse_certificate(text, history());
  return parsed ? "" : parsed.error().describe();
}

std::string body(std::string_view lines) {
  return fmt::format("assay-certificate 1\nhistory 0123456789abcdef\n{}", lines);
}

TEST(CertificateText, ComesBackAsItWasPrinted) {
  const auto parsed = parse_certificate(kEverything, history());
  ASSERT_TRUE(parsed) << parsed.error().describe();
  EXPECT_EQ(parsed->history, 0x0123456789abcdefu);
  EXPECT_EQ(parsed->sections.size(), 6u);
  EXPECT_EQ(print(*parsed, history()), kEverything);
}

TEST(CertificateText, NamesTransactionsAndOperationsFromOne) {
  const auto parsed = parse_certificate(body("level si violated\n7 exclusive 2.2 1 3\nend"), history());
  ASSERT_TRUE(parsed);
  const ProofLine& line = std::get<Proof>(parsed->sections[0].evidence)[0];
  EXPECT_EQ(line.id, 7u);
  EXPECT_EQ(line.a, TxnId(1));
  EXPECT_EQ(line.b, TxnId(0));
  EXPECT_EQ(line.op, OpId(3));
  EXPECT_THAT(line.lines, testing::ElementsAre(3));
}

TEST(CertificateText, IgnoresCommentsAndEmptyLines) {
  EXPECT_EQ(why_not("# written by hand\n\nassay-certificate 1 # a comment\r\nhistory 0123456789abcdef\n\n"
                    "level rc holds#nothing\n  order  c1\tc2\n order\nend"),
            "");
}

TEST(CertificateText, BreaksLongOrders) {
  Certificate certificate;
  certificate.sections.push_back({Level::Ser, Execution{Order(45, Point{TxnId(0), true})}});
  const std::string text = print(certificate, history());
  EXPECT_EQ(std::ranges::count(text, '\n'), 2 + 1 + 3 + 1);
  const auto again = parse_certificate(text, history());
  ASSERT_TRUE(again);
  EXPECT_EQ(std::get<Execution>(again->sections[0].evidence).order.size(), 45u);
}

TEST(CertificateText, SaysWhoFoundItInAComment) {
  Certificate certificate;
  certificate.sections.push_back(
      {Level::Ser, Execution{Order(1, Point{TxnId(0), true})}, 0, "search 2 of 4, seed 1"});
  const std::string text = print(certificate, history());
  EXPECT_THAT(text, HasSubstr("level ser holds  # found by search 2 of 4, seed 1\norder c1\n"));
  EXPECT_TRUE(parse_certificate(text, history()));
}

TEST(CertificateText, SaysInWhichLineItIsWrong) {
  EXPECT_THAT(why_not(""), HasSubstr("1: a certificate begins with: assay-certificate 1"));
  EXPECT_THAT(why_not("\n# nothing\n"), HasSubstr("2: a certificate begins"));
  EXPECT_THAT(why_not("assay-certificate 2\n"), HasSubstr("1: a certificate begins"));
  EXPECT_THAT(why_not("assay-certificate 1"), HasSubstr("1: the second statement is: history"));
  EXPECT_THAT(why_not("assay-certificate 1\nhistory 123"), HasSubstr("2: the second statement"));
  EXPECT_THAT(why_not("assay-certificate 1\nhistory 0123456789abcdeg"), HasSubstr("2: the second statement"));
  EXPECT_THAT(why_not("assay-certificate 1\nhistory 0123456789abcdef0"),
              HasSubstr("2: the second statement"));
  EXPECT_THAT(why_not(body("order c1")), HasSubstr("3: expected: level ID holds"));
  EXPECT_THAT(why_not(body("level best holds\nend")), HasSubstr("3: there is no level \"best\""));
  EXPECT_THAT(why_not(body("level serializable holds\nend")),
              HasSubstr("3: there is no level \"serializable\""));
  EXPECT_THAT(why_not(body("level ser undecided\nend")), HasSubstr("3: a level holds or is violated"));
  EXPECT_THAT(why_not(body("level ser holds\norder c1\n")),
              HasSubstr("4: the section is not closed by: end"));
  EXPECT_THAT(why_not(body("level ser holds\n1 reads 1.1\nend")),
              HasSubstr("4: expected order, from or end"));
  EXPECT_THAT(why_not(body("level ser violated\norder c1\nend")),
              HasSubstr("4: expected a line's number or end"));
}

TEST(CertificateText, KnowsOnlyWhatExists) {
  for (const char* point : {"c0", "c5", "s5", "1", "c", "x1", "c1x", "c-1", "c+1", "c99999999999999999999"})
    EXPECT_THAT(why_not(body(fmt::format("level ser holds\norder {}\nend", point))), HasSubstr("is no point"))
        << point;
  for (const char* op : {"1", "1.0", "1.3", "0.1", "5.1", "1.", ".1", "1.1.1", "1.4294967296", "x"})
    EXPECT_THAT(why_not(body(fmt::format("level ser violated\n1 reads {}\nend", op))),
                HasSubstr("does not fit"))
        << op;
  for (const char* line :
       {"session 1",    "session 1 5",     "session 1 2 3",  "suppose 0 1",        "path x",
        "path 0",       "path 4294967296", "unit",           "unit 1 2",           "own",
        "missed 1.1",   "exclusive 1.1",   "wrong",          "suppose s 1",        "suppose x1 2",
        "suppose s5 1", "suppose 1",       "realtime c1",    "realtime c1 s9",     "from 1.1",
        "from 1.1 5",   "from 1 initial",  "from initial 1", "not-from 1.1 s1",    "counts initial",
        "counts 1 2",   "absent s1",       "candidates 1",   "implies 1.1 initial"})
    EXPECT_THAT(why_not(body(fmt::format("level ser violated\n1 {}\nend", line))), HasSubstr("does not fit"))
        << line;
  EXPECT_THAT(why_not(body("level ser violated\n0 own 1\nend")), HasSubstr("expected a line's number"));
  EXPECT_THAT(why_not(body("level ser violated\n4294967296 own 1\nend")),
              HasSubstr("expected a line's number"));
  EXPECT_THAT(why_not(body("level ser violated\n1\nend")), HasSubstr("comes what it claims"));
  EXPECT_THAT(why_not(body("level ser violated\n1 guess 1\nend")), HasSubstr("comes what it claims"));
}

TEST(CertificateText, HasSkewWhereClocksMatter) {
  EXPECT_EQ(why_not(body("level gsi skew 7 holds\nend")), "");
  const auto parsed = parse_certificate(body("level gsi skew 9223372036854775807 violated\nend"), history());
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->sections[0].skew, INT64_MAX);
  EXPECT_THAT(why_not(body("level gsi holds\nend")), HasSubstr("3: gsi has a skew"));
  EXPECT_THAT(why_not(body("level ser skew 7 holds\nend")), HasSubstr("3: ser has no skew"));
  EXPECT_THAT(why_not(body("level gsi slew 7 holds\nend")), HasSubstr("3: expected: level ID holds"));
  for (const char* skew : {"-1", "x", "1x", "9223372036854775808", "+1", "1.5"})
    EXPECT_THAT(why_not(body(fmt::format("level gsi skew {} holds\nend", skew))),
                HasSubstr("is no number of nanoseconds"))
        << skew;
}

TEST(CertificateText, NamesSourcesBehindTheOrder) {
  EXPECT_EQ(why_not(body("level cc holds\norder c1\nfrom 1.1 2\nend")), "");
  EXPECT_THAT(why_not(body("level cc holds\nfrom 1.1 2\norder c1\nend")),
              HasSubstr("5: order comes before from"));
  for (const char* line :
       {"from", "from 1.1", "from 1.1 2 3", "from 1.9 2", "from 1.1 9", "from 1.1 c2", "from 1 2"})
    EXPECT_THAT(why_not(body(fmt::format("level cc holds\n{}\nend", line))),
                HasSubstr("expected from, an operation"))
        << line;
}

TEST(CertificateText, SurvivesDamage) {
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string text(kEverything);
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
      const std::size_t at = random.below(text.size());
      switch (random.below(3)) {
        case 0: text[at] = static_cast<char>(random.below(256)); break;
        case 1: text.erase(at, random.below(20)); break;
        default: text.insert(at, text.substr(random.below(text.size()), random.below(20)));
      }
      if (text.empty()) text = "x";
    }
    if (const auto parsed = parse_certificate(text, history()))
      for (const Section& section : parsed->sections) (void)certify(history(), section);
  }
}

TEST(Certificate, BelongsToOneHistory) {
  const History h = hist("S1: r(x,0)"), other = hist("S1: r(x,null)");
  const Certificate certificate{digest(h), {{Level::Ser, Execution{{{TxnId(0), true}}}}}};
  EXPECT_TRUE(certify(h, certificate));
  const auto result = certify(other, certificate);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().what, HasSubstr("about another history"));
}

// The block of docs/certificates.md that begins so.
std::string documented(const std::string& first) {
  std::ifstream file(source_dir() + "/docs/certificates.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = page.find("```\n" + first) + 4, end = page.find("```", begin);
  return page.substr(begin, end - begin);
}

TEST(Certificate, OfTheDocumentIsBelieved) {
  const History h = hist("S1: r(x,0) w(y,1)  S2: r(y,0) w(x,1)");
  const auto certificate = parse_certificate(documented("assay-certificate 1"), h);
  ASSERT_TRUE(certificate) << certificate.error().describe();
  EXPECT_EQ(certificate->sections.size(), 2u);
  const auto result = certify(h, *certificate);
  EXPECT_TRUE(result) << result.error().describe();
}

TEST(Certificate, OfRepeatedValuesInTheDocumentIsBelieved) {
  const History h = hist("S1: w(x,1) w(y,1)  S2: w(x,1) w(y,2)  S3: r(x,1) r(y,0)");
  const auto certificate = parse_certificate(
      fmt::format("assay-certificate 1\nhistory {:016x}\n{}", digest(h), documented("level rc violated")), h);
  ASSERT_TRUE(certificate) << certificate.error().describe();
  EXPECT_EQ(std::get<Proof>(certificate->sections.at(0).evidence).size(), 5u);
  const auto result = certify(h, *certificate);
  EXPECT_TRUE(result) << result.error().describe();
}

TEST(Certificate, IsBelievedOnlyIfEverySectionIs) {
  const History h = hist("S1: r(x,0)");
  const Certificate certificate{digest(h),
                                {{Level::Ser, Execution{{{TxnId(0), true}}}}, {Level::Rc, Proof{}}}};
  const auto result = certify(h, certificate);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().what, HasSubstr("level rc: the proof does not end"));
}

TEST(Certificate, DoesNotTrustNumbersInData) {
  const History h = hist("S1: r(x,0)");
  EXPECT_FALSE(certify(h, Level::Ser, Execution{{{TxnId(5), true}}}));
  EXPECT_FALSE(certify(h, Level::Ser, Execution{{{TxnId::none(), true}}}));
  EXPECT_FALSE(certify(h, Level::Rc, Execution{{{TxnId(0), true}}, {{OpId(0), TxnId(5)}}}));
  EXPECT_FALSE(certify(h, Level::Rc, Execution{{{TxnId(0), true}}, {{OpId(5), TxnId(0)}}}));
  EXPECT_FALSE(certify(h, Level::Rc, Execution{{{TxnId(0), true}}, {{OpId::none(), TxnId(0)}}}));
  EXPECT_TRUE(certify(h, Level::Rc, Execution{{{TxnId(0), true}}, {{OpId(0), TxnId::none()}}}));
  EXPECT_FALSE(certify(h, Level::Ser, Execution{{{TxnId(0), true}}}, 1));
  using enum Rule;
  for (const auto kind : {Session,  Reads,    Own,        Path,    Missed,  Overwritten, Exclusive,
                          Observed, Realtime, Candidates, Implies, Suppose, From,        NotFrom,
                          Counts,   Absent,   Unit,       Refute,  Stale,   Falsified,   WrongRead})
    EXPECT_FALSE(certify(h, Level::Si, Proof{{.kind = kind, .id = 1}}));
}

}  // namespace
}  // namespace assay::test
