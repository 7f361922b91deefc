#include "certify/shown_lists.h"

#include <algorithm>

namespace assay {

void ShownLists::look_at(OpId read) {
  if (looked_at_ == read) return;
  looked_at_ = read;
  std::uint32_t place = 0;
  for (const KeyValueId element : h_.rows(read)) {
    Shown& shown = shown_[element.index()];
    ++place;
    if (shown.by != read) shown = {read, place, place};
    shown.last = place;
  }
}

ShownLists::Places ShownLists::places(OpId read, TxnId t) {
  look_at(read);
  Places places;
  for (const OpId op : h_.operations(t)) {
    if (h_.kind(op) != OpKind::Append || h_.key(op) != h_.key(read)) continue;
    const Shown& shown = shown_[h_.value(op).index()];
    if (shown.by != read) {
      places.hides_some = true;
    } else if (reads_.only_appender(h_.value(op)) == t) {
      places.first = places.first == 0 ? shown.first : std::min(places.first, shown.first);
      places.last = std::max(places.last, shown.last);
    }
  }
  return places;
}

}  // namespace assay
