// Subjects whose answers take seconds.
#include <gtest/gtest.h>

#include "analysis/known_answers.h"

namespace assay::analysis {
namespace {

class Subject : public testing::TestWithParam<KnownAnswer> {};

TEST_P(Subject, HasTheKnownAnswer) { expect_answer(GetParam(), false); }

INSTANTIATE_TEST_SUITE_P(Examples, Subject, testing::ValuesIn(known_answers()),
                         [](const auto& info) { return info.param.name; });

class RenamedSubject : public testing::TestWithParam<KnownAnswer> {};

TEST_P(RenamedSubject, HasTheSameAnswer) { expect_answer(GetParam(), true); }

INSTANTIATE_TEST_SUITE_P(Examples, RenamedSubject, testing::ValuesIn(quick_answers(true)),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace assay::analysis
