#include "synthesis/circuit.h"

#include <gtest/gtest.h>

#include "synthesis/sat.h"

namespace assay::synthesis {
namespace {

TEST(Circuit, BuildsNothingMoreOnceItIsAskedToStop) {
  bool time_is_up = false;
  Circuit circuit([&] { return time_is_up ? std::optional<std::string>("time is up") : std::nullopt; });
  std::vector<Lit> inputs;
  for (int i = 0; i < 200; ++i) inputs.push_back(circuit.input());
  const auto build = [&] {
    Lit last = kTrue;
    for (const Lit a : inputs)
      for (const Lit b : inputs) last = circuit.either(circuit.both(a, !b), last);
    return last;
  };
  build();
  EXPECT_FALSE(circuit.stopped());
  const std::size_t before = circuit.size();
  inputs.push_back(circuit.input());
  time_is_up = true;
  build();
  EXPECT_TRUE(circuit.stopped());
  EXPECT_LT(circuit.size(), before + 2000);
  EXPECT_EQ(Sat(circuit).solve(), Sat::Answer::Stopped);
}

}  // namespace
}  // namespace assay::synthesis
