// The levels without a total order to replay: rc, ra, cc, psi. The order determines the version that each
// read returned; if several transactions wrote the value, from lines do. Then no reader may have a newer
// version of the key in its view. Each kind of view is checked in a file of its own.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "certify/order.h"

namespace assay {
namespace {

// The writer of each external read; none() is the initial transaction.
class Sources {
 public:
  explicit Sources(WeakOrder& order)
      : h_(order.history),
        repeat_(reads_repeat(order.level)),
        at_(order.at),
        reads_(order.reads),
        list_(h_.key_count()),
        versions_(h_.key_count()) {
    order.source.resize(h_.operation_count());
  }

  Result<void> find(WeakOrder& order) {
    for (const Source& source : order.from) ASSAY_TRY(choose(source));
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
  // At levels with repeatable reads, the first read of a key represents all.
  OpId standing_for(OpId op) const { return repeat_ ? reads_.first_read(op) : op; }

  // Takes the writer that a from line names.
  Result<void> choose(const Source& source) {
    const OpId op = source.read;
    if (op.index() >= h_.operation_count())
      return error("a from line names an operation that does not exist");
    if (!at_.contain(reads_.transaction(op)) ||
        (h_.kind(op) != OpKind::Read && h_.kind(op) != OpKind::ReadOneOf) ||
        reads_.kind(op) != Reads::Kind::External)
      return error(fmt::format("{} is no external read of a register in the order", called(h_, op)));
    if (standing_for(op) != op)
      return error(fmt::format("{} is from where {} is", called(h_, op), called(h_, standing_for(op))));
    const TxnId writer = source.writer;
    if (!writer.is_none() && writer.index() >= h_.transaction_count())
      return error("a from line names a transaction that does not exist");
    if (!reads_.is_possible_writer(op, writer))
      return error(fmt::format("{} is no possible writer of {} in the order",
                               writer.is_none() ? "the initial transaction" : called(writer),
                               called(h_, op)));
    if (!chosen_.emplace(op.value, writer).second)
      return error(fmt::format("two from lines are about read {}", called(h_, op)));
    return {};
  }

  Result<TxnId> of_register(OpId op) const {
    Reads::Writer writer = reads_.writer(op);
    if (const auto chosen = chosen_.find(standing_for(op).value); chosen != chosen_.end())
      writer = {Reads::Writer::Kind::One, chosen->second};
    if (writer.kind == Reads::Writer::Kind::None)
      return error(fmt::format("read {} returns what nobody in the order wrote last", called(h_, op)));
    if (writer.kind == Reads::Writer::Kind::Several)
      return error(fmt::format("read {} has several possible writers, and no from line", called(h_, op)));
    if (at_.of(writer.txn) > at_.of(reads_.transaction(op)))
      return error(
          fmt::format("read {} is before {}, whose write it returns", called(h_, op), called(writer.txn)));
    return writer.txn;
  }

  // Lists only grow, so the length determines the version.
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
  const bool repeat_;
  const Positions& at_;
  const Reads& reads_;
  std::unordered_map<std::uint32_t, TxnId> chosen_;  // by read
  std::vector<std::vector<KeyValueId>> list_;
  std::vector<std::vector<Version>> versions_;
};

}  // namespace

Result<void> find_sources(WeakOrder& order) { return Sources(order).find(order); }

Result<void> certify_weak_order(WeakOrder order) {
  ASSAY_TRY(find_sources(order));
  return sees_the_past(order.level) ? certify_pasts(order) : certify_direct_views(order);
}

Error newer_in_view(const History& history, OpId read, TxnId newer) {
  return error(fmt::format("read {} misses the version of {}, which is newer in the order and in its view",
                           called(history, read), called(newer)));
}

}  // namespace assay
