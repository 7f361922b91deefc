// Prints operations and values in the `.hist` language: for error messages, explanations, tests and the
// `.hist` writer.
#pragma once

#include <string>

#include "history/history.h"

namespace assay {

// r(x,1)  append(l,3)  scan(1,9,[2=5 4=7])  select(value < 7 and not (key = 3),[...])  ...
std::string describe(const History& history, OpId op);
void describe(const History& history, OpId op, std::string& out);

// value < 7 and not (key = 3)
std::string describe(const History& history, Predicate predicate);

// A value, key or name: a bare word where that is unambiguous, otherwise a "string".
std::string spell(const ScalarPool& pool, Scalar scalar);

}  // namespace assay
