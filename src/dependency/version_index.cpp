#include "dependency/version_index.h"

#include <numeric>

namespace assay {
namespace {

// Groups values by number. each(visit) must call visit(group, value) for each value, in the same order each
// time. Afterwards, the values of group g are values[begin[g] .. begin[g + 1]).
template <class Each, class Value>
void group(std::size_t groups, Each each, std::vector<std::uint32_t>& begin, std::vector<Value>& values) {
  begin.assign(groups + 1, 0);
  each([&](std::size_t group, Value) { ++begin[group + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  values.resize(begin.back());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  each([&](std::size_t group, Value value) { values[next[group]++] = value; });
}

}  // namespace

VersionIndex::VersionIndex(const ReadFacts& facts, std::size_t keys) {
  const auto versions_of_those = [&](const std::vector<bool>& chosen) {
    return [&](auto visit) {
      for (std::size_t v = 0; v < facts.writes.size(); ++v)
        if (chosen[facts.version_writer[v].index()]) visit(facts.writes[v].index(), VersionId(v));
    };
  };
  group(keys, versions_of_those(facts.counts), key_begin, versions);
  if (!facts.may_count.empty()) group(keys, versions_of_those(facts.may_count), possible_begin, possible);
  group(
      facts.writes.size() + keys,
      [&](auto visit) {
        for (std::uint32_t i = 0; i < facts.reads.size(); ++i) visit(facts.reads[i].version.index(), i);
      },
      version_begin, reads);
  readers.resize(reads.size());
  for (std::size_t i = 0; i < reads.size(); ++i) readers[i] = facts.reads[reads[i]].reader;
  index_open_reads(facts);
  if (facts.conditional.empty()) return;
  group(
      keys,
      [&](auto visit) {
        for (std::size_t i = 0; i < facts.conditional.size(); ++i)
          visit(facts.conditional[i].key.index(), facts.conditional_version(i));
      },
      conditional_begin, conditional);
}

void VersionIndex::index_open_reads(const ReadFacts& facts) {
  if (facts.open.empty()) return;
  group(
      key_begin.size() - 1,
      [&](auto visit) {
        for (const OpenRead& read : facts.open) visit(read.key.index(), facts.place(read));
      },
      open_begin, open_reads);
}

}  // namespace assay
