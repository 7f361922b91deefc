// A history as it is judged under a supposition: reads and writes of single keys, and the checker of these.
#pragma once

#include <memory>

#include "check/check.h"
#include "check/supposition.h"
#include "history/itemize.h"

namespace assay {

struct Subject {
  Subject(Supposition made_from, Items made, const CheckOptions& options)
      : supposition(std::move(made_from)), items(std::move(made)), checker(items.history, options) {}

  Supposition supposition;  // what the items were made from, and the reads that the checker learnt since
  Items items;
  Checker checker;
  bool is_answered = false;  // its proof may have been handed out, so its checker learns no more
};

Result<std::shared_ptr<Subject>> make_subject(const StatementFacts& facts, Supposition supposition,
                                              const CheckOptions& options);

// Adds reads that the execution gets wrong to the checker at work, so that it can go on from there. False:
// it cannot take them, and it takes a subject that is made with them.
bool learn(const StatementFacts& facts, Subject& subject, const Order& execution,
           const std::vector<Invisible>& reads);

}  // namespace assay
