// Every history of a tiny scope, one after another: what the encoding is held against.
//
// Transactions are numbered along their sessions; of histories that differ only in that numbering some occur
// twice.
#pragma once

#include <algorithm>
#include <functional>
#include <set>

#include "spec/evaluate.h"
#include "spec/load.h"
#include "synthesis/scope.h"

namespace assay::test {

class AllHistories {
 public:
  // With clocks, `ends` says whether it matters which of two ended first.
  AllHistories(const synthesis::Scope& scope, std::function<bool(const spec::HistoryFacts&)> visit,
               bool ends = false)
      : scope_(scope), visit_(std::move(visit)), ends_(ends), session_(scope.transactions + 1) {}

  // Exactly as many transactions as the scope has. Ends when `visit` says false.
  void run() { sessions(1, 0); }

 private:
  bool sessions(std::uint32_t t, std::uint32_t used) {
    if (t > scope_.transactions) return operations(1, 0);
    for (std::uint32_t s = scope_.sessions ? 0 : used; s <= used; ++s) {
      session_[t] = s;
      if (!sessions(t + 1, std::max(used, s + 1))) return false;
    }
    return true;
  }

  bool operations(std::uint32_t t, std::uint32_t x) {
    if (t > scope_.transactions) return finish();
    if (x == scope_.objects) return operations(t + 1, 0);
    // A set of values, as bits.
    for (std::size_t read = 0; read < std::size_t{1} << scope_.values; ++read) {
      if (scope_.repeatable_reads && (read & (read - 1)) != 0) continue;
      for (std::size_t written = 0; written <= scope_.values; ++written) {
        if (written == 1 && !scope_.duplicates) continue;  // the initial value
        if (written > 0 && read == 0 && !scope_.blind_writes) continue;
        const std::size_t before = reads_.size();
        for (std::uint32_t value = 0; value < scope_.values; ++value)
          if (read >> value & 1) reads_.push_back({t, x, value});
        if (written > 0) writes_.push_back({t, x, static_cast<std::uint32_t>(written - 1)});
        const bool go_on = operations(t, x + 1);
        reads_.resize(before);
        if (written > 0) writes_.pop_back();
        if (!go_on) return false;
      }
    }
    return true;
  }

  bool finish() {
    spec::HistoryFacts facts{scope_.transactions + 1, scope_.objects, scope_.values, reads_, {}, {}};
    std::set<std::pair<std::uint32_t, std::uint32_t>> written;
    for (std::uint32_t x = 0; x < scope_.objects; ++x) facts.writes.insert({0, x, 0});
    for (const spec::Row& write : writes_) {
      facts.writes.insert(write);
      if (!written.insert({write[1], write[2]}).second && !scope_.duplicates) return true;
    }
    for (std::uint32_t a = 1; a <= scope_.transactions; ++a) {
      const auto is_of_a = [&](const auto& op) { return op.txn == a; };
      if (std::ranges::none_of(reads_, is_of_a) &&
          std::ranges::none_of(writes_, [&](const spec::Row& row) { return row[0] == a; }))
        return true;
      for (std::uint32_t b = a + 1; b <= scope_.transactions; ++b)
        if (session_[a] == session_[b]) facts.session_order.insert({a, b});
    }
    static const spec::Specification h4 =
        *spec::library_of_text("framework f { }\nlevel L in f: acyclic so | wr", "acyclic")->find("f", "L");
    if (spec::allows_by_enumeration(h4, facts) != true) return true;
    return scope_.clocks ? clocks(facts) : visit_(facts);
  }

  struct Times {
    spec::Rows real_time, ended;
    friend auto operator<=>(const Times&, const Times&) = default;
  };

  // By trying all begins and ends at a few instants; equal ones count as overlapping.
  std::set<Times> all_times() const {
    const std::size_t n = scope_.transactions, instants = ends_ ? 2 * n : n;
    std::set<Times> all;
    std::vector<std::size_t> at(2 * n);  // begin and end of each
    while (true) {
      Times times;
      bool possible = true;
      for (std::uint32_t s = 1; s <= n; ++s) {
        possible &= at[2 * s - 2] <= at[2 * s - 1];
        for (std::uint32_t t = 1; t <= n; ++t) {
          if (at[2 * s - 1] < at[2 * t - 2]) times.real_time.insert({s, t});
          if (s != t && ends_ && at[2 * s - 1] < at[2 * t - 1]) times.ended.insert({s, t});
          possible &= s == t || !ends_ || at[2 * s - 1] != at[2 * t - 1];
        }
      }
      if (possible) all.insert(std::move(times));
      std::size_t next = 0;
      while (next < at.size() && ++at[next] == instants) at[next++] = 0;
      if (next == at.size()) return all;
    }
  }

  bool clocks(const spec::HistoryFacts& facts) {
    if (times_.empty()) times_ = all_times();
    const auto writers = possible_writers(facts);
    for (const Times& times : times_) {
      bool possible = std::ranges::includes(times.real_time, facts.session_order);
      for (std::size_t i = 0; i < facts.reads.size(); ++i)
        possible &= std::ranges::any_of(writers[i], [&](std::uint32_t writer) {
          return !times.real_time.contains({facts.reads[i].txn, writer});
        });
      if (!possible) continue;
      spec::HistoryFacts timed = facts;
      timed.clocks = true;
      timed.real_time = times.real_time;
      timed.ended = times.ended;
      if (!visit_(timed)) return false;
    }
    return true;
  }

  const synthesis::Scope scope_;
  std::function<bool(const spec::HistoryFacts&)> visit_;
  const bool ends_;
  std::set<Times> times_;
  std::vector<std::uint32_t> session_;
  std::vector<spec::HistoryFacts::Read> reads_;
  std::vector<spec::Row> writes_;
};

}  // namespace assay::test
