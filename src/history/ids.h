// The numbers everything else is written in.
#pragma once

#include "base/strong_id.h"

namespace assay {

using SessionId = Id<struct SessionTag>;
using TxnId = Id<struct TxnTag>;  // in the order of the input
using OpId = Id<struct OpTag>;    // consecutive within a transaction
using KeyId = Id<struct KeyTag>;
// A value *of one key*. Values are only ever compared under one key, so the pair is what gets a
// number, and "who wrote what this read returned" is an array look-up. The values of a
// key have consecutive numbers, or, if there are only rows, those that are first said together: so that what
// is stored by number is found together.
using KeyValueId = Id<struct KeyValueTag>;

}  // namespace assay
