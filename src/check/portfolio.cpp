#include "check/portfolio.h"

#include <fmt/format.h>

#include <new>
#include <system_error>

#include "base/contract.h"

namespace assay {

SolverSettings portfolio_settings(std::size_t number) {
  if (number == 0) return {};
  // Frequent restarts help when there is an execution to be found by luck, rare ones when everything must be
  // refuted (docs/performance.md).
  constexpr std::uint64_t kRestartBases[] = {1024, 16, 256};
  return {.seed = number,
          .random_decisions = 0.01 * static_cast<double>(1 + number % 4),
          .contrary = number % 2 == 1,
          .restart_base = kRestartBases[(number - 1) % 3]};
}

Portfolio::Portfolio(const PortfolioOptions& options, Budget& budget, NewSearch new_search)
    : options_(options), budget_(budget), new_search_(std::move(new_search)), searches_(options.searches) {
  ASSAY_REQUIRE(options.searches > 0);
}

Answer Portfolio::solve(const std::function<bool(const WriteOrder&)>& stop) {
  const auto begin = std::chrono::steady_clock::now();
  bool alone = searches_.size() > 1;
  const auto abandoned = [&] { return is_over() || budget_.is_spent(); };
  searches_[0].order = new_search_(portfolio_settings(0), abandoned);
  const auto stop_first = [&] {
    if (alone && std::chrono::steady_clock::now() - begin >= options_.alone) {
      alone = false;
      start_others();
    }
    return stop(*searches_[0].order);
  };
  run(0, stop_first, abandoned);
  for (std::jthread& other : others_) other.request_stop();
  others_.clear();
  if (!is_over()) return Answer::Stopped;
  decisive_ = first_answer_;
  return searches_[decisive_].answer;
}

void Portfolio::start_others() {
  try {
    for (; started_ < searches_.size(); ++started_)
      others_.emplace_back([this, number = started_](const std::stop_token& stop) { join_in(number, stop); });
  } catch (const std::system_error&) {
    // The system has no more threads, so fewer searches run.
  }
}

void Portfolio::join_in(std::size_t number, const std::stop_token& stop) {
  try {
    const auto abandoned = [&] { return is_over() || stop.stop_requested(); };
    searches_[number].order = new_search_(portfolio_settings(number), abandoned);
    run(number, abandoned, abandoned);
  } catch (const std::bad_alloc&) {
    searches_[number] = {};  // frees memory for the others
  }
}

void Portfolio::run(std::size_t number, const std::function<bool()>& stop, const Abandoned& abandoned) {
  Search& search = searches_[number];
  search.answer = search.order->solve(stop, abandoned);
  std::size_t none = kNone;
  if (search.answer != Answer::Stopped) first_answer_.compare_exchange_strong(none, number);
}

std::string Portfolio::decisive_name() const {
  if (started_ == 1) return "";
  return fmt::format("search {} of {}, seed {}", decisive_ + 1, started_, portfolio_settings(decisive_).seed);
}

}  // namespace assay
