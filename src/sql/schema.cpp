#include "sql/schema.h"

#include <algorithm>

namespace assay::sql {
namespace {

template <class Key, class Named>
std::optional<Key> find_named(const std::vector<Named>& things, std::string_view name) {
  const auto found = std::ranges::find(things, name, &Named::name);
  if (found == things.end()) return std::nullopt;
  return Key(static_cast<std::size_t>(found - things.begin()));
}

}  // namespace

std::string to_text(const Place& place) {
  const std::string file = place.file ? *place.file : "";
  return place.line == 0 ? file : file + ":" + std::to_string(place.line);
}

std::string_view to_text(Type type) {
  constexpr std::string_view words[] = {"integer", "decimal", "text", "boolean", "time", "other"};
  return words[static_cast<std::size_t>(type)];
}

std::optional<ColumnId> Table::find(std::string_view column) const {
  return find_named<ColumnId>(columns, column);
}

bool Table::in_primary_key(ColumnId column) const {
  return std::ranges::find(primary_key, column) != primary_key.end();
}

void add_tables_of_locks(Schema& schema) {
  const auto add = [&](std::string_view name, Type type) {
    Table locks{.name = std::string(name), .columns = {{.name = "name", .type = type, .nullable = false}}};
    locks.columns[0].declared = type == Type::Integer ? "bigint" : "text";
    locks.primary_key = {ColumnId(0)};
    locks.of_locks = true;
    schema.tables.push_back(std::move(locks));
  };
  add(kLocksOfNumbers, Type::Integer);
  add(kLocksOfTexts, Type::Text);
  add(kLocksOfTables, Type::Text);
}

std::optional<TableId> Schema::find(std::string_view table) const {
  for (auto root = partitions.find(table); root != partitions.end(); root = partitions.find(table))
    table = root->second;
  return find_named<TableId>(tables, table);
}

}  // namespace assay::sql
