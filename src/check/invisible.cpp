#include "check/invisible.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "history/statements.h"

namespace assay {
namespace {

class Replay {
 public:
  Replay(const History& history, std::size_t per_writer)
      : h_(history), per_writer_(per_writer), table_(table_of(history)), current_(history.key_count()) {
    for (const KeyId key : h_.keys()) current_[key.index()] = {h_.initial_value(key), TxnId::none()};
  }

  std::vector<Invisible> run(const Order& order) {
    const bool snapshots = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
    for (const Point& p : order) {
      if (!p.commit || !snapshots) read(p.txn);
      if (p.commit)
        for (const OpId op : h_.operations(p.txn))
          each_write(h_, op, [&](KeyId key, KeyValueId value) { current_[key.index()] = {value, p.txn}; });
    }
    std::ranges::sort(broken_);
    return std::move(broken_);
  }

 private:
  struct Version {
    KeyValueId value;
    TxnId writer;
  };

  void read(TxnId t) {
    std::unordered_map<KeyId, KeyValueId> own;
    std::map<TxnId, std::size_t> spoilt_by;
    for (const OpId op : h_.operations(t)) {
      if (is_statement(h_.kind(op))) {
        const Statement statement(h_, op, table_);
        statement.each_invisible([&](KeyId key, bool matched) {
          Version met = current_[key.index()];
          if (!own.empty())
            if (const auto written = own.find(key); written != own.end()) met = {written->second, t};
          if (!met.value.is_none() && statement.matches(key, met.value) == matched) return;
          if (spoilt_by[met.writer]++ < per_writer_) broken_.push_back({op, key});
        });
      }
      each_write(h_, op, [&](KeyId key, KeyValueId value) { own[key] = value; });
    }
  }

  const History& h_;
  const std::size_t per_writer_;
  const std::vector<KeyId> table_;
  std::vector<Version> current_;  // by key
  std::vector<Invisible> broken_;
};

}  // namespace

std::vector<Invisible> broken_invisible_reads(const History& history, const Order& order, std::size_t per_writer) {
  return Replay(history, per_writer).run(order);
}

}  // namespace assay
