// Proofs for any number of transactions, held against the bounded search: rings of programs whose only cycles
// are as long as the ring, so that a proof which looks at fewer transactions must not be taken in by them.
#include <fmt/format.h>

#include "analysis/advice.h"
#include "analysis/rules.h"

namespace assay::analysis {
namespace {

constexpr ProofScheme kSchemes[] = {ProofScheme::Auto, ProofScheme::Inductive, ProofScheme::ShortestPath,
                                    ProofScheme::Window};

// Program i reads row i and writes row i + 1; the last writes the first row, unless the ring is open.
sql::Application ring(unsigned size, bool closed) {
  std::string text = kTable;
  for (unsigned i = 0; i < size; ++i)
    text += fmt::format(
        "CREATE FUNCTION p{0}() RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN "
        "SELECT a INTO v FROM t WHERE k = {0}; UPDATE t SET a = v WHERE k = {1}; END $$;\n",
        i, closed && i + 1 == size ? 0 : i + 1);
  return read(text);
}

Options proving_by(ProofScheme scheme, unsigned length) {
  Options options;
  options.cycle = 2;
  options.prove = true;
  options.scheme = scheme;
  options.longest_path = length;
  options.threads = 1;
  return options;
}

TEST(ProofSchemes, DoNotProveARingWhoseCycleIsLongerThanWhatTheyLookAt) {
  for (const unsigned size : {3u, 4u}) {
    const sql::Application application = ring(size, true);
    for (const char* level : {"si", "psi"})
      for (const ProofScheme scheme : kSchemes)
        EXPECT_EQ(
            analyze(application, *parse_levels(level, application), proving_by(scheme, size - 1)).outcome,
            Outcome::NoneUpToCycle)
            << size << " at " << level << " by " << static_cast<int>(scheme);
  }
}

TEST(ProofSchemes, ReportTheLongerCycleThatTheyMeet) {
  for (const unsigned size : {3u, 4u}) {
    const sql::Application application = ring(size, true);
    for (const ProofScheme scheme : {ProofScheme::Auto, ProofScheme::ShortestPath, ProofScheme::Window}) {
      const Analysis found = analyze(application, *parse_levels("si", application), proving_by(scheme, size));
      EXPECT_EQ(found.outcome, Outcome::AnomalyFound) << size << " by " << static_cast<int>(scheme);
      ASSERT_FALSE(found.anomalies.empty());
      EXPECT_EQ(found.anomalies[0].calls.size(), size);
    }
  }
}

TEST(ProofSchemes, ProveNothingThatTheBoundedSearchRefutes) {
  for (const bool closed : {false, true}) {
    const sql::Application application = ring(3, closed);
    for (const StoreLevelRow& level : store_levels()) {
      const Levels levels{.common = level.level};
      const bool refuted = !look(application, level.id, 4).anomalies.empty();
      for (const ProofScheme scheme : kSchemes)
        EXPECT_FALSE(refuted &&
                     analyze(application, levels, proving_by(scheme, 4)).outcome == Outcome::Serializable)
            << level.id << " by " << static_cast<int>(scheme);
    }
  }
}

TEST(ProofSchemes, ProveTheBankEachInItsOwnWay) {
  const sql::Application application = bank();
  const auto kind = [&](ProofScheme scheme) {
    const Analysis proved = analyze(application, Levels{.common = StoreLevel::Psi}, proving_by(scheme, 3));
    return proved.proof ? std::optional(proved.proof->kind) : std::nullopt;
  };
  EXPECT_EQ(kind(ProofScheme::Window), Proof::Kind::Window);
  EXPECT_EQ(kind(ProofScheme::ShortestPath), Proof::Kind::ShortestPath);
}

TEST(ProofSchemes, TheWindowProvesCoursewareWithPairsThatSeeEachOther) {
  const sql::Application application = example({"courseware.sql"});
  const auto levels = parse_levels(
      "cc,enroll=si,add_course+add_course=ser,add_student+add_student=ser,enroll+rem_course=ser,"
      "enroll+rem_student=ser",
      application);
  ASSERT_TRUE(levels) << levels.error().describe();
  EXPECT_EQ(analyze(application, *levels, proving_by(ProofScheme::Window, 2)).outcome, Outcome::Serializable);
  // Without the pairs there are cycles.
  EXPECT_EQ(
      analyze(application, *parse_levels("cc,enroll=si", application), proving_by(ProofScheme::Window, 2))
          .outcome,
      Outcome::AnomalyFound);
}

TEST(ProofSchemes, NothingIsProvedWhereHarmlessCyclesWereLeftOut) {
  const sql::Application application = example({"courseware.sql"}, {"add_student", "add_course", "enroll"});
  Options options = proving_by(ProofScheme::Auto, 4);
  options.cycle = 4;
  options.drop_harmless = true;
  const Analysis analysis = analyze(
      application,
      *parse_levels("cc,enroll=psi,add_student+add_student=ser,add_course+add_course=ser", application),
      options);
  EXPECT_GT(analysis.harmless, 0u);
  EXPECT_NE(analysis.outcome, Outcome::Serializable);
}

TEST(WeakestLevel, IsOneThatWasProvedAndAnotherSaysUpToHowMany) {
  Options options = proving_by(ProofScheme::Auto, 2);
  const WeakestLevels weakest = weakest_levels(analyze_all_levels(ring(3, true), options));
  EXPECT_EQ(weakest.proved, StoreLevel::Ser);
  ASSERT_TRUE(weakest.unproved);
  EXPECT_EQ(weakest.up_to, 2u);
}

}  // namespace
}  // namespace assay::analysis
