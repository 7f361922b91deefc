#include <gtest/gtest.h>

#include "analysis/subjects.h"

namespace assay::analysis {
namespace {

TEST(Bank, LosesAnUpdateUnderEventualConsistency) {
  const Analysis analysis = analyze(bank(), "ec", 2);
  ASSERT_EQ(analysis.outcome, Outcome::AnomalyFound);
  EXPECT_EQ(analysis.anomalies[0].name, Anomaly::LostUpdate);
  EXPECT_TRUE(analysis.anomalies[0].complete);
}

TEST(Bank, LosesAnUpdateUnderReadCommitted) {
  const Analysis analysis = analyze(bank(), "rc", 2);
  ASSERT_EQ(analysis.outcome, Outcome::AnomalyFound);
  EXPECT_EQ(analysis.anomalies[0].name, Anomaly::LostUpdate);
}

TEST(Bank, IsSerializableByShortestPathUnderParallelSnapshotIsolation) {
  Options options;
  options.prove = true;
  options.scheme = ProofScheme::ShortestPath;
  const Analysis analysis = analyze(bank(), Levels{.common = StoreLevel::Psi}, options);
  ASSERT_EQ(analysis.outcome, Outcome::Serializable);
  EXPECT_EQ(analysis.proof->kind, Proof::Kind::ShortestPath);
}

}  // namespace
}  // namespace assay::analysis
