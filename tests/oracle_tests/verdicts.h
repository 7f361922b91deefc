// Small histories with the levels they satisfy, reasoned out by hand from docs/levels.md.
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "history/history.h"
#include "oracle/oracle.h"

namespace assay::test {

struct Verdict {
  std::string_view because;
  std::string_view history;  // `.hist`
  std::string_view holds;    // ids of levels, "all" or "none"
};

// The levels of which every table says something. What came later has a test of its own.
inline constexpr std::array kInEveryTable{
    oracle::Level::rc,         oracle::Level::ra,        oracle::Level::cc,      oracle::Level::pc,
    oracle::Level::psi,        oracle::Level::si,        oracle::Level::adya_si, oracle::Level::gsi,
    oracle::Level::session_si, oracle::Level::strong_si, oracle::Level::ser,     oracle::Level::plain_ser,
    oracle::Level::strict_ser};

// Expects each history to satisfy exactly the levels named, of those that the table is about, and all
// formulations of the oracle to agree. Levels that need instants are judged only where a history has them.
void expect_verdicts(std::initializer_list<Verdict> verdicts, oracle::Options options = {},
                     std::span<const oracle::Level> about = kInEveryTable);

// The ids of the levels that hold, separated by blanks.
std::string levels_that_hold(const History& history, oracle::Options options = {},
                             std::span<const oracle::Level> about = kInEveryTable);

}  // namespace assay::test
