#include "collect/faults.h"

#include <gmock/gmock.h>

namespace assay::test {
namespace {

using testing::HasSubstr;

TEST(Faults, AreNamedOnTheCommandLine) {
  const auto faults = parse_faults("kill-server,delay-commit");
  ASSERT_TRUE(faults);
  EXPECT_TRUE(faults->kill_server && faults->delay_commit);
  EXPECT_FALSE(faults->cut_connection || faults->pause_client);
  EXPECT_THAT(parse_faults("earthquake").error().describe(),
              HasSubstr("unknown fault earthquake (one of cut-connection"));
}

TEST(Faults, AreRareAndTheSameForTheSameSeed) {
  const Faults all{.cut_connection = true, .pause_client = true, .delay_commit = true};
  ClientFaults a(all, 7), b(all, 7);
  int cuts = 0, cuts_at_commit = 0, delays = 0;
  for (int i = 0; i < 20000; ++i) {
    a.begin(8);
    b.begin(8);
    for (std::size_t op = 0; op <= 8; ++op) {
      EXPECT_EQ(a.cuts_before(op), b.cuts_before(op));
      EXPECT_EQ(a.pauses_before(op), b.pauses_before(op));
      cuts += a.cuts_before(op);
    }
    cuts_at_commit += a.cuts_before(8);
    delays += a.pauses_before(8) == "delay-commit";
  }
  EXPECT_NEAR(cuts, 400, 100);
  EXPECT_GT(cuts_at_commit, cuts / 3);
  EXPECT_LT(cuts_at_commit, cuts);
  EXPECT_NEAR(delays, 400, 100);
}

TEST(Faults, AreRememberedByTimeAndNotForever) {
  FaultLog of_a_client, all;
  of_a_client.note({2000, "cut-connection", 3});
  all.note({3000, "kill-server", 0});
  all.add(of_a_client);
  EXPECT_EQ(all.json(7),
            R"({"seed":7,"happened":[[2000,"cut-connection",3],[3000,"kill-server"]],"left_out":0})");
  FaultLog many;
  for (int i = 0; i < 5000; ++i) many.note({i, "pause-client", 1});
  EXPECT_THAT(many.json(7), testing::EndsWith(R"([999,"pause-client",1]],"left_out":4000})"));
}

TEST(Faults, DoNotHappenUnlessWanted) {
  ClientFaults none({}, 7);
  for (int i = 0; i < 1000; ++i) {
    none.begin(8);
    for (std::size_t op = 0; op <= 8; ++op)
      EXPECT_TRUE(!none.cuts_before(op) && none.pauses_before(op).empty());
  }
}

}  // namespace
}  // namespace assay::test
