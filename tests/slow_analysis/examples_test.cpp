// Subjects whose answers take a second or more each.
#include <gtest/gtest.h>

#include "analysis/known_answers.h"

namespace assay::analysis {
namespace {

class LargeSubject : public testing::TestWithParam<KnownAnswer> {};

TEST_P(LargeSubject, HasTheKnownAnswer) { expect_answer(GetParam(), false); }

TEST_P(LargeSubject, HasTheSameAnswerUnderOtherNames) { expect_answer(GetParam(), true); }

constexpr auto kFound = Outcome::AnomalyFound;
constexpr auto kNone = Outcome::NoneUpToCycle;

std::vector<KnownAnswer> large_subjects() {
  return {
      {"tpcc_psi_4",
       {"tpcc.sql"},
       {},
       "psi",
       4,
       false,
       kFound,
       {{"order_status", "new_order", "order_status", "payment"},
        {"stock_level", "new_order", "stock_level", "new_order"}}},
      {"tpcc_si_4", {"tpcc.sql"}, {}, "si", 4, false, kNone},
      {"tpcc_by_name_si_3",
       {"tpcc.sql", "tpcc_by_name.sql"},
       {},
       "si",
       3,
       false,
       kFound,
       {{"order_status", "payment", "payment"}}},
      {"tpcc_all_districts_si_3", {"tpcc.sql", "tpcc_all_districts.sql"}, {}, "si", 3, false, kNone},
      {"tpcc_all_districts_si_4",
       {"tpcc.sql", "tpcc_all_districts.sql"},
       {},
       "si",
       4,
       false,
       kFound,
       {{"order_status", "delivery", "new_order", "new_order"}}},
  };
}

INSTANTIATE_TEST_SUITE_P(Examples, LargeSubject, testing::ValuesIn(large_subjects()),
                         [](const auto& info) { return info.param.name; });

class RenamedSubject : public LargeSubject {};

TEST_P(RenamedSubject, HasTheSameAnswer) { expect_answer(GetParam(), true); }

INSTANTIATE_TEST_SUITE_P(Examples, RenamedSubject, testing::ValuesIn(quick_answers(false)),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace assay::analysis
