// The levels without one store to replay: rc, ra, cc, psi. The order says from which version each read is;
// then no reader may have a newer version of the key in its view, which is another file for each kind of
// view.
#include <fmt/format.h>

#include <algorithm>

#include "verdict/certify_order.h"

namespace assay {
namespace {

// The writer of each external read; none() is the initial transaction.
class Sources {
 public:
  explicit Sources(WeakOrder& order)
      : h_(order.history),
        at_(order.at),
        reads_(order.reads),
        list_(h_.key_count()),
        versions_(h_.key_count()) {
    order.source.resize(h_.operation_count());
  }

  Result<void> find(WeakOrder& order) {
    for (const Point& p : order.order) {
      for (const OpId op : h_.operations(p.txn)) {
        if (reads_.kind(op) != Reads::Kind::External) continue;
        auto source = h_.kind(op) == OpKind::ListRead ? of_list(op) : of_register(op);
        if (!source) return std::move(source).error();
        order.source[op.index()] = *source;
      }
      for (const OpId op : h_.operations(p.txn)) {
        if (h_.kind(op) != OpKind::Append) continue;
        auto& list = list_[h_.key(op).index()];
        list.push_back(h_.value(op));
        if (reads_.is_final(op)) versions_[h_.key(op).index()].push_back({list.size(), p.txn});
      }
    }
    return {};
  }

 private:
  Result<TxnId> of_register(OpId op) const {
    const Reads::Writer writer = reads_.writer(op);
    if (writer.kind == Reads::Writer::Kind::None)
      return error(fmt::format("read {} returns what nobody in the order wrote last", called(h_, op)));
    if (writer.kind == Reads::Writer::Kind::Several)
      return error(fmt::format("read {} has several possible writers", called(h_, op)),
                   "values that were written more than once are not supported at this level");
    if (at_.of(writer.txn) > at_.of(reads_.transaction(op)))
      return error(
          fmt::format("read {} is before {}, whose write it returns", called(h_, op), called(writer.txn)));
    return writer.txn;
  }

  // Lists grow, so their length says which version it is.
  Result<TxnId> of_list(OpId op) const {
    const auto shown = reads_.external_part(op);
    const auto& list = list_[h_.key(op).index()];
    if (reads_.shows_own_elements(op) && shown.size() != list.size())
      return error(
          fmt::format("read {} shows its own elements behind other ones than the order", called(h_, op)));
    if (shown.empty()) return TxnId::none();
    const auto& versions = versions_[h_.key(op).index()];
    const auto version = std::ranges::lower_bound(versions, shown.size(), {}, &Version::size);
    if (version == versions.end() || version->size != shown.size() ||
        !std::equal(shown.begin(), shown.end(), list.begin()))
      return error(
          fmt::format("read {} shows no version that the list has had in this order", called(h_, op)));
    return version->writer;
  }

  struct Version {
    std::size_t size;
    TxnId writer;
  };
  const History& h_;
  const Positions& at_;
  const Reads& reads_;
  std::vector<std::vector<KeyValueId>> list_;
  std::vector<std::vector<Version>> versions_;
};

}  // namespace

Result<void> certify_weak_order(WeakOrder order) {
  ASSAY_TRY(Sources(order).find(order));
  return order.level == Level::Rc || order.level == Level::Ra ? certify_direct_views(order)
                                                              : certify_pasts(order);
}

Error newer_in_view(const History& history, OpId read, TxnId newer) {
  return error(fmt::format("read {} misses the version of {}, which is newer in the order and in its view",
                           called(history, read), called(newer)));
}

}  // namespace assay
