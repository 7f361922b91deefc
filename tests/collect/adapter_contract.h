// What every adapter must do, whatever the database: used by the tests of each.
#pragma once

#include <gtest/gtest.h>

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

}  // namespace assay::test
