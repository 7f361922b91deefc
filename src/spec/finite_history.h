// A small history as plain sets of rows: what a specification is about, without any cleverness.
//
// Transactions, objects, values and operations are numbers from 0; transaction 0 is the initial one, which
// writes value 0 of every object and precedes all others in session order. Operations are external reads.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "spec/core.h"

namespace assay::spec {

using Row = std::vector<std::uint32_t>;
using Rows = std::set<Row>;

using Labels = std::map<Label, Rows>;  // of one column

struct FiniteHistory {
  Labels labels;
  std::array<std::vector<std::uint32_t>, 4> universe;  // by sort
  std::array<Rows, kBases> base;

  const Rows& operator[](Base b) const { return base[static_cast<std::size_t>(b)]; }
  Rows& operator[](Base b) { return base[static_cast<std::size_t>(b)]; }
  std::size_t count(Sort sort) const { return universe[static_cast<std::size_t>(sort)].size(); }
};

// What a history is made of, before it is decided who read from whom.
struct HistoryFacts {
  std::size_t transactions = 1, objects = 0, values = 1;  // with the initial transaction and value
  struct Read {
    std::uint32_t txn, object, value;
    friend auto operator<=>(const Read&, const Read&) = default;
  };
  std::vector<Read> reads{};  // in program order within a transaction
  Rows writes{};              // Txn Obj Val, those of the initial transaction included
  Rows session_order{};       // transitive, without the initial transaction
  bool clocks = false;        // otherwise it is not known when transactions began and ended
  Rows real_time{};           // who ended before whom began, without the initial transaction
  Labels labels{};            // what is not there is empty
  Rows ended{};               // who ended before whom ended; empty where nobody asks
};

// Who can have written what each read returned; in the order of the reads.
std::vector<std::vector<std::uint32_t>> possible_writers(const HistoryFacts& facts);
// `writers` says from whom each read is.
FiniteHistory finite_history(const HistoryFacts& facts, const std::vector<std::uint32_t>& writers);

}  // namespace assay::spec
