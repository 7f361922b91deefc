#include "history_io/dbcop_initial.h"

#include <fmt/format.h>

namespace assay {
namespace {

constexpr Scalar kZero = Scalar::integer(0);

}  // namespace

void DbcopBuilder::read(KeyId key, Scalar value) {
  any_null_ |= value.is_null();
  builder_.read(key, value);
}

void DbcopBuilder::write(KeyId key, Scalar value) {
  if (zero_is_written_.size() <= key.index()) zero_is_written_.resize(key.index() + 1);
  if (value == kZero) zero_is_written_[key.index()] = true;
  builder_.write(key, value);
}

Result<History> DbcopBuilder::build() && {
  builder_.reads_of_nothing_are_initial(kZero);
  // If no read shows the initial value of a key, it does not matter. Files say either null or 0; use the one
  // that this file uses, so that writing the history gives the same file.
  if (!any_null_) {
    builder_.set_initial(kZero);
    for (std::size_t key = 0; key < zero_is_written_.size(); ++key)
      if (zero_is_written_[key]) builder_.set_initial(KeyId(key), Scalar::null());
  }
  return std::move(builder_).build();
}

Result<WriteReport> express_dbcop(const History& history, Expressible can, const WriteOptions& options) {
  can.initial = history.default_initial() == kZero ? kZero : Scalar::null();
  std::vector<bool> zero_is_written(history.key_count());
  const auto refuse = [&](std::string what, TxnId txn) {
    return error(
        fmt::format("{} cannot express {} (first at transaction {})", can.format, what, history.display(txn)),
        "write jsonl, which expresses everything");
  };
  auto report = express(history, can, options);
  if (!report) return report;
  for (const TxnId txn : history.transactions())
    for (const OpId op : history.operations(txn)) {
      const Scalar key = history.name(history.key(op)), value = history.value(history.value(op));
      for (const Scalar number : {key, value})
        if (number.is_integer() && number.as_integer() < 0) return refuse("negative numbers", txn);
      if (history.kind(op) == OpKind::Write && value == kZero)
        zero_is_written[history.key(op).index()] = true;
    }
  for (const TxnId txn : history.transactions())
    for (const OpId op : history.operations(txn)) {
      const KeyId key = history.key(op);
      if (history.kind(op) != OpKind::Read || history.value(history.value(op)) != kZero) continue;
      const bool starts_with_zero = can.initial == kZero;
      if (starts_with_zero && zero_is_written[key.index()])
        return refuse(
            fmt::format("that key {} starts with 0, which is also written to it", history.display(key)), txn);
      if (!starts_with_zero && !zero_is_written[key.index()])
        return refuse(fmt::format("a read of 0 from key {}, to which nobody wrote it", history.display(key)),
                      txn);
    }
  return report;
}

}  // namespace assay
