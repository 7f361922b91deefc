#include "saturation/changed_keys.h"

namespace assay {
namespace {

// More than this many points for each key, newly reaching another point, are many.
constexpr std::uint32_t kManyNews = 4;

}  // namespace

bool ChangedKeys::name(KeyId key) {
  if (named_[key.index()]) return false;
  named_[key.index()] = true;
  return true;
}

bool ChangedKeys::find(std::uint32_t node) {
  mark_ += 2;
  const std::uint32_t keys = mark_all(node);
  if (keys == 0) return false;
  wanted_ = mark_;
  if (has_many_news(node, keys)) return true;
  wanted_ = mark_ + 1;
  mark_news(node);
  return true;
}

// Marks the named keys of the point and returns their number.
std::uint32_t ChangedKeys::mark_all(std::uint32_t node) {
  const TxnId t = s_.points.txn(node);
  std::uint32_t keys = 0;
  const auto mark = [&](KeyId key) {
    if (!named_[key.index()]) return;
    marks_[key.index()] = mark_;
    ++keys;
  };
  if (node == s_.points.snapshot(t)) {
    for (const ReadFact& read : s_.facts.of(t)) mark(read.key);
    if (!s_.facts.open.empty())
      for (const OpenRead& read : s_.facts.open_of(t)) mark(read.key);
  }
  if (node == s_.points.commit(t))
    for (const KeyId key : s_.facts.written_by(t)) mark(key);
  return keys;
}

bool ChangedKeys::has_many_news(std::uint32_t node, std::uint32_t keys) const {
  const Clocks::Reach* now = s_.clocks.row(node);
  const Clocks::Reach* before = s_.clocks.row_before(node);
  if (before == nullptr) return true;  // it is not known how many
  std::uint32_t news = 0;
  for (std::size_t chain = 0; chain < s_.txn_chains; ++chain) news += now[chain] - before[chain];
  return news > kManyNews * keys;
}

// Gives the next mark to the marked keys that have a writer which newly reaches the point.
void ChangedKeys::mark_news(std::uint32_t node) {
  const bool by_snapshot = s_.rules.exclusive && s_.points.is_commit(node);
  const auto reached = [&](std::uint32_t count) {
    return by_snapshot ? s_.snapshots(count) : s_.commits(count);
  };
  const Clocks::Reach* now = s_.clocks.row(node);
  const Clocks::Reach* before = s_.clocks.row_before(node);
  for (std::uint32_t chain = 0; chain < s_.txn_chains; ++chain) {
    if (now[chain] == before[chain]) continue;
    for (std::uint32_t i = reached(before[chain]); i < reached(now[chain]); ++i)
      for (const KeyId key : s_.facts.written_by(s_.writers.at(chain, i)))
        if (marks_[key.index()] == mark_) marks_[key.index()] = mark_ + 1;
  }
}

}  // namespace assay
