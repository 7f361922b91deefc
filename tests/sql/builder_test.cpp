#include "sql/builder.h"

#include <gtest/gtest.h>

namespace assay::sql {
namespace {

TEST(ProgramBuilder, NestsBlocksAndCountsTheLoopsAroundAVariable) {
  ProgramBuilder build("each");
  const ExpressionPtr items = build.parameter("items", Type::Integer, true);
  build.enter_loop();
  const VariableId item = build.local("item");
  build.begin_loop({.over = Loop::Over::Array, .array = items->variable, .element = item, .body = {}});
  build.begin_if(make(Expression::Kind::Less, {build.value_of(item), constant(3)}));
  build.append(Abort{"small"});
  build.otherwise();
  build.append(Emit{{build.value_of(item)}});
  build.end();
  build.end();
  const VariableId after = build.local("after");
  const Program program = build.finish();

  EXPECT_TRUE(program[items->variable].is_set);
  EXPECT_EQ(program[item].depth, 1u);
  EXPECT_EQ(program[after].depth, 0u);
  ASSERT_EQ(program.body.size(), 1u);
  const auto& branch = std::get<If>(std::get<Loop>(program.body[0].what).body.at(0).what);
  EXPECT_TRUE(std::holds_alternative<Abort>(branch.then.at(0).what));
  EXPECT_TRUE(std::holds_alternative<Emit>(branch.otherwise.at(0).what));
}

TEST(ProgramBuilder, KeepsAnEmptyFirstBranchApartFromTheSecond) {
  ProgramBuilder build("second only");
  build.begin_if(truth(true));
  build.otherwise();
  build.append(Abort{"never"});
  build.end();
  const Program program = build.finish();
  const auto& branch = std::get<If>(program.body.at(0).what);
  EXPECT_TRUE(branch.then.empty());
  EXPECT_EQ(branch.otherwise.size(), 1u);
}

TEST(ProgramBuilder, GivesThePartsOfOneStatementOneNumber) {
  ProgramBuilder build("parts");
  const Place place{std::make_shared<const std::string>("a.sql"), 7};
  build.at(place);
  build.append(Assign{build.local("a"), constant(1)});
  build.append(Assign{build.local("b"), constant(2)});
  build.at(place);
  build.append(Assign{build.local("c"), constant(3)});
  const Program program = build.finish();
  EXPECT_EQ(program.body[0].number, program.body[1].number);
  EXPECT_NE(program.body[1].number, program.body[2].number);
  EXPECT_EQ(to_text(program.body[2].place), "a.sql:7");
}

TEST(Expression, TakesTheTypeOfWhatItIsMadeOf) {
  const ExpressionPtr one = constant(1), half = constant(Type::Decimal, "0.5");
  EXPECT_EQ(make(Expression::Kind::Add, {one, half})->type, Type::Decimal);
  EXPECT_EQ(make(Expression::Kind::Less, {one, half})->type, Type::Boolean);
  EXPECT_EQ(make(Expression::Kind::Case, {truth(true), null_constant(), one})->type, Type::Integer);
  EXPECT_EQ(all_of({}), nullptr);
  EXPECT_EQ(all_of({one}), one);
}

}  // namespace
}  // namespace assay::sql
