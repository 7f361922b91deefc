// Certificates that were tampered with: of each line of the evidence for a small history, every operand is changed
// in turn, and the line is left out. A proof is trimmed, so that it stands on every line it has: without one, it
// falls. A changed one may be another proof of the same, so it is tried where the claim is false: on an
// order or proof whose claim the oracle refutes, nothing may be accepted.
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "check/check.h"
#include "history/digest.h"
#include "oracle/oracle.h"
#include "random/random_history.h"
#include "support/random.h"
#include "verdict/certify.h"

namespace assay::test {
namespace {

constexpr std::pair<Level, oracle::Level> kJudged[] = {
    {Level::Rc, oracle::Level::rc},   {Level::Ra, oracle::Level::ra},
    {Level::Cc, oracle::Level::cc},   {Level::Pc, oracle::Level::pc},
    {Level::Psi, oracle::Level::psi}, {Level::Si, oracle::Level::si},
    {Level::AdyaSi, oracle::Level::adya_si}, {Level::Ser, oracle::Level::ser},
    {Level::PlainSer, oracle::Level::plain_ser}};

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

std::string certificate_of(const History& history, Level level, const Verdict& verdict) {
  Certificate certificate{digest(history), {}};
  if (const auto* holds = std::get_if<Holds>(&verdict)) certificate.sections.push_back({level, *holds});
  else certificate.sections.push_back({level, std::get<Violated>(verdict).proof});
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

TEST(ChangedCertificates, AreRefusedWhereTheyNoLongerProveTheirClaim) {
  Random random(suite_seed("ChangedCertificates"));
  std::size_t certificates = 0, mutants = 0, refused = 0;
  for (std::size_t i = scaled(1000, 60); i > 0; --i) {
    const History history = random_history(random, {.lists = false, .repeated_values = false});
    for (const auto& [level, of_oracle] : kJudged) {
      const auto verdict = check(history, level);
      if (!verdict) continue;
      const auto lines = lines_of(certificate_of(history, level, *verdict));
      ASSERT_TRUE(accepted(history, lines)) << joined(lines);
      ++certificates;
      const bool holds = oracle::allows(history, of_oracle);
      for (std::size_t at = 2; at < lines.size(); ++at) {
        auto without = lines;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(at));
        ASSERT_TRUE(lines[at] == "order" || !accepted(history, without)) << joined(lines) << "stands without line " << at + 1;
        for (const std::string& other : changed(lines[at])) {
          auto mutant = lines;
          mutant[at] = other;
          ++mutants;
          const bool believed = accepted(history, mutant);
          refused += !believed;
          const bool claims_violated = joined(mutant).find(" violated") != std::string::npos;
          ASSERT_TRUE(!believed || claims_violated != holds) << joined(mutant);
        }
        // The opposite claim with the same evidence.
        if (at == 2) {
          auto opposite = lines;
          const std::size_t word = opposite[2].rfind(' ') + 1;
          opposite[2].replace(word, std::string::npos, holds ? "violated" : "holds");
          ASSERT_FALSE(accepted(history, opposite)) << joined(opposite);
        }
      }
    }
  }
  std::printf("%zu certificates, %zu mutants, %zu refused\n", certificates, mutants, refused);
  EXPECT_GT(refused * 2, mutants);
}

}  // namespace
}  // namespace assay::test
