#include "certify/pasts.h"

#include "certify/certify.h"

#include <algorithm>

namespace assay {
namespace {

// A check with larger clocks is refused: these take 4 GiB.
constexpr std::size_t kMostClockEntries = std::size_t{1} << 30;

}  // namespace

Pasts::Pasts(const WeakOrder& order)
    : h_(order.history),
      writers_are_ordered_(orders_writers_only(order.level)),
      at_(order.at),
      reads_(order.reads),
      source_(order.source),
      before_(h_.transaction_count()),
      chain_(h_.transaction_count()),
      last_writer_(h_.key_count()),
      chains_(h_.session_count()) {
  for (const SessionId session : h_.sessions()) {
    TxnId last;
    for (const TxnId t : h_.transactions(session)) {
      before_[t.index()] = last;
      const bool known = h_.outcome(t) != Outcome::Unknown;
      chain_[t.index()] = known || !at_.contain(t) ? session.index() : chains_++;
      if (h_.outcome(t) == Outcome::Committed) last = t;
    }
  }
}

Result<void> Pasts::begin(std::size_t transactions) {
  if (chains_ > 0 && transactions > kMostClockEntries / chains_)
    return unchecked("the history has too many sessions to follow the past of each transaction");
  clocks_.assign((transactions + 1) * chains_, 0);
  return {};
}

// Computes the past of t from its direct predecessors, which come before it in the order.
void Pasts::collect(TxnId t) {
  join(before_[t.index()], t);
  for (const OpId op : h_.operations(t))
    if (reads_.kind(op) == Reads::Kind::External) join(source_[op.index()], t);
  if (writers_are_ordered_)
    for (const KeyId key : reads_.keys_written(t)) join(last_writer_[key.index()], t);
}

void Pasts::join(TxnId from, TxnId into) {
  if (from.is_none()) return;
  const std::uint32_t* source = clock(from);
  std::uint32_t* target = clocks_.data() + at_.of(into) * chains_;
  if (target[chain(from)] >= place(from)) return;
  for (std::size_t i = 0; i < chains_; ++i) target[i] = std::max(target[i], source[i]);
  target[chain(from)] = std::max(target[chain(from)], place(from));
}

}  // namespace assay
