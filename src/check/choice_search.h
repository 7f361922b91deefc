// The search for what neither guesses nor saturation decide.
//
// Several searches may run at once (portfolio.h), and one that meets many conflicts is tried with more facts
// than there are (assumption.h). Only what explains the history counts then.
#pragma once

#include <functional>

#include "check/known_order.h"

namespace assay {

class ChoiceSearch {
 public:
  // `guess` is where it begins. All of them must outlive it.
  ChoiceSearch(Judging& judging, const KnownOrder& known, const Guess& guess);

  // Asked of the first search now and then: whether to stop all.
  using Stop = std::function<bool(const WriteOrder&)>;
  // Nothing: it was stopped before it knew the answer.
  std::optional<Verdict> run(const Stop& stop);
  // Whether it has met so many conflicts that assumptions are worth a try.
  static bool is_hard(const WriteOrder& search, const CheckOptions& options) {
    return search.solver().conflicts() >= options.assumption.after;
  }
  // Searches where points that are far apart in the guess keep their order.
  std::optional<Verdict> run_assuming();

  // The order at hand when it ended, without nodes that an assumption added.
  const std::vector<std::uint32_t>& order() const { return order_; }
  // The keys that its choices were about.
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
