#include "history/value_numbers.h"

#include "base/hash.h"

namespace assay {

void ValueNumbers::lengthen(Chain& chain) {
  const auto block = static_cast<std::uint32_t>(next_.size());
  if (chain.first == kNone) chain.first = block;
  else next_[chain.last] = block;
  next_.push_back(kNone);
  mentions_.append_for_overwrite(kBlock);
  chain.last = block;
  chain.used = 0;
}

template <class Visit>
void ValueNumbers::for_each(const Chain& chain, Visit visit) {
  for (std::uint32_t block = chain.first; block != kNone; block = next_[block]) {
    Mention* begin = &mentions_[block * kBlock];
    Mention* end = begin + (block == chain.last ? chain.used : kBlock);
    for (Mention* m = begin; m != end; ++m) visit(*m);
  }
}

// A counting sort. Each count is stored one index further, so that it becomes the index of its key's next
// mention.
void ValueNumbers::sort(const Chain& chain, Sorted& into) {
  into.end.fill(0);
  for_each(chain, [&](Mention& m) { ++into.end[m.key + 1]; });
  for (std::size_t key = 0; key < kKeys; ++key) into.end[key + 1] += into.end[key];
  into.mentions.resize(into.end[kKeys]);
  for_each(chain, [&](Mention& m) { into.mentions[into.end[m.key]++] = &m; });
}

Column<KeyValue> ValueNumbers::number(std::span<std::uint32_t> places) && {
  Column<KeyValue> values;
  Sorted sorted;
  FlatIndex of_this_key;
  for (std::size_t group = 0; group < chains_.size(); ++group) {
    sort(chains_[group], sorted);
    for (std::size_t key = 0, at = 0; key < kKeys; ++key) {
      of_this_key.clear(sorted.end[key] - at);
      for (; at < sorted.end[key]; ++at) {
        Mention& m = *sorted.mentions[at];
        const KeyValue value{m.bits, KeyId(group * kKeys + key), m.kind};
        const auto next = static_cast<std::uint32_t>(values.size());
        m.bits = of_this_key.find_or_insert(mix(m.bits, static_cast<std::uint64_t>(m.kind)), next,
                                            [&](std::uint32_t other) { return values[other] == value; });
        if (m.bits == next) values.emplace_back(value.bits, value.key, value.kind);
      }
    }
    for_each(chains_[group], [&](Mention& m) { places[m.place] = static_cast<std::uint32_t>(m.bits); });
  }
  values.shrink_to_fit();
  return values;
}

}  // namespace assay
