// What every adapter must do, whatever the database: used by the tests of each.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "collect/database.h"

namespace assay::test {

inline std::unique_ptr<Database> opened(std::string_view url,
                                        const DatabaseOptions& options = {.sessions = 4, .operations = 8}) {
  auto database = open_database(parse_url(url).value(), options);
  if (!database) throw std::runtime_error(database.error().describe());
  return std::move(*database);
}

inline std::unique_ptr<Connection> connected(Database& database, std::string_view level = {}) {
  auto connection = database.connect(*find_level(database, level).value());
  if (!connection) throw std::runtime_error(connection.error().describe());
  return std::move(*connection);
}

inline std::int64_t value_of(Connection& connection, std::size_t key) {
  std::int64_t value = -1;
  EXPECT_EQ(connection.read(StoreKey(key), value), Reply::Done) << connection.problem();
  return value;
}

inline std::vector<std::int64_t> list_of(Connection& connection, std::size_t key) {
  std::vector<std::int64_t> elements;
  EXPECT_EQ(connection.read_list(StoreKey(key), elements), Reply::Done) << connection.problem();
  return elements;
}

// Registers: own writes are seen, committed ones by others, rolled back ones by nobody; no row means 0.
inline void keeps_registers(Database& database) {
  ASSERT_TRUE(database.prepare(DataKind::Registers, 3));
  const auto a = connected(database), b = connected(database);
  ASSERT_EQ(a->begin(), Reply::Done) << a->problem();
  EXPECT_EQ(value_of(*a, 2), 0);
  EXPECT_EQ(value_of(*a, 7), 0);
  ASSERT_EQ(a->write(StoreKey(2), 5), Reply::Done) << a->problem();
  ASSERT_EQ(a->write(StoreKey(7), 1234567890123), Reply::Done) << a->problem();
  EXPECT_EQ(value_of(*a, 7), 1234567890123);
  ASSERT_EQ(a->commit(), Reply::Done) << a->problem();
  ASSERT_EQ(b->begin(), Reply::Done) << b->problem();
  EXPECT_EQ(value_of(*b, 2), 5);
  ASSERT_EQ(b->write(StoreKey(2), 6), Reply::Done) << b->problem();
  ASSERT_EQ(b->rollback(), Reply::Done) << b->problem();
  ASSERT_EQ(a->begin(), Reply::Done);
  EXPECT_EQ(value_of(*a, 2), 5);
  EXPECT_EQ(value_of(*a, 7), 1234567890123);
  ASSERT_EQ(a->commit(), Reply::Done);
}

// Columns of rows, in two tables: one with rows from the start, one without.
class TwoTables final : public TableLayout {
 public:
  std::span<const Table> tables() const override { return tables_; }
  Cell cell(StoreKey key) const override {
    const std::size_t column = key.index() % 3;
    const std::int64_t row = key.value / 3;
    return column < 2 ? Cell{column, {row % 2 + 1, row / 2 + 1}} : Cell{column, {row + 1}};
  }

