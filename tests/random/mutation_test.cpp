// Certificates that were tampered with: of each line of the evidence for a small history, every operand is
// changed in turn, and the line is left out. A proof is trimmed, so that it stands on every line it has:
// without one, it falls. A changed one may be another proof of the same, so it is tried where the claim is
// false: on an order or proof whose claim the oracle refutes, nothing may be accepted.
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "certify/certify.h"
#include "certify/parse.h"
#include "check/check.h"
#include "history/digest.h"
#include "random/random_history.h"
#include "support/oracle_level.h"
#include "support/random.h"

namespace assay::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

bool accepted(const History& history, const std::vector<std::string>& lines) {
  const auto certificate = parse_certificate(joined(lines), history);
  return certificate && !certificate->sections.empty() && certify(history, *certificate).has_value();
}

// Whether what the certificate claims is so; it can be read.
bool is_true(const History& history, const std::vector<std::string>& lines) {
  const auto certificate = parse_certificate(joined(lines), history);
  const Section& section = certificate->sections.front();
  const bool claims_holds = std::holds_alternative<Execution>(section.evidence);
  return oracle::allows(history, of_oracle(section.level), {.skew = section.skew}) == claims_holds;
}

std::string certificate_of(const History& history, Level level, const Verdict& verdict, std::int64_t skew) {
  Certificate certificate{digest(history), {}};
  if (const auto* holds = std::get_if<Holds>(&verdict)) certificate.sections.push_back({level, *holds, skew});
  else certificate.sections.push_back({level, std::get<Violated>(verdict).proof, skew});
  return print(certificate, history);
}

// The line with one number in it changed, in every way that stays small.
std::vector<std::string> changed(const std::string& line) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] >= '0' && line[i] <= '9')
      for (char digit = '0'; digit <= '9'; ++digit)
        if (digit != line[i]) {
          result.push_back(line);
          result.back()[i] = digit;
        }
  return result;
}

struct Mutants {
  std::size_t certificates = 0, made = 0, refused = 0;
};

void change_every_line(const History& history, const std::vector<std::string>& lines, Mutants& mutants) {
  ASSERT_TRUE(accepted(history, lines)) << joined(lines);
  ++mutants.certificates;
  for (std::size_t at = 2; at < lines.size(); ++at) {
    auto without = lines;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(at));
    // Of an order, `order` may stand by itself, and `from` may name a writer that is the only one there.
    const bool may_stand =
        lines[2].ends_with("holds") && (lines[at] == "order" || lines[at].starts_with("from"));
    ASSERT_TRUE(may_stand || !accepted(history, without))
        << joined(lines) << "stands without line " << at + 1;
    for (const std::string& other : changed(lines[at])) {
      auto mutant = lines;
      mutant[at] = other;
      ++mutants.made;
      const bool believed = accepted(history, mutant);
      mutants.refused += !believed;
      ASSERT_TRUE(!believed || is_true(history, mutant)) << joined(mutant);
    }
  }
  auto opposite = lines;  // with the same evidence
  const std::size_t word = opposite[2].rfind(' ') + 1;
  opposite[2].replace(word, std::string::npos, opposite[2].ends_with("holds") ? "violated" : "holds");
  ASSERT_FALSE(accepted(history, opposite)) << joined(opposite);
}

void expect_refusals(const std::string& suite, std::size_t histories, const RandomHistoryOptions& kind) {
  Random random(suite_seed(suite));
  Mutants mutants;
  for (; histories > 0; --histories) {
    const History history = random_history(random, kind);
    const auto skew = static_cast<std::int64_t>(kind.instants ? random.below(10) : 0);
    Checker checker(history, {.skew = skew});
    for (const LevelRow& row : levels()) {
      const auto verdict = checker.judge(row.level);
      if (!verdict) continue;
      const auto text = certificate_of(history, row.level, *verdict, row.needs_instants() ? skew : 0);
      ASSERT_NO_FATAL_FAILURE(change_every_line(history, lines_of(text), mutants));
    }
  }
  std::printf("%zu certificates, %zu mutants, %zu refused\n", mutants.certificates, mutants.made,
              mutants.refused);
  EXPECT_GT(mutants.refused * 2, mutants.made);
}

TEST(ChangedCertificates, AreRefusedWhereTheyNoLongerProveTheirClaim) {
  expect_refusals("ChangedCertificates", scaled(1000, 60), {.lists = false, .repeated_values = false});
}

TEST(ChangedCertificates, OfRepeatedValuesAndRealTimeAreRefusedToo) {
  expect_refusals("ChangedCertificatesOfTime", scaled(1000, 40),
                  {.most_transactions = 5, .instants = true, .lists = false});
}

}  // namespace
}  // namespace assay::test
