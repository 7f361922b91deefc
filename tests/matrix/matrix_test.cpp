// Which levels a configuration kept, on the simulated store, whose levels are known; and how it is printed.
#include "matrix/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collect/temporary_directory.h"
#include "matrix/collect_matrix.h"
#include "support/hist.h"
#include "support/judged.h"

namespace assay {
namespace {

using test::hist;
using test::judged;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kSkew = "S1: <T1> r(x,0) w(y,1) S2: <T2> r(y,0) w(x,1)";
constexpr std::string_view kLostUpdate =
    "S1: <T1> r(x,0) w(x,1) S2: <T2> r(x,0) w(x,2) S3: <T3> r(x,2) w(z,1) S4: <T4> r(z,1) w(y,1)";

// A configuration that claims si and was judged at every level that needs no clock.
MatrixRow matrix_row() {
  MatrixRow row{.database = "<db>", .isolation = "repeatable-read", .claims = Level::Si};
  for (const LevelRow& level : levels()) row.levels.push_back({.level = level.level, .broken_by = {}});
  return row;
}

std::vector<Level> every_level() {
  std::vector<Level> all;
  for (const LevelRow& level : levels()) all.push_back(level.level);
  return all;
}

const LevelRecord& record_of(const MatrixRow& row, Level level) {
  return *std::ranges::find(row.levels, level, &LevelRecord::level);
}

TEST(MatrixRow, KnowsWhatHeldAndWhatAWitnessBroke) {
  MatrixRow row = matrix_row();
  row.add(judged(hist(kSkew), every_level()), false);
  EXPECT_TRUE(record_of(row, Level::Si).held);
  EXPECT_TRUE(row.is_broken(record_of(row, Level::Ser)));
  EXPECT_FALSE(row.broke_its_claim());
  row.add(judged(hist(kLostUpdate), every_level()), false);
  EXPECT_TRUE(row.is_broken(record_of(row, Level::Si)));
  EXPECT_TRUE(row.broke_its_claim());
}

TEST(MatrixRow, ReplacesAnUnsettledWitnessByASettledOneAndNeverTheOtherWayRound) {
  MatrixRow row = matrix_row();
  row.add(judged(hist(kLostUpdate), {Level::Si}), true);
  EXPECT_TRUE(row.is_unsettled(record_of(row, Level::Si)));
  EXPECT_FALSE(row.broke_its_claim());
  row.add(judged(hist(kLostUpdate), {Level::Si}), false);
  EXPECT_TRUE(row.is_broken(record_of(row, Level::Si)));
  row.add(judged(hist(kLostUpdate), {Level::Si}), true);
  EXPECT_TRUE(row.is_broken(record_of(row, Level::Si)));
}

TEST(MatrixPrinters, MarkEachLevelAndShowTheWitnesses) {
  Matrix matrix{{matrix_row()}, {"MariaDB is not installed"}};
  matrix.rows[0].add(judged(hist(kSkew), every_level()), false);
  const std::string text = as_text(matrix, true, false);
  EXPECT_THAT(text, AllOf(HasSubstr("<db>      repeatable-read  keys  si"),
                          HasSubstr("<db>, repeatable-read breaks ser"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(as_text(matrix, true, true), HasSubstr("\x1b["));
  EXPECT_THAT(as_text(matrix, false, false), Not(HasSubstr("breaks")));
  const Json json = Json::parse(as_json(matrix));
  EXPECT_EQ(json["matrix"][0]["keeps_its_claim"], true);
  EXPECT_EQ(json["matrix"][0]["broken"]["ser"], 0);
  EXPECT_EQ(json["missing"][0], "MariaDB is not installed");
}

TEST(MatrixPrinters, PageLinksEachBrokenLevelToItsWitness) {
  Matrix matrix{{matrix_row()}, {"<none>"}};
  matrix.rows[0].add(judged(hist(kSkew), every_level()), false);
  matrix.rows[0].witnesses[0].svg = "<?xml?><svg xmlns=\"http://x\"><g/></svg>";
  const std::string page = as_html(matrix, {"1.2.3", "assay matrix --report <m>"});
  EXPECT_THAT(page, AllOf(HasSubstr("<th>&lt;db&gt;</th>"), HasSubstr("class=\"violated\" href=\"#w1-1\""),
                          HasSubstr("<section id=\"w1-1\">"), HasSubstr("Left out: &lt;none&gt;"),
                          HasSubstr("<figure><svg><g/></svg></figure>"),
                          HasSubstr("assay 1.2.3: assay matrix --report &lt;m&gt;")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<db>")), Not(HasSubstr("<script")), Not(HasSubstr("\x1b"))));
}

TEST(MatrixPrinters, SayWhereEachWitnessIsFromAndHowToRepeatIt) {
  Matrix matrix{{matrix_row()}, {}};
  matrix.rows[0].address = "--start postgres";
  matrix.rows[0].add(judged(hist(kSkew), every_level()), false, {"--keys 12 --ops 6", 17});
  const std::string command =
      "assay run --start postgres --isolation repeatable-read --keys 12 --ops 6 --seed 17 --check ser "
      "--until-violation";
  EXPECT_THAT(as_text(matrix, true, false), HasSubstr("again: " + command));
  EXPECT_THAT(as_html(matrix, {}),
              AllOf(HasSubstr("<th>workload</th><td>--keys 12 --ops 6</td>"),
                    HasSubstr("<th>seed</th><td>17</td>"), HasSubstr("<pre>" + command)));
  EXPECT_EQ(Json::parse(as_json(matrix))["matrix"][0]["witnesses"][0]["run"]["command"], command);
}

TEST(MatrixPrinters, BoundWhatAPageShowsOfAWitness) {
  Matrix matrix{{matrix_row()}, {}};
  matrix.rows[0].add(judged(hist(kSkew), every_level()), false);
  Witness& witness = matrix.rows[0].witnesses[0];
  for (int i = 0; i < 200'000; ++i) witness.text += "a line of a long story\n";
  witness.story["subhistory"]["hist"] = std::string(1'000'000, 'x');
  const std::string page = as_html(matrix, {});
  EXPECT_LT(page.size(), 100'000u);
  EXPECT_THAT(page, HasSubstr(" more bytes, in assay matrix --json"));
}

class CollectMatrix : public testing::Test {
 protected:
  // Judges every run at three of the levels that it is asked for, and keeps what it was asked.
  MatrixOptions options(double seconds) {
    return {.seconds = seconds,
            .seed = 3,
            .directory = place_.path(),
            .judge = [this](History history, const MatrixJudgement& judgement) -> Result<Findings> {
              asked_.push_back(judgement);
              std::vector<Level> levels = judgement.levels;
              std::erase_if(levels, [](Level level) {
                return level != Level::Rc && level != Level::Si && level != Level::Ser;
              });
              return judged(std::move(history), levels, std::chrono::milliseconds(200));
            }};
  }

  TemporaryDirectory place_ = TemporaryDirectory::create().value();
  std::vector<MatrixJudgement> asked_;
};

TEST_F(CollectMatrix, RunsEveryKindOfWorkloadOnEveryLevel) {
  std::vector<std::string> progress;
  MatrixOptions o = options(0.1);
  o.progress = [&](const std::string& text) {
    if (!text.empty()) progress.push_back(text);
  };
  const auto matrix = collect_matrix({"simulated:rc", "simulated:ser"}, o);
  ASSERT_TRUE(matrix) << matrix.error().describe();
  ASSERT_EQ(matrix->rows.size(), 4u);
  EXPECT_EQ(matrix->rows[0].data, MatrixData::Keys);
  EXPECT_EQ(matrix->rows[1].data, MatrixData::Rows);
  EXPECT_EQ(matrix->rows[0].runs + matrix->rows[1].runs, 7u);
  EXPECT_EQ(progress.size(), 2u);
  EXPECT_EQ(asked_[0].called, progress[0]);
  EXPECT_EQ(asked_[0].seconds_per_level, 0.05 * 0.1);
  const MatrixRow &weak = matrix->rows[0], &strong = matrix->rows[2];
  EXPECT_TRUE(weak.is_broken(record_of(weak, Level::Si)));
  EXPECT_FALSE(weak.broke_its_claim());
  EXPECT_FALSE(strong.broke_its_claim());
  EXPECT_TRUE(record_of(strong, Level::Ser).held);
}

TEST_F(CollectMatrix, EndsWhenItIsToldTo) {
  MatrixOptions o = options(60);
  o.stop = [this] { return asked_.size() == 2; };
  const auto matrix = collect_matrix({"simulated:ser"}, o);
  ASSERT_FALSE(matrix);
  EXPECT_EQ(matrix.error().describe(), "interrupted");
}

TEST_F(CollectMatrix, RefusesADatabaseThatItCannotOpen) {
  EXPECT_FALSE(collect_matrix({"nonsense:"}, options(0.1)));
  EXPECT_FALSE(collect_matrix({"simulated:gsi"}, options(0.1)));
}

TEST(Workloads, OnlyThoseOfRangesReplaceRows) {
  EXPECT_TRUE(replaces_rows({.shape = Shape::Ranges}));
  EXPECT_FALSE(replaces_rows({.shape = Shape::Predicates}));
  EXPECT_FALSE(replaces_rows({}));
}

}  // namespace
}  // namespace assay
