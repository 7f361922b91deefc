#include "check/subject.h"

#include <utility>

#include "history/statements.h"
#include "verdict/operation_place.h"

namespace assay {
namespace {

// Whether the transaction wrote the key before the statement, so that it read its own version.
bool wrote_before(const History& h, const Completion& completion, TxnId reader, const Invisible& read) {
  bool wrote = false;
  for (const OpId op : h.operations(reader)) {
    if (op == read.op) break;
    each_write(h, op, completion.truths, [&](KeyId key, KeyValueId) { wrote |= key == read.key; });
  }
  return wrote;
}

}  // namespace

Result<std::shared_ptr<Subject>> make_subject(const StatementFacts& facts, Supposition supposition,
                                              const CheckOptions& options) {
  auto items = itemize(facts.history, completion_of(facts, supposition));
  if (!items) return std::move(items).error();
  return std::make_shared<Subject>(std::move(supposition), std::move(items).value(), options);
}

bool learn(const StatementFacts& facts, Subject& subject, const Order& execution,
           const std::vector<Invisible>& reads) {
  if (subject.is_answered) return false;
  const Completion& completion = subject.items.completion;
  std::vector<NewRead> more;
  for (const Invisible& read : reads) {
    const TxnId reader = transaction_of(facts.history, read.op);
    if (wrote_before(facts.history, completion, reader, read)) return false;
    more.push_back({reader, read.key, possible_values(facts.history, read, completion.truths)});
  }
  if (!subject.checker.learn(execution, more)) return false;
  subject.supposition = with_reads(std::move(subject.supposition), reads);
  return true;
}

}  // namespace assay
