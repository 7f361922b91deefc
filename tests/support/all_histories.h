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
  AllHistories(const synthesis::Scope& scope, std::function<bool(const spec::HistoryFacts&)> visit)
      : scope_(scope), visit_(std::move(visit)), session_(scope.transactions + 1) {}

  // Exactly as many transactions as the scope has. Ends when `visit` says false.
  void run() { sessions(1, 0); }

 private:
  bool sessions(std::uint32_t t, std::uint32_t used) {
    if (t > scope_.transactions) return operations(1, 0);
    for (std::uint32_t s = 0; s <= used; ++s) {
      session_[t] = s;
      if (!sessions(t + 1, std::max(used, s + 1))) return false;
    }
    return true;
  }

  bool operations(std::uint32_t t, std::uint32_t x) {
    if (t > scope_.transactions) return finish();
    if (x == scope_.objects) return operations(t + 1, 0);
    for (std::size_t read = 0; read <= scope_.values; ++read)
      for (std::size_t written = 0; written <= scope_.values; ++written) {
        if (written == 1 && !scope_.duplicates) continue;  // the initial value
        if (written > 0 && read == 0 && !scope_.blind_writes) continue;
        if (read > 0) reads_.push_back({t, x, static_cast<std::uint32_t>(read - 1)});
        if (written > 0) writes_.push_back({t, x, static_cast<std::uint32_t>(written - 1)});
        const bool go_on = operations(t, x + 1);
        if (read > 0) reads_.pop_back();
        if (written > 0) writes_.pop_back();
        if (!go_on) return false;
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
    return spec::allows_by_enumeration(h4, facts) != true || visit_(facts);
  }

  const synthesis::Scope scope_;
  std::function<bool(const spec::HistoryFacts&)> visit_;
  std::vector<std::uint32_t> session_;
  std::vector<spec::HistoryFacts::Read> reads_;
  std::vector<spec::Row> writes_;
};

}  // namespace assay::test
