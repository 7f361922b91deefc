// Where the programs of an analysis come from, and which of them it is about.
#include "sql_log/read_programs.h"

#include <fstream>

#include "support.h"

namespace assay::sql_log::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ReadProgramsTest : public testing::Test {
 protected:
  ~ReadProgramsTest() override { std::filesystem::remove_all(directory_); }

  std::string file(const std::string& name, std::string_view text) {
    std::filesystem::create_directories(directory_);
    const std::string path = directory_ / name;
    std::ofstream(path) << text;
    return path;
  }
  Result<ReadPrograms> read(const ProgramSources& sources) {
    return read_programs(sources, [this](const std::string& name, std::string_view text) -> Result<void> {
      if (name == "/refused") return error("cannot be written");
      written_[name] = text;
      return {};
    });
  }
  static std::vector<std::string> names(const ReadPrograms& read) {
    std::vector<std::string> all;
    for (const sql::Program& program : read.application.programs) all.push_back(program.name);
    return all;
  }

  const std::filesystem::path directory_ =
      std::filesystem::path(testing::TempDir()) / ("assay-programs-" + std::to_string(getpid()));
  std::map<std::string, std::string> written_;
  const std::string schema_ = file("s.sql",
                                   "CREATE TABLE t (a int PRIMARY KEY, b int);\n"
                                   "-- transaction: of_schema\nDELETE FROM t;\n");
  const std::string programs_ = file("p.sql",
                                     "-- transaction: one\nDELETE FROM t;\n-- transaction: bad\nSELEKT;\n"
                                     "-- transaction: two\nSELECT b FROM t;\n");
};

TEST_F(ReadProgramsTest, SchemasHaveNoProgramsOfTheirOwn) {
  const auto read = this->read({.files = {programs_}, .schemas = {schema_}});
  ASSERT_TRUE(read) << read.error().describe();
  EXPECT_THAT(names(*read), ElementsAre("one", "two"));
  EXPECT_EQ(read->application.left_out.size(), 1u);
  EXPECT_EQ(read->sources.size(), 2u);
}

TEST_F(ReadProgramsTest, KeepThoseThatTheUserChose) {
  ProgramSources sources{.files = {programs_}, .schemas = {schema_}, .only = {"two"}};
  EXPECT_THAT(names(*read(sources)), ElementsAre("two"));
  EXPECT_TRUE(read(sources)->application.left_out.empty());
  sources.only = {};
  sources.ignore = {"two", "bad"};
  EXPECT_THAT(names(*read(sources)), ElementsAre("one"));
  sources.ignore = {"one", "two"};
  EXPECT_THAT(read(sources).error().describe(), HasSubstr("no program is left to analyse"));
  sources.ignore = {"nothing"};
  EXPECT_THAT(read(sources).error().describe(), HasSubstr("there is no program nothing"));
}

TEST_F(ReadProgramsTest, OfALogAreWrittenWhereTheUserWantsThem) {
  const std::string log = file("a.log", stderr_log({"DELETE FROM t"}));
  const auto read = this->read({.schemas = {schema_}, .logs = {log}, .programs_out = "out.sql"});
  ASSERT_TRUE(read) << read.error().describe();
  EXPECT_THAT(names(*read), ElementsAre("delete_t"));
  EXPECT_EQ(written_["out.sql"], read->scripts);
  EXPECT_EQ(read->sources.back().name, "out.sql");
  EXPECT_EQ(this->read({.schemas = {schema_}, .logs = {log}})->sources.back().name, "programs of " + log);
  EXPECT_EQ(this->read({.schemas = {schema_}, .logs = {log}, .programs_out = "/refused"}).error().describe(),
            "cannot be written");
}

// What the analysis may not assume: that whatever is in a table was inserted by one of these programs.
TEST_F(ReadProgramsTest, MayMeetRowsOfProgramsThatAreNotAmongThem) {
  const std::string inserts = file("i.sql", "-- transaction: add\nINSERT INTO t VALUES (1, 1);\n");
  const auto seeded = [&](const ProgramSources& sources) {
    const auto read = this->read(sources);
    EXPECT_TRUE(read) << read.error().describe();
    return read && read->application.schema.tables.at(0).seeded;
  };
  EXPECT_FALSE(seeded({.files = {schema_, inserts}}));
  EXPECT_FALSE(seeded({.files = {schema_, inserts}, .only = {"add"}}));
  EXPECT_TRUE(seeded({.files = {schema_, inserts}, .ignore = {"add"}}));
  EXPECT_TRUE(seeded({.files = {programs_, inserts}, .schemas = {schema_}})) << "one cannot be read";
  const std::string log = file("a.log", stderr_log({"DELETE FROM t"}));
  EXPECT_TRUE(seeded({.schemas = {schema_}, .logs = {log}}));
}

TEST_F(ReadProgramsTest, OfALogNeedASchema) {
  const std::string log = file("a.log", stderr_log({"DELETE FROM t"}));
  EXPECT_THAT(read({.logs = {log}}).error().describe(), HasSubstr("add --schema FILE"));
}

TEST_F(ReadProgramsTest, SayWhichFilesTheyAreFrom) {
  EXPECT_THAT((ProgramSources{.files = {"a"}, .schemas = {"b"}, .logs = {"c"}}).names(),
              ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace assay::sql_log::test
