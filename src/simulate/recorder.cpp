#include "simulate/recorder.h"

#include <fmt/format.h>

namespace assay {

void RecordedTransaction::clear() {
  operations.clear();
  elements.clear();
  instants = {};
}

Recorder::Recorder(const GeneratorOptions& options, const Workload& workload)
    : instants_(options.instants), workload_(workload) {
  if (options.data == DataKind::Registers) builder_.set_initial(Scalar::integer(0));
  builder_.set_note(fmt::format("simulated at {}, seed {}{}", id(options.isolation), options.seed,
                                options.inject ? fmt::format(", {} injected", name(*options.inject)) : ""));
}

KeyId Recorder::key(StoreKey key) {
  if (key.index() >= keys_.size()) keys_.resize(key.index() + 1);
  KeyId& known = keys_[key.index()];
  if (!known.is_none()) return known;
  const std::string name = workload_.name(key);
  known = name.empty() ? builder_.key(Scalar::integer(key.value)) : builder_.key(name);
  return known;
}

Instants Recorder::shown(Instants instants, Outcome outcome) const {
  if (instants_ == RecordedInstants::None) return {};
  if (instants_ == RecordedInstants::BeginAndEnd) instants.began = instants.committing = std::nullopt;
  if (outcome == Outcome::Unknown) instants.end = std::nullopt;
  return instants;
}

Result<TxnId> Recorder::record(SessionId session, const RecordedTransaction& transaction, Outcome outcome) {
  for (const RecordedOperation& op : transaction.operations) {
    const Scalar value = Scalar::integer(op.value);
    switch (op.kind) {
      case OpKind::Read: builder_.read(key(op.key), value); break;
      case OpKind::Write: builder_.write(key(op.key), value); break;
      case OpKind::Append: builder_.append(key(op.key), value); break;
      default:
        builder_.list_read(key(op.key),
                           {transaction.elements.data() + op.list_begin, op.list_end - op.list_begin});
    }
  }
  const TxnId id(builder_.transaction_count());
  ASSAY_TRY(builder_.finish({.session = builder_.session(Scalar::integer(session.value + 1)),
                             .name = Scalar::integer(id.value + 1),
                             .outcome = outcome,
                             .instants = shown(transaction.instants, outcome)}));
  ++counts_[static_cast<std::size_t>(outcome)];
  return id;
}

Result<Generated> Recorder::finish(std::vector<TxnId> injected) && {
  auto history = std::move(builder_).build();
  if (!history) return std::move(history).error();
  return Generated{.history = std::move(*history),
                   .injected = std::move(injected),
                   .committed = counts_[static_cast<std::size_t>(Outcome::Committed)],
                   .aborted = counts_[static_cast<std::size_t>(Outcome::Aborted)],
                   .unknown = counts_[static_cast<std::size_t>(Outcome::Unknown)]};
}

}  // namespace assay
