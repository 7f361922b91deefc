// The fast way through rows of the native format that are spelled as our own writer spells them: most of the
// text of histories with predicates, since one statement lists hundreds of rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "history/builder.h"

namespace assay {

// Rows name the same columns again and again: each is looked up only where it differs from that of the row
// before.
struct PlainColumn {
  std::string name;
  Scalar scalar;
};

// Fills `into` from `[[k,v],...]`, where values are integers, strings, or rows of these. False: not plain.
// ByteSource::kPadding bytes behind the text must be readable.
bool read_plain_rows(std::string_view text, HistoryBuilder& builder, std::vector<PlainColumn>& columns,
                     std::vector<KeyAndValue>& into);

}  // namespace assay
