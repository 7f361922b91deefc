// Relations over a scope as tables of literals, and what a specification is translated against.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "spec/finite_history.h"
#include "synthesis/circuit.h"

namespace assay::synthesis {

// One literal for each row that the relation might have; at most three columns.
struct Table {
  std::vector<std::size_t> sizes;
  std::vector<Lit> cells;

  Table() = default;
  explicit Table(std::vector<std::size_t> s, Lit value = kFalse) : sizes(std::move(s)) {
    std::size_t count = 1;
    for (const std::size_t size : sizes) count *= size;
    cells.assign(count, value);
  }
  Lit& at(std::size_t a) { return cells[a]; }
  Lit& at(std::size_t a, std::size_t b) { return cells[a * sizes[1] + b]; }
  Lit& at(std::size_t a, std::size_t b, std::size_t c) { return cells[(a * sizes[1] + b) * sizes[2] + c]; }
  Lit at(std::size_t a) const { return cells[a]; }
  Lit at(std::size_t a, std::size_t b) const { return cells[a * sizes[1] + b]; }
  Lit at(std::size_t a, std::size_t b, std::size_t c) const {
    return cells[(a * sizes[1] + b) * sizes[2] + c];
  }
};

// What a formula is about: the history, which of its elements exist, and the witnesses.
struct World {
  std::array<Table, spec::kBases> base;
  std::array<std::vector<Lit>, 4> exists;  // by sort
  std::vector<Table> witnesses;
  std::map<spec::Label, Table> labels;  // what is not there is empty

  Table& operator[](spec::Base b) { return base[static_cast<std::size_t>(b)]; }
  const Table& operator[](spec::Base b) const { return base[static_cast<std::size_t>(b)]; }
  std::size_t size(spec::Sort sort) const { return exists[static_cast<std::size_t>(sort)].size(); }
};

// A history that is known, as a world of constants without witnesses.
World world_of(const spec::FiniteHistory& history);
Table table_of(const spec::Rows& rows, std::vector<std::size_t> sizes);

}  // namespace assay::synthesis
