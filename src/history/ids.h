// The ids of sessions, transactions, operations, keys and values.
#pragma once

#include "base/strong_id.h"

namespace assay {

using SessionId = Id<struct SessionTag>;
using TxnId = Id<struct TxnTag>;  // in the order of the input
using OpId = Id<struct OpTag>;    // consecutive within a transaction
using KeyId = Id<struct KeyTag>;
// A value of one key. Only values of the same key are ever compared, so the pair gets the number, and "who
// wrote what this read returned" is an array look-up. The values of a key have consecutive numbers; if a
// history has only rows, values that first occur together do. So data stored by number lies together in
// memory.
using KeyValueId = Id<struct KeyValueTag>;

}  // namespace assay