 private:
  const std::vector<Table> tables_{{"pair", {"a", "b"}, {"first", "second"}, {2, 3}, 1},
                                   {"single", {"c"}, {"third"}, {0}, 1}};
};

inline void keeps_columns_of_tables(Database& database) {
  ASSERT_TRUE(database.prepare(DataKind::Registers, std::make_shared<TwoTables>()));
  constexpr std::size_t kKeys = 3 * 10;  // more rows than there are at first
  const auto a = connected(database), b = connected(database);
  ASSERT_EQ(a->begin(), Reply::Done) << a->problem();
  for (std::size_t key = 0; key < kKeys; ++key) {
    EXPECT_EQ(value_of(*a, key), 0);
    ASSERT_EQ(a->write(StoreKey(key), static_cast<std::int64_t>(100 + key)), Reply::Done) << a->problem();
  }
  ASSERT_EQ(a->commit(), Reply::Done) << a->problem();
  ASSERT_EQ(b->begin(), Reply::Done) << b->problem();
  for (std::size_t key = 0; key < kKeys; ++key) EXPECT_EQ(value_of(*b, key), 100 + static_cast<int>(key));
  ASSERT_EQ(b->commit(), Reply::Done) << b->problem();
}

inline void keeps_lists(Database& database) {
  ASSERT_TRUE(database.prepare(DataKind::Lists, 3));
  const auto a = connected(database), b = connected(database);
  ASSERT_EQ(a->begin(), Reply::Done) << a->problem();
  EXPECT_TRUE(list_of(*a, 1).empty());
  for (const int element : {3, 1, 2}) ASSERT_EQ(a->append(StoreKey(1), element), Reply::Done) << a->problem();
  EXPECT_EQ(list_of(*a, 1), (std::vector<std::int64_t>{3, 1, 2}));
  ASSERT_EQ(a->commit(), Reply::Done) << a->problem();
  ASSERT_EQ(b->begin(), Reply::Done) << b->problem();
  ASSERT_EQ(b->append(StoreKey(1), 9), Reply::Done) << b->problem();
  EXPECT_EQ(list_of(*b, 1), (std::vector<std::int64_t>{3, 1, 2, 9}));
  ASSERT_EQ(b->rollback(), Reply::Done) << b->problem();
  ASSERT_EQ(a->begin(), Reply::Done);
  EXPECT_EQ(list_of(*a, 1), (std::vector<std::int64_t>{3, 1, 2}));
  ASSERT_EQ(a->commit(), Reply::Done);
}

using RowsByKey = std::map<std::size_t, std::int64_t>;

// What a database answers; no row: nothing.
inline RowsByKey rows_of(Connection& connection, const Asked& asked) {
  RowAnswer answer;
  EXPECT_EQ(connection.ask(asked, answer), Reply::Done) << connection.problem();
  RowsByKey rows;
  for (const StoreWrite& row : answer.rows) EXPECT_TRUE(rows.emplace(row.key.index(), row.value).second);
  return rows;
}

inline bool meets_a_row(Connection& connection, const Asked& asked) {
  RowAnswer answer;
  EXPECT_EQ(connection.ask(asked, answer), Reply::Done) << connection.problem();
  return answer.met_a_row;
}

inline Asked asked(RowAction action, std::size_t key, std::int64_t row = 0) {
  return {.write = action != RowAction::Scan, .key = StoreKey(key), .value = row, .action = action};
}
inline Asked scan(std::size_t first, std::size_t last) {
  return {.key = StoreKey(first), .action = RowAction::Scan, .last = StoreKey(last)};
}
inline Asked by_predicate(RowAction action, const RowFilter& filter, std::int64_t shift = 0) {
  return {
      .write = action == RowAction::Update, .key = {}, .value = shift, .action = action, .filter = filter};
}

// Rows come and go, own ones are seen, and a range shows exactly those that are there.
inline void keeps_rows(Database& database) {
  ASSERT_TRUE(database.prepare(DataKind::Registers,
                               std::make_shared<RowTable>(false, std::vector<std::int64_t>{kNoRow, 5, 6})));
  const auto a = connected(database), b = connected(database);
  ASSERT_EQ(a->begin(), Reply::Done) << a->problem();
  EXPECT_EQ(rows_of(*a, scan(0, 9)), (RowsByKey{{1, 5}, {2, 6}}));
  EXPECT_EQ(rows_of(*a, {.key = StoreKey(1)}), (RowsByKey{{1, 5}}));
  EXPECT_EQ(rows_of(*a, {.key = StoreKey(4)}), RowsByKey());
  EXPECT_FALSE(meets_a_row(*a, asked(RowAction::Insert, 4, 7)));
  EXPECT_TRUE(meets_a_row(*a, asked(RowAction::Insert, 2, 8)));
  EXPECT_TRUE(meets_a_row(*a, asked(RowAction::Delete, 1)));
  EXPECT_FALSE(meets_a_row(*a, asked(RowAction::Delete, 1)));
  rows_of(*a, asked(RowAction::None, 2, 9));
  rows_of(*a, asked(RowAction::None, 3, 10));
  EXPECT_EQ(rows_of(*a, scan(0, 9)), (RowsByKey{{2, 9}, {3, 10}, {4, 7}}));
  EXPECT_EQ(rows_of(*a, scan(3, 3)), (RowsByKey{{3, 10}}));
  ASSERT_EQ(a->commit(), Reply::Done) << a->problem();
  ASSERT_EQ(b->begin(), Reply::Done) << b->problem();
  EXPECT_FALSE(meets_a_row(*b, asked(RowAction::Insert, 1, 11)));
  EXPECT_EQ(rows_of(*b, scan(0, 9)), (RowsByKey{{1, 11}, {2, 9}, {3, 10}, {4, 7}}));
  ASSERT_EQ(b->rollback(), Reply::Done) << b->problem();
  ASSERT_EQ(a->begin(), Reply::Done);
  EXPECT_EQ(rows_of(*a, scan(0, 9)), (RowsByKey{{2, 9}, {3, 10}, {4, 7}}));
  ASSERT_EQ(a->commit(), Reply::Done);
}

// An update says which rows it found, and what it made of them.
inline void finds_rows_by_predicate(Database& database) {
  const std::vector<std::int64_t> initial{two_columns(10, 1), two_columns(20, 2), two_columns(30, 3)};
  ASSERT_TRUE(database.prepare(DataKind::Registers, std::make_shared<RowTable>(true, initial)));
  const auto a = connected(database), b = connected(database);
  const RowFilter upper{RowColumn::V1, 20, 30};
  const RowsByKey changed{{1, updated_row(StoreKey(1), initial[1], upper, 77)},
                          {2, updated_row(StoreKey(2), initial[2], upper, 77)}};
  ASSERT_EQ(a->begin(), Reply::Done) << a->problem();
  EXPECT_EQ(rows_of(*a, by_predicate(RowAction::Update, upper, 77)), changed);
  EXPECT_EQ(rows_of(*a, by_predicate(RowAction::Update, {RowColumn::V2, 4, 5}, 78)), RowsByKey());
  EXPECT_EQ(rows_of(*a, by_predicate(RowAction::Select, upper)), changed);
  ASSERT_EQ(a->commit(), Reply::Done) << a->problem();
  ASSERT_EQ(b->begin(), Reply::Done) << b->problem();
  EXPECT_EQ(rows_of(*b, by_predicate(RowAction::Select, upper)), changed);
  EXPECT_EQ(rows_of(*b, by_predicate(RowAction::Select, {RowColumn::V2, 1, 1})),
            (RowsByKey{{0, initial[0]}}));
  const RowFilter low{RowColumn::V2, 1, 1};
  EXPECT_EQ(rows_of(*b, by_predicate(RowAction::Update, low, 79)),
            (RowsByKey{{0, updated_row(StoreKey(0), initial[0], low, 79)}}));
  ASSERT_EQ(b->commit(), Reply::Done) << b->problem();
}

}  // namespace assay::test
