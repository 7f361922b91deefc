#include "history/conflicts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace assay {
namespace {

bool in_one_session(const History& h) {
  for (const TxnId t : h.transactions())
    if (h.session(t) != h.session(TxnId(0))) return false;
  return true;
}

// Whether, by the clocks, each transaction ended before the next began. An unknown outcome makes the answer
// false, since its writes may appear at any later time.
bool one_after_another(const History& h, std::int64_t skew) {
  std::vector<std::pair<std::int64_t, std::int64_t>> spans;
  for (const TxnId t : h.transactions()) {
    const Instants at = h.instants(t);
    if (!at.begin || !at.end || h.outcome(t) == Outcome::Unknown) return false;
    spans.emplace_back(*at.begin, *at.end);
  }
  std::ranges::sort(spans);
  for (std::size_t i = 1; i < spans.size(); ++i) {
    std::int64_t latest = 0;
    if (__builtin_add_overflow(spans[i - 1].second, skew, &latest) || latest >= spans[i].first) return false;
  }
  return true;
}

// For each key: the first transaction that accessed it, whether others did too, and whether any wrote it.
class Accesses {
 public:
  explicit Accesses(const History& h)
      : first_(h.key_count()), shared_(h.key_count()), written_(h.key_count()) {}

  void add(TxnId t, KeyId key, bool writes) {
    const std::size_t k = key.index();
    if (first_[k].is_none()) first_[k] = t;
    else if (first_[k] != t) shared_[k] = true;
    if (writes) written_[k] = true;
  }
  bool conflict() const {
    for (std::size_t k = 0; k < first_.size(); ++k)
      if (shared_[k] && written_[k]) return true;
    return false;
  }

 private:
  std::vector<TxnId> first_;
  std::vector<bool> shared_, written_;
};

bool only_reads(OpKind kind) {
  return kind == OpKind::Read || kind == OpKind::ListRead || kind == OpKind::ReadOneOf ||
         kind == OpKind::Scan || kind == OpKind::Select;
}

// Whether two transactions access the same key and one of them writes it. A scan or a predicate may read any
// key.
bool any_conflict(const History& h) {
  Accesses accesses(h);
  std::optional<TxnId> meets_any_key, writer;
  bool several_meet = false, several_write = false;
  const auto note = [](std::optional<TxnId>& one, bool& several, TxnId t) {
    if (!one) one = t;
    else if (*one != t) several = true;
  };
  for (const TxnId t : h.transactions())
    for (const OpId op : h.operations(t)) {
      const OpKind kind = h.kind(op);
      if (!only_reads(kind)) note(writer, several_write, t);
      if (is_one_key(kind)) accesses.add(t, h.key(op), !only_reads(kind));
      else note(meets_any_key, several_meet, t);
    }
  if (meets_any_key && writer && (several_meet || several_write || *meets_any_key != *writer)) return true;
  return accesses.conflict();
}

}  // namespace

std::vector<std::string> untested_isolation(const History& history, std::int64_t skew) {
  std::vector<std::string> sentences;
  const auto add = [&](std::string_view what) {
    sentences.push_back(std::string(what) + ", so this history says nothing about isolation");
  };
  const bool any_committed = std::ranges::any_of(
      history.transactions(), [&](TxnId t) { return history.outcome(t) == Outcome::Committed; });
  if (!any_committed) add("no transaction is known to have committed");
  if (history.transaction_count() == 1) add("there is only one transaction");
  else if (in_one_session(history)) add("all transactions are in one session, one after another");
  else if (one_after_another(history, skew)) add("no two transactions ran at the same time");
  if (history.transaction_count() > 1 && !any_conflict(history))
    add("no transaction accessed a key that another one wrote");
  return sentences;
}

}  // namespace assay
