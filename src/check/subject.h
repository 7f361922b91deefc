// The form in which a history is judged under a supposition: reads and writes of single keys, and a checker
// of these.
#pragma once

#include <memory>

#include "check/check.h"
#include "check/supposition.h"
#include "history/itemize.h"

namespace assay {

struct Subject {
  Subject(Supposition made_from, Items made, const CheckOptions& options)
      : supposition(std::move(made_from)), items(std::move(made)), checker(items.history, options) {}

  Supposition supposition;  // the items are made from it; it includes the reads added since
  Items items;
  Checker checker;
  bool is_answered = false;  // a proof may refer to its checker, so no more reads may be added
};

Result<std::shared_ptr<Subject>> make_subject(const StatementFacts& facts, Supposition supposition,
                                              const CheckOptions& options);

// Adds reads that the execution contradicts to the checker, which can then continue its search. Returns false
// if the checker cannot take them; then the caller makes a new subject with them.
bool learn(const StatementFacts& facts, Subject& subject, const Order& execution,
           const std::vector<Invisible>& reads);

}  // namespace assay
