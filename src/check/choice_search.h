// Searches for an execution when neither guesses nor saturation decide the level.
//
// Several searches may run in parallel (portfolio.h). One that meets many conflicts is repeated under the
// assumption that distant points keep their order (assumption.h); of those results only an execution counts.
#pragma once

#include <functional>

#include "check/known_order.h"

namespace assay {

class ChoiceSearch {
 public:
  // `guess` is the order that the search starts from. The caller keeps all three alive.
  ChoiceSearch(Judging& judging, const KnownOrder& known, const Guess& guess);

  // Polled in the first search; true stops all of them.
  using Stop = std::function<bool(const WriteOrder&)>;
  // Returns nothing if `stop` ended it.
  std::optional<Verdict> run(const Stop& stop);
  // Whether the search has met enough conflicts to try assumptions.
  static bool is_hard(const WriteOrder& search, const CheckOptions& options) {
    return search.solver().conflicts() >= options.assumption.after;
  }
  // Searches under the assumption that distant points of the guess keep their order, with growing windows.
  std::optional<Verdict> run_assuming();

  // The solver's order when run() ended, without the nodes that an assumption added.
  const std::vector<std::uint32_t>& order() const { return order_; }
  // The keys that the choices of a stopped run() are about.
  const std::vector<KeyId>& keys() const { return keys_; }

 private:
  Holds execution(const WriteOrder& search);
  Verdict violated(const WriteOrder& search) const;
  void count(const WriteOrder& search);

  Judging& j_;
  const KnownOrder& known_;
  const Guess& guess_;
  std::vector<std::uint32_t> order_;
  std::vector<KeyId> keys_;
};

}  // namespace assay
