// Subjects whose answers take seconds.
#include <gtest/gtest.h>

#include "analysis/known_answers.h"
#include "support/random.h"

namespace assay::analysis {
namespace {

class Subject : public testing::TestWithParam<KnownAnswer> {};

TEST_P(Subject, HasTheKnownAnswer) { expect_answer(GetParam(), false); }

TEST_P(Subject, HasTheSameAnswerUnderOtherNames) {
  const bool whole = GetParam().programs.empty();
  const bool long_run =
      GetParam().cycle > 3 || (whole && (GetParam().prove || GetParam().files[0] == "tpcc.sql"));
  if (long_run && test::scaled(2, 1) < 2) GTEST_SKIP() << "only at full size";
  expect_answer(GetParam(), true);
}

constexpr auto kFound = Outcome::AnomalyFound;
constexpr auto kNone = Outcome::NoneUpToCycle;
constexpr auto kSafe = Outcome::Serializable;
const std::string kCourseware =
    ",add_student+add_student=ser,add_course+add_course=ser,enroll+rem_student=ser,enroll+rem_course=ser";

std::vector<KnownAnswer> known_answers() {
  return {
      {"bank_ec", {"bank.sql"}, {"withdraw"}, "ec", 2, false, kFound, {{"withdraw", "withdraw"}}, true},
      {"bank_rc", {"bank.sql"}, {"withdraw"}, "rc", 2, false, kFound, {{"withdraw", "withdraw"}}, true},
      {"bank_psi", {"bank.sql"}, {"withdraw"}, "psi", 3, true, kSafe},
      {"smallbank_si_2", {"smallbank.sql"}, {}, "si", 2, false, kNone},
      {"smallbank_si_3",
       {"smallbank.sql"},
       {},
       "si",
       3,
       false,
       kFound,
       {{"balance", "write_check", "transact_savings"}},
       true},
      {"smallbank_without_write_check",
       {"smallbank.sql"},
       {"balance", "deposit_checking", "transact_savings", "amalgamate"},
       "si",
       3,
       true,
       kSafe},
      {"smallbank_without_transact_savings",
       {"smallbank.sql"},
       {"balance", "deposit_checking", "write_check", "amalgamate"},
       "si",
       3,
       true,
       kSafe},
      {"smallbank_promoted", {"smallbank.sql", "smallbank_promoted.sql"}, {}, "si", 3, true, kSafe},
      {"smallbank_rc_amalgamate",
       {"smallbank.sql"},
       {"amalgamate", "deposit_checking", "transact_savings"},
       "rc",
       3,
       true,
       kSafe},
      {"smallbank_rc_balance_checking",
       {"smallbank.sql"},
       {"balance", "deposit_checking"},
       "rc",
       3,
       true,
       kSafe},
      {"smallbank_rc_balance_savings",
       {"smallbank.sql"},
       {"balance", "transact_savings"},
       "rc",
       3,
       true,
       kSafe},
      {"smallbank_rc_balance_both",
       {"smallbank.sql"},
       {"balance", "deposit_checking", "transact_savings"},
       "rc",
       4,
       false,
       kFound},
      {"tpcc_ec", {"tpcc.sql"}, {}, "ec", 2, false, kFound, {{"payment", "payment"}}},
      {"tpcc_psi_3", {"tpcc.sql"}, {}, "psi", 3, false, kNone},
      {"tpcc_si_proof", {"tpcc.sql"}, {}, "si", 3, true, kSafe},
      {"tpcc_rc_readers", {"tpcc.sql"}, {"order_status", "payment", "stock_level"}, "rc", 3, true, kSafe},
      {"tpcc_rc_new_order",
       {"tpcc.sql", "tpcc_returning.sql"},
       {"new_order", "payment"},
       "rc",
       3,
       true,
       kSafe},
      {"courseware_ec",
       {"courseware.sql"},
       {},
       "ec",
       2,
       false,
       kFound,
       {{"add_student", "add_student"},
        {"add_course", "add_course"},
        {"enroll", "enroll"},
        {"enroll", "rem_student"},
        {"enroll", "rem_course"}},
       true},
      {"courseware_psi_3", {"courseware.sql"}, {}, "cc,enroll=psi" + kCourseware, 3, false, kNone},
      {"courseware_psi_4", {"courseware.sql"}, {}, "cc,enroll=psi" + kCourseware, 4, false, kFound},
      {"courseware_si_4", {"courseware.sql"}, {}, "cc,enroll=si" + kCourseware, 4, false, kNone},
      {"auction_si", {"auction.sql"}, {}, "si", 2, false, kFound, {{"place_bid", "close_auction"}}, true},
      {"auction_ser", {"auction.sql"}, {}, "ser", 3, true, kSafe},
      {"twitter_ec",
       {"twitter.sql"},
       {},
       "ec",
       2,
       false,
       kFound,
       {{"follow", "follow"}, {"follow", "unfollow"}, {"unfollow", "unfollow"}},
       true},
      {"twitter_rc", {"twitter.sql"}, {}, "rc", 3, false, kNone},
      {"tpcc_by_name_si",
       {"tpcc.sql", "tpcc_by_name.sql"},
       {"payment", "order_status"},
       "si",
       3,
       false,
       kFound,
       {{"order_status", "payment", "payment"}}},
  };
}

INSTANTIATE_TEST_SUITE_P(Examples, Subject, testing::ValuesIn(known_answers()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace assay::analysis
