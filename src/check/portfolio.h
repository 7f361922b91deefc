// Runs several searches of the same problem in parallel, with different settings. The first answer counts.
//
// The time of a hard search depends on luck, and a portfolio tries its luck several times. Searches share
// only what none of them changes (history, facts, versions, known edges), and no learned clauses. The first
// one runs in the calling thread with the default settings. It runs alone for a while, so that easy problems
// cost no threads, and it alone polls `stop`. Every answer has evidence, so it does not matter for the
// verdict which search is first, but the evidence may differ from run to run. Cost: the memory of each search
// that was started.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/budget.h"
#include "encoding/write_order.h"

namespace assay {

struct PortfolioOptions {
  std::size_t searches = 1;
  std::chrono::duration<double> alone{1};  // how long the first one runs by itself
};

class Portfolio {
 public:
  using NewSearch = std::function<std::unique_ptr<WriteOrder>(const SolverSettings&, const Abandoned&)>;

  // Each search calls `new_search` in its own thread, several perhaps at the same time. If that can take
  // long, it must poll its second argument, and return early when that says so.
  Portfolio(const PortfolioOptions& options, Budget& budget, NewSearch new_search);

  // The first search polls `stop`, which ends all of them; so does the budget. All threads have ended when
  // this returns.
  Answer solve(const std::function<bool(const WriteOrder&)>& stop);

  // The search that answered; the first one if none did.
  const WriteOrder& decisive() const { return *searches_[decisive_].order; }
  // Its name, as "search 2 of 4, seed 1"; empty if only one was started.
  std::string decisive_name() const;

 private:
  struct Search {
    std::unique_ptr<WriteOrder> order{};
    Answer answer = Answer::Stopped;
  };
  static constexpr std::size_t kNone = SIZE_MAX;

  void start_others();
  void join_in(std::size_t number, const std::stop_token& stop);
  void run(std::size_t number, const std::function<bool()>& stop, const Abandoned& abandoned);
  bool is_over() const { return first_answer_.load(std::memory_order_relaxed) != kNone; }

  PortfolioOptions options_;
  Budget& budget_;  // only the calling thread may use it
  NewSearch new_search_;
  std::vector<Search> searches_;  // while a thread runs, only it may access its search
  std::atomic<std::size_t> first_answer_ = kNone;
  std::size_t decisive_ = 0;
  std::vector<std::jthread> others_;
  std::size_t started_ = 1;
};

// The settings of the search with this number; number 0 has the defaults.
SolverSettings portfolio_settings(std::size_t number);

}  // namespace assay
