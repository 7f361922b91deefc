#include "check/statement_facts.h"

#include "history/statements.h"
#include "history/truths.h"

namespace assay {

Result<StatementFacts> statement_facts(const History& history) {
  ASSAY_TRY(check_predicates(history));
  StatementFacts facts{history, truths_of(history), {}};
  facts.separate = separate_rows(history, facts.outcomes);
  return facts;
}

}  // namespace assay
