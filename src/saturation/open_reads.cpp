#include "saturation/open_reads.h"

#include <algorithm>
#include <utility>

namespace assay {

using Decided = KnownGraph::Decided;

OpenReadRules::OpenReadRules(RuleState& state) : s_(state) {
  s_.known.decided.assign(s_.facts.conditional.size(), Decided::Open);
  if (s_.facts.open.empty()) return;
  s_.known.excluded.resize(s_.facts.candidates.size());
  first_settled_.assign(s_.facts.writes.size() + s_.history.key_count(), kNone);
  next_settled_.resize(s_.facts.open.size());
  s_.known.settled.assign(s_.facts.open.size(), KnownGraph::kOpen);
}

bool OpenReadRules::look_at(std::uint32_t place) {
  const OpenRead& read = s_.facts.open[place];
  if (!s_.facts.counts[read.reader.index()]) return true;
  const std::uint32_t left = exclude_writers(place);
  if (left != 1) return left > 0;
  std::uint32_t candidate = read.first;
  while (s_.known.is_excluded(candidate)) ++candidate;
  const VersionId version = s_.facts.candidates[candidate];
  const TxnId writer = s_.facts.writer(version);
  // The search decides whether this version exists at all.
  if (s_.facts.is_conditional(version)) return true;
  if (!writer.is_none() && !s_.facts.counts[writer.index()]) return true;
  if (s_.known.settled[place] == KnownGraph::kOpen) settle(place, candidate);
  if (writer.is_none()) return true;
  s_.find_seen(read.key, writer, read.reader);
  s_.put_found_before(writer, [&] { return read.op; });
  return true;
}

// Excludes candidates, and returns how many are left.
std::uint32_t OpenReadRules::exclude_writers(std::uint32_t place) {
  const OpenRead& read = s_.facts.open[place];
  s_.find_seen(read.key, TxnId::none(), read.reader);
  std::uint32_t left = 0;
  for (std::uint32_t i = read.first; i < read.last; ++i) {
    if (s_.known.is_excluded(i)) continue;
    const TxnId writer = s_.facts.writer(s_.facts.candidates[i]);
    const auto lies_between = [&](const RuleState::Writer& seen) {
      return writer.is_none() || (seen.txn != writer && s_.commits_before(writer, seen.txn));
    };
    const auto between = std::ranges::find_if(s_.found, lies_between);
    if (between != s_.found.end()) s_.known.excluded[i] = {s_.clocks.edges_taken(), between->txn};
    else if (!writer.is_none() &&
             s_.clocks.reaches(s_.points.snapshot(read.reader), s_.points.commit(writer)))
      s_.known.excluded[i] = {s_.clocks.edges_taken(), TxnId::none()};
    else ++left;
  }
  return left;
}

void OpenReadRules::settle(std::uint32_t place, std::uint32_t candidate) {
  const OpenRead& read = s_.facts.open[place];
  const VersionId version = s_.facts.candidates[candidate];
  s_.known.settled[place] = candidate;
  next_settled_[place] = std::exchange(first_settled_[version.index()], place);
  const TxnId writer = s_.facts.writer(version);
  if (!writer.is_none())
    s_.imply(s_.points.commit(writer), s_.points.snapshot(read.reader), [&] {
      return EdgeCause{Rule::Reads, read.op};
    });
  if (s_.rules.total) put_before_overwriting(read, writer);
}

// Puts the reader before the writers that are known to have overwritten its version.
void OpenReadRules::put_before_overwriting(const OpenRead& read, TxnId writer) {
  TxnId first;  // the last one with an edge; writers that it reaches need none
  for (const VersionId other : s_.versions.of(read.key)) {
    const TxnId later = s_.facts.writer(other);
    if (later == writer || (!writer.is_none() && !s_.commits_before(writer, later))) continue;
    if (!first.is_none() && s_.commits_before(first, later)) continue;
    s_.put_reader_before(read.reader, later, [&] { return read.op; });
    first = later;
  }
}

void OpenReadRules::move(const MovedReads& moved) {
  std::vector<Exclusion> excluded(s_.facts.candidates.size());
  for (std::size_t i = 0; i < s_.known.excluded.size(); ++i)
    if (moved.candidates[i] != MovedReads::kGone) excluded[moved.candidates[i]] = s_.known.excluded[i];
  std::vector<std::uint32_t> settled(s_.facts.open.size(), KnownGraph::kOpen);
  for (std::size_t i = 0; i < s_.known.settled.size(); ++i)
    if (s_.known.settled[i] != KnownGraph::kOpen)
      settled[moved.open[i]] = moved.candidates[s_.known.settled[i]];
  s_.known.excluded = std::move(excluded);
  s_.known.settled = std::move(settled);
  first_settled_.assign(s_.facts.writes.size() + s_.history.key_count(), kNone);
  next_settled_.assign(s_.facts.open.size(), kNone);
  for (std::uint32_t i = 0; i < s_.known.settled.size(); ++i)
    if (const std::uint32_t candidate = s_.known.settled[i]; candidate != KnownGraph::kOpen)
      next_settled_[i] = std::exchange(first_settled_[s_.facts.candidates[candidate].index()], i);
}

std::vector<VersionId> OpenReadRules::possible_versions(KeyId key, TxnId reader) {
  s_.find_seen(key, TxnId::none(), reader);
  std::vector<VersionId> possible;
  if (s_.found.empty()) possible.push_back(s_.facts.initial_version(key));
  const auto writers = s_.writers.of(key);
  for (auto begin = writers.begin(); begin != writers.end();) {
    const std::uint32_t chain = begin->chain;
    const auto end = std::partition_point(begin, writers.end(),
                                          [&](const ChainWriters::Writer& w) { return w.chain == chain; });
    std::uint32_t settled = 0;  // writers before this position precede one that reaches the reader
    for (const RuleState::Writer& seen : s_.found)
      settled = std::max(settled, s_.commits(s_.clocks.row(s_.points.commit(seen.txn))[chain]));
    begin =
        std::partition_point(begin, end, [&](const ChainWriters::Writer& w) { return w.position < settled; });
    for (; begin != end &&
           !s_.clocks.reaches(s_.points.snapshot(reader), s_.points.commit(s_.writers.txn(*begin)));
         ++begin)
      if (s_.writers.txn(*begin) != reader) possible.push_back(begin->version);
    begin = end;
  }
  return possible;
}

void OpenReadRules::decide_conditional_writes() {
  std::vector<const ConditionalWrite*> in_order;
  for (const ConditionalWrite& write : s_.facts.conditional) in_order.push_back(&write);
  std::ranges::stable_sort(in_order, {}, [&](const ConditionalWrite* write) {
    return s_.clocks.place(s_.points.snapshot(write->writer));
  });
  for (const ConditionalWrite* write : in_order) decide(*write);
}

void OpenReadRules::decide(const ConditionalWrite& write) {
  Decided& decided = s_.known.decided[s_.facts.place(write)];
  if (decided != Decided::Open) return;
  const OpenRead& read = s_.facts.open[write.read];
  bool some_match = false, some_do_not = false;
  for (std::uint32_t i = read.first; i < read.last; ++i) {
    if (s_.known.is_excluded(i)) continue;
    const VersionId met = s_.facts.candidates[i];
    if (s_.facts.is_conditional(met) && s_.known.decided[s_.facts.conditional_place(met)] == Decided::Left)
      continue;
    (s_.facts.takes_place(s_.history, write, met) ? some_match : some_do_not) = true;
    if (some_match && some_do_not) return;
  }
  if (some_match != some_do_not) decided = some_match ? Decided::Took : Decided::Left;
}

}  // namespace assay
