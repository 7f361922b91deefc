// Lists of columns of which some may not be known.
#include "sql/columns.h"

#include <gtest/gtest.h>

namespace assay::sql {
namespace {

using Kind = Expression::Kind;

Columns numbered(int count) {
  Columns columns;
  for (int i = 0; i < count; ++i) columns.add({std::string(1, static_cast<char>('a' + i)), constant(i)});
  return columns;
}

TEST(Columns, EndWhereAllAreKnown) {
  const Columns columns = numbered(2);
  EXPECT_EQ(columns.at(1)->text, "1");
  EXPECT_EQ(columns.at(2), nullptr);
  EXPECT_EQ(columns.width(5), 2u);
}

TEST(Columns, HaveAnyValueFromAnExpansionOnThatIsNotKnown) {
  Columns columns = numbered(1);
  columns.append(Columns::of_unknown_row(nullptr));
  columns.add({"last", constant(7)});
  EXPECT_EQ(columns.at(0)->text, "0");
  EXPECT_EQ(columns.at(1)->kind, Kind::Unknown);
  EXPECT_EQ(columns.at(9)->kind, Kind::Unknown);
  EXPECT_EQ(columns.width(5), 5u);
}

TEST(Columns, TakeTheNamesOfAnAliasByPosition) {
  Columns known = numbered(3);
  known.rename({"x", "y"});
  EXPECT_EQ(known[1].name, "y");
  EXPECT_EQ(known[2].name, "c");

  Columns open = numbered(1);
  open.append(Columns::of_unknown_row(nullptr));
  open.add({"y", constant(7)});
  open.rename({"x", "y"});
  ASSERT_EQ(open.size(), 2u);
  EXPECT_EQ(open[1].name, "y");
  EXPECT_EQ(open[1].value->kind, Kind::Unknown) << "the alias names the second column, whichever it is";
  EXPECT_TRUE(open.is_open());
}

}  // namespace
}  // namespace assay::sql
