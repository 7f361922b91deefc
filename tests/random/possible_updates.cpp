#include "random/possible_updates.h"

#include <algorithm>

#include "history/builder.h"

namespace assay::test {
namespace {

class Copier {
 public:
  Copier(const History& from, Random& random, double share) : from_(from), random_(random), share_(share) {}

  History run() && {
    const auto fallback = from_.default_initial();
    to_.set_initial(fallback ? std::optional(scalar(*fallback)) : std::nullopt);
    for (const KeyId k : from_.keys())
      if (const KeyValueId initial = from_.initial_value(k); !initial.is_none())
        to_.set_initial(key(k), scalar(from_.value(initial)));
    for (const TxnId t : from_.transactions()) {
      for (const OpId op : from_.operations(t)) operation(op);
      const auto finished = to_.finish({.session = to_.session(from_.display(from_.session(t))),
                                        .outcome = from_.outcome(t),
                                        .instants = from_.instants(t)});
      ASSAY_REQUIRE(finished.has_value());
    }
    auto result = std::move(to_).build();
    ASSAY_REQUIRE(result.has_value());
    return std::move(result).value();
  }

 private:
  Scalar scalar(Scalar s) { return to_.pool().import(s, from_.pool()); }
  KeyId key(KeyId k) { return to_.key(scalar(from_.name(k))); }
  Scalar value(OpId op) { return scalar(from_.value(from_.value(op))); }

  std::vector<KeyAndValue> rows(OpId op) {
    std::vector<KeyAndValue> rows;
    for (const KeyValueId kv : from_.rows(op)) rows.push_back({key(from_.key(kv)), scalar(from_.value(kv))});
    return rows;
  }

  std::vector<PredicateNode> predicate(OpId op) {
    std::vector<PredicateNode> nodes(from_.predicate(op).begin(), from_.predicate(op).end());
    for (PredicateNode& node : nodes) node.scalar = scalar(node.scalar);
    return nodes;
  }

  void operation(OpId op) {
    switch (from_.kind(op)) {
      case OpKind::Read: return to_.read(key(from_.key(op)), value(op));
      case OpKind::Write: return to_.write(key(from_.key(op)), value(op));
      case OpKind::Insert: return to_.insert(key(from_.key(op)), value(op));
      case OpKind::Delete: return to_.remove(key(from_.key(op)), from_.found(op));
      case OpKind::Scan:
        return to_.scan({scalar(from_.bounds(op).low), scalar(from_.bounds(op).high)}, rows(op));
      case OpKind::Select: return to_.select(predicate(op), rows(op));
      case OpKind::Update: return update(op);
      default: ASSAY_REQUIRE(false && "a history of rows");
    }
  }

  void update(OpId op) {
    std::vector<KeyAndValue> all = rows(op);
    if (!random_.chance(share_)) return to_.update(predicate(op), all);
    const std::size_t changed = all.size();
    for (std::size_t i = 0; i < changed; ++i) {
      const KeyId other = key(KeyId(random_.below(from_.key_count())));
      if (std::ranges::find(all, other, &KeyAndValue::key) == all.end()) all.push_back({other, all[i].value});
    }
    to_.update_maybe(predicate(op), all,
                     random_.chance(0.3) ? std::optional<std::uint64_t>(changed) : std::nullopt);
  }

  const History& from_;
  Random& random_;
  double share_;
  HistoryBuilder to_;
};

}  // namespace

History with_possible_updates(const History& history, Random& random, double share) {
  return Copier(history, random, share).run();
}

}  // namespace assay::test
