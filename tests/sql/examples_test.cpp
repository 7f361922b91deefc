// The programs that come with Assay: PostgreSQL's parser takes them, and little of them is lost.
#include <gmock/gmock.h>

#include "support.h"
#include "support/paths.h"

namespace assay::sql::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Application examples(const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names)
    paths.push_back(assay::test::source_dir() + "/examples/programs/" + name + ".sql");
  auto result = read_application_files(paths);
  if (result) return std::move(result).value();
  ADD_FAILURE() << result.error().describe();
  return {};
}

std::vector<std::string> programs(const Application& application) {
  std::vector<std::string> names;
  for (const Program& program : application.programs) names.push_back(program.name);
  return names;
}

TEST(ExamplePrograms, AreReadWithoutLoss) {
  for (const char* name : {"bank", "smallbank", "courseware", "auction", "twitter"})
    EXPECT_THAT(notes_of(examples({name})), IsEmpty()) << name;
  EXPECT_THAT(programs(examples({"smallbank"})),
              ElementsAre("balance", "deposit_checking", "transact_savings", "amalgamate", "write_check"));
}

TEST(ExamplePrograms, OfTpccLoseOnlyTheMiddleOneOfTheNamesakes) {
  const Application tpcc = examples({"tpcc"});
  EXPECT_THAT(programs(tpcc), ElementsAre("new_order", "payment", "order_status", "delivery", "stock_level"));
  EXPECT_EQ(tpcc.schema.tables.size(), 9u);
  EXPECT_EQ(tpcc.notes.size(), 2u);
}

TEST(ExamplePrograms, ReplaceOneProgramOfTpccEach) {
  for (const char* variant : {"tpcc_all_districts", "tpcc_by_name", "tpcc_returning"})
    EXPECT_EQ(examples({"tpcc", variant}).programs.size(), 5u) << variant;
}

}  // namespace
}  // namespace assay::sql::test
