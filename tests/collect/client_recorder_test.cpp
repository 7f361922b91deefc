#include "collect/client_recorder.h"

#include <gmock/gmock.h>

#include "collect/adapter_contract.h"
#include "collect/journals.h"
#include "collect/temporary_directory.h"
#include "history/describe.h"
#include "history_io/format.h"

namespace assay::test {
namespace {

using testing::ElementsAre;

// What a history says after one transaction with these operations.
class RowRecorder : public testing::Test {
 protected:
  std::vector<std::string> recorded(const RowTable& rows,
                                    std::span<const std::pair<Asked, RowAnswer>> operations) {
    const auto directory = TemporaryDirectory::create().value();
    const std::string place = directory.path() + "/journals";
    EXPECT_TRUE(create_journals(place, {.rows = &rows}));
    const KeyNames numbers;
    ClientRecorder recorder(create_journal(place, 1).value(), numbers, &rows);
    recorder.begin(1);
    for (const auto& [asked, answer] : operations) recorder.answered(asked, answer);
    EXPECT_TRUE(recorder.committing(2) && recorder.end(Outcome::Committed, 3) && recorder.close());
    const auto history = read_history(place);
    if (!history) throw std::runtime_error(history.error().describe());
    std::vector<std::string> texts;
    for (const OpId op : history->operations()) texts.push_back(describe(*history, op));
    return texts;
  }
};

TEST_F(RowRecorder, LeavesOutAnInsertThatMetARow) {
  const std::vector<std::pair<Asked, RowAnswer>> operations{
      {asked(RowAction::Insert, 4, 7), {}},
      {asked(RowAction::Insert, 5, 8), {.met_a_row = true, .rows = {}}},
      {asked(RowAction::Delete, 4), {.met_a_row = true, .rows = {}}},
      {asked(RowAction::Delete, 4), {}},
      {{.key = StoreKey(4)}, {}}};
  EXPECT_THAT(recorded(RowTable(false, {1}), operations),
              ElementsAre("insert(4,7)", "delete(4,true)", "delete(4,false)", "r(4,null)"));
}

TEST_F(RowRecorder, WritesDownARowThatCameUnderTheSameKeyAsARead) {
  const RowAnswer twice{.rows = {{StoreKey(2), 6}, {StoreKey(1), 5}, {StoreKey(2), 7}}};
  const std::vector<std::pair<Asked, RowAnswer>> operations{{scan(1, 3), twice}};
  EXPECT_THAT(recorded(RowTable(false, {1}), operations), ElementsAre("scan(1,3,[1=5 2=6])", "r(2,7)"));
}

TEST_F(RowRecorder, WritesDownPredicatesAndColumns) {
  const RowFilter filter{RowColumn::V2, 3, 9};
  const RowAnswer found{.rows = {{StoreKey(2), two_columns(1, 4)}}};
  const std::vector<std::pair<Asked, RowAnswer>> operations{{by_predicate(RowAction::Select, filter), found},
                                                            {by_predicate(RowAction::Update, filter), found}};
  EXPECT_THAT(recorded(RowTable(true, {two_columns(0, 0)}), operations),
              ElementsAre("select(v2 between 3 and 9,[2={v1:1,v2:4}])",
                          "update(v2 between 3 and 9,[2={v1:1,v2:4}])"));
}

}  // namespace
}  // namespace assay::test
