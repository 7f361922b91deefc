// cc and psi: the view of a reader is its past.
#include <algorithm>
#include <tuple>

#include "certify/pasts.h"

namespace assay {
namespace {

class PastReads {
 public:
  explicit PastReads(const WeakOrder& order)
      : h_(order.history), at_(order.at), reads_(order.reads), source_(order.source), pasts_(order) {}

  Result<void> check(const Order& order) {
    sort_versions();
    return pasts_.follow(order, [&](TxnId t) -> Result<void> {
      for (const OpId op : h_.operations(t))
        if (reads_.kind(op) == Reads::Kind::External) ASSAY_TRY(check(op));
      return {};
    });
  }

 private:
  struct Version {
    KeyId key;
    std::size_t chain;
    std::uint32_t place;
    TxnId writer;
    auto rank() const { return std::tuple(key, chain, place); }
  };

  void sort_versions() {
    for (const TxnId t : h_.transactions()) {
      if (!at_.contain(t)) continue;
      for (const KeyId key : reads_.keys_written(t))
        versions_.push_back({key, pasts_.chain(t), pasts_.place(t), t});
    }
    std::ranges::sort(versions_, {}, &Version::rank);
    of_key_.assign(h_.key_count() + 1, 0);
    for (const Version& v : versions_) ++of_key_[v.key.index() + 1];
    for (std::size_t i = 1; i < of_key_.size(); ++i) of_key_[i] += of_key_[i - 1];
  }

  // In each chain, the last writer of the key in the reader's past is also the newest one in the order.
  Result<void> check(OpId op) {
    const KeyId key = h_.key(op);
    const std::uint32_t* past = pasts_.clock(reads_.transaction(op));
    const auto end = versions_.begin() + static_cast<std::ptrdiff_t>(of_key_[key.index() + 1]);
    auto first = versions_.begin() + static_cast<std::ptrdiff_t>(of_key_[key.index()]);
    while (first != end) {
      const std::size_t chain = first->chain;
      const auto up_to = [&](std::uint32_t place) {
        return std::ranges::upper_bound(first, end, std::tuple(key, chain, place), {}, &Version::rank);
      };
      const auto later = up_to(past[chain]);
      if (later != first && at_.of(std::prev(later)->writer) > at_.of(source_[op.index()]))
        return newer_in_view(h_, op, std::prev(later)->writer);
      first = up_to(UINT32_MAX);
    }
    return {};
  }

  const History& h_;
  const Positions& at_;
  const Reads& reads_;
  const std::vector<TxnId>& source_;
  Pasts pasts_;
  std::vector<Version> versions_;    // sorted by key, then chain, then index in the chain
  std::vector<std::size_t> of_key_;  // by key: where its versions begin in versions_
};

}  // namespace

Result<void> certify_pasts(const WeakOrder& order) { return PastReads(order).check(order.order); }

}  // namespace assay
