// The fast path for rows of the native format in the form that our own writer produces. They are most of the
// text of histories with predicates, since one statement lists hundreds of rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "history/builder.h"

namespace assay {

// A column of the previous row. Rows repeat the same columns, so a name is looked up only if it differs from
// this one.
struct PlainColumn {
  std::string name;
  Scalar scalar;
};

// Fills `into` from `[[k,v],...]`, whose values are integers, strings, or rows of these. Returns false if the
// text does not have that form. ByteSource::kPadding bytes after the text must be readable.
bool read_plain_rows(std::string_view text, HistoryBuilder& builder, std::vector<PlainColumn>& columns,
                     std::vector<KeyAndValue>& into);

}  // namespace assay
