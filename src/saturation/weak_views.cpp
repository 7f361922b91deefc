#include "saturation/weak_views.h"

#include <algorithm>

#include "graph/clocks.h"

namespace assay {
namespace {

constexpr std::size_t kBytesOfClocks = std::size_t{64} << 20, kFewestChains = 16;
constexpr std::size_t kReadsBetweenLooks = 1024;

// The cover by these chains only, numbered from 0.
ChainCover part_of(const ChainCover& cover, ChainRange chains) {
  if (chains.count() == cover.chain_count()) return cover;
  ChainCover part = cover;
  for (std::uint32_t& chain : part.chain)
    chain = chain >= chains.first && chain < chains.beyond ? chain - chains.first : ChainCover::kNone;
  part.length.assign(cover.length.begin() + chains.first, cover.length.begin() + chains.beyond);
  return part;
}

}  // namespace

void WeakViews::overrule() {
  switch (view_) {
    case View::EarlierReads: overrule_by_reads(); break;
    case View::Neighbours:
      overrule_by_reads();
      if (sessions_) overrule_by_session();
      break;
    case View::Past: overrule_by_causes(); break;
    case View::None:
    case View::Order: break;
  }
}

// --- Views made of reads and of sessions ---

void WeakViews::overrule_by_reads() {
  first_of_key_.assign(h_.key_count(), kNone);
  for (const TxnId t : h_.transactions())
    if (!facts_.of(t).empty()) overrule_by_reads(facts_.of(t));
}

void WeakViews::overrule_by_reads(std::span<const ReadFact> reads) {
  next_of_key_.assign(reads.size(), kNone);  // the reads of each key, as linked lists
  for (std::uint32_t i = 0; i < reads.size(); ++i) {
    next_of_key_[i] = first_of_key_[reads[i].key.index()];
    first_of_key_[reads[i].key.index()] = i;
  }
  seen_writers_.clear();
  for (std::uint32_t i = 0; i < reads.size(); ++i)
    if (!reads[i].writer.is_none()) seen_writers_.push_back({reads[i].writer, i});
  std::ranges::stable_sort(seen_writers_, {}, &Seen::writer);
  for (std::size_t i = 0; i < seen_writers_.size(); ++i)
    if (i == 0 || seen_writers_[i].writer != seen_writers_[i - 1].writer)
      overrule_by_writer(reads, seen_writers_[i]);
  for (const ReadFact& read : reads) first_of_key_[read.key.index()] = kNone;
}

// Finds the keys that the writer wrote and the reader read, going through the shorter list. At rc, only reads
// later than the first one from this writer have it in their view.
void WeakViews::overrule_by_writer(std::span<const ReadFact> reads, Seen seen) {
  const bool only_later = view_ == View::EarlierReads;
  const auto written = facts_.written_by(seen.writer);
  if (written.size() <= reads.size()) {
    for (const KeyId key : written)
      for (std::uint32_t i = first_of_key_[key.index()]; i != kNone; i = next_of_key_[i])
        if (!only_later || is_later(reads[i], reads[seen.first])) order_.overrule(seen.writer, reads[i]);
  } else {
    for (std::uint32_t i = only_later ? seen.first + 1 : 0; i < reads.size(); ++i)
      if (facts_.writes_key(seen.writer, reads[i].key) &&
          (!only_later || is_later(reads[i], reads[seen.first])))
        order_.overrule(seen.writer, reads[i]);
  }
}

// A statement makes all its reads at once, so none of them is later than another.
bool WeakViews::is_later(const ReadFact& read, const ReadFact& than) const {
  return h_.statement(read.op) > h_.statement(than.op);
}

void WeakViews::overrule_by_session() {
  std::vector<TxnId> last_writer(h_.key_count());
  for (const SessionId s : h_.sessions()) {
    for (const TxnId t : h_.transactions(s)) {
      if (!facts_.counts[t.index()]) continue;
      for (const ReadFact& read : facts_.of(t))
        if (const TxnId seen = last_writer[read.key.index()]; !seen.is_none()) order_.overrule(seen, read);
      if (h_.outcome(t) == Outcome::Committed)
        for (const KeyId key : facts_.written_by(t)) last_writer[key.index()] = t;
    }
    for (const TxnId t : h_.transactions(s))
      for (const KeyId key : facts_.written_by(t)) last_writer[key.index()] = TxnId::none();
  }
}

// --- Views made of the reader's past ---

// Adds edges only from transactions in the view that are not known to precede the writer anyway. Builds
// clocks for some chains at a time, so that they need little memory however many chains there are.
void WeakViews::overrule_by_causes() {
  const ChainCover cover = cut(transaction_chains(h_, facts_, sessions_).cover, Clocks::kLongestChain);
  const ChainWriters writers(facts_, cover, h_.key_count());
  const auto chains = static_cast<std::uint32_t>(cover.chain_count());
  const auto at_a_time = static_cast<std::uint32_t>(
      std::max(kFewestChains, kBytesOfClocks / (sizeof(Clocks::Reach) * (h_.transaction_count() + 1))));
  for (std::uint32_t first = 0; first < chains && !budget_.is_spent();
       first += std::min(at_a_time, chains - first))
    overrule_by_causes(cover, writers, {first, first + std::min(at_a_time, chains - first)});
}

void WeakViews::overrule_by_causes(const ChainCover& cover, const ChainWriters& writers, ChainRange chains) {
  Clocks clocks(part_of(cover, chains));
  clocks.take(std::span(order_.edges).first(order_.known), budget_);  // acyclic: the caller has checked
  if (budget_.is_spent()) return;
  const std::vector<Clocks::Reach> nothing(chains.count());
  std::size_t looked_at = 0;
  for (const ReadFact& read : facts_.reads) {
    if (++looked_at % kReadsBetweenLooks == 0 && budget_.is_spent()) return;
    const Clocks::Reach* view = clocks.row(read.reader.value);
    const Clocks::Reach* settled = read.writer.is_none() ? nothing.data() : clocks.row(read.writer.value);
    writers.last_between(
        read.key, chains, [&](std::uint32_t chain) { return settled[chain - chains.first]; },
        [&](std::uint32_t chain) { return view[chain - chains.first]; }, read.writer,
        [&](const ChainWriters::Writer& seen) { order_.overrule(writers.txn(seen), read); });
  }
}

}  // namespace assay
