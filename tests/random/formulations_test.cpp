// The oracle's formulations of a level say the same.
#include <gtest/gtest.h>

#include <string>

#include "oracle/commit_order.h"
#include "oracle/points.h"
#include "oracle/visibility.h"
#include "random/random_history.h"
#include "random/random_predicate_history.h"
#include "random/shrink.h"
#include "support/random.h"

namespace assay::test {
namespace {

using oracle::Level;
using oracle::Model;

using Formulation = std::function<bool(const Model&)>;

struct Pair {
  std::string name;
  Formulation one, other;
};

Formulation commit_order(Level axiom, bool session_order = true) {
  return [=](const Model& model) { return oracle::has_commit_order(model, {axiom, session_order}); };
}

Formulation points(Level level) {
  return
      [=](const Model& model) { return oracle::has_order_of_points(model, oracle::point_rules(level, {})); };
}

Formulation visibility(Level level) {
  return [=](const Model& model) { return oracle::has_visibility(model, level); };
}

std::vector<Pair> pairs() {
  std::vector<Pair> pairs{
      {"adya-si-points", commit_order(Level::si, false), points(Level::adya_si)},
      {"plain-ser-points", commit_order(Level::ser, false), points(Level::plain_ser)},
      {"pl-2-visibility", commit_order(Level::pl_2, false), visibility(Level::pl_2)},
      {"mav-visibility", commit_order(Level::rc, false), visibility(Level::mav)},
      {"plain-ra-visibility", commit_order(Level::ra, false), visibility(Level::plain_ra)},
  };
  for (const Level level : {Level::pc, Level::si, Level::ser})
    pairs.push_back({std::string(oracle::id(level)) + "-points", commit_order(level), points(level)});
  for (const Level level : {Level::rc, Level::ra, Level::cc, Level::pc, Level::psi, Level::si, Level::ser})
    pairs.push_back({std::string(oracle::id(level)) + "-visibility", commit_order(level), visibility(level)});
  return pairs;
}

void expect_agreement(const History& history) {
  for (const Pair& pair : pairs()) {
    const auto differ = [&](const History& h) {
      return oracle::some_completion(h, pair.one) != oracle::some_completion(h, pair.other);
    };
    if (differ(history)) FAIL() << report_failure(pair.name, history, differ);
  }
}

TEST(OracleFormulations, AgreeOnRandomHistories) {
  Random random(suite_seed("OracleFormulations"));
  for (std::size_t i = scaled(200000, 4000); i > 0 && !testing::Test::HasFailure(); --i)
    expect_agreement(random_history(random));
}

TEST(OracleFormulations, AgreeOnRandomHistoriesOfRows) {
  Random random(suite_seed("OracleFormulationsRows"));
  for (std::size_t i = scaled(50000, 2000); i > 0 && !testing::Test::HasFailure(); --i)
    expect_agreement(random_predicate_history(random));
}

}  // namespace
}  // namespace assay::test
