// Several searches of the same problem at once, each with its own settings, of which the first answer counts.
//
// The time that a hard search takes hangs on luck: a portfolio draws several times. Searches share only what
// none of them changes (history, facts, versions, known edges), and learn nothing from each other. The first
// one runs in the calling thread with the default settings, by itself for a while, so that nobody pays for
// threads who does not need them; it alone asks whether to stop. Every answer is proved, so it does not
// matter for the verdict whose is first, but evidence may differ from run to run. Cost: the memory of each
// search that was started.
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
  using NewSearch = std::function<std::unique_ptr<WriteOrder>(const SolverSettings&)>;

  // `new_search` is called in the thread of each search, also at the same time.
  Portfolio(const PortfolioOptions& options, Budget& budget, NewSearch new_search);

  // `stop` is asked of the first search now and then, and stops all; so does the budget. Every thread has
  // ended when this returns.
  Answer solve(const std::function<bool(const WriteOrder&)>& stop);

  // The search whose answer it was; the first one if there was none.
  const WriteOrder& decisive() const { return *searches_[decisive_].order; }
  // Which one that was, as "search 2 of 4, seed 1"; empty if only one was started.
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
  Budget& budget_;  // of the calling thread
  NewSearch new_search_;
  std::vector<Search> searches_;  // each is touched only by its thread while that runs
  std::atomic<std::size_t> first_answer_ = kNone;
  std::size_t decisive_ = 0;
  std::vector<std::jthread> others_;
  std::size_t started_ = 1;
};

// Of the search with this number; those of number 0 are the defaults.
SolverSettings portfolio_settings(std::size_t number);

}  // namespace assay
