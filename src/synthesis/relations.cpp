#include "synthesis/relations.h"

namespace assay::synthesis {

Table table_of(const spec::Rows& rows, std::vector<std::size_t> sizes) {
  Table table(std::move(sizes));
  for (const spec::Row& row : rows) {
    std::size_t cell = 0;
    for (std::size_t i = 0; i < row.size(); ++i) cell = cell * table.sizes[i] + row[i];
    table.cells[cell] = kTrue;
  }
  return table;
}

World world_of(const spec::FiniteHistory& history) {
  World world;
  for (std::size_t sort = 0; sort < 4; ++sort)
    world.exists[sort].assign(history.universe[sort].size(), kTrue);
  for (std::size_t base = 0; base < spec::kBases; ++base) {
    std::vector<std::size_t> sizes;
    for (const spec::Sort sort : spec::columns_of(static_cast<spec::Base>(base)))
      sizes.push_back(history.count(sort));
    world.base[base] = table_of(history.base[base], std::move(sizes));
  }
  for (const auto& [label, rows] : history.labels)
    world.labels[label] = table_of(rows, {history.count(label.sort)});
  return world;
}

}  // namespace assay::synthesis
