// The elements of each transaction that a list read shows. Consecutive queries about one read share one pass
// over it.
#pragma once

#include <vector>

#include "certify/reads.h"

namespace assay {

class ShownLists {
 public:
  ShownLists(const History& history, const Reads& reads)
      : h_(history), reads_(reads), shown_(history.key_value_count()) {}

  struct Places {
    std::uint32_t first = 0,
                  last = 0;   // positions, from 1, of elements that only this transaction appended; 0: none
    bool hides_some = false;  // the transaction appended elements that the list does not show
  };
  Places places(OpId read, TxnId t);

 private:
  struct Shown {
    OpId by;
    std::uint32_t first, last;
  };
  void look_at(OpId read);

  const History& h_;
  const Reads& reads_;
  std::vector<Shown> shown_;  // by element
  OpId looked_at_;
};

}  // namespace assay
