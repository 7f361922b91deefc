#include "simulate/recorder.h"

#include <fmt/format.h>

namespace assay {

void RecordedTransaction::clear() {
  operations.clear();
  elements.clear();
  rows.clear();
  instants = {};
}

Recorder::Recorder(const GeneratorOptions& options, const Workload& workload)
    : instants_(options.instants), workload_(workload), two_columns_(options.shape == Shape::Predicates) {
  for (const RowColumn column : {RowColumn::Value, RowColumn::V1, RowColumn::V2})
    columns_.push_back(builder_.pool().string(name_of(column)));
  if (has_rows(options.shape)) set_initial_rows();
  else if (options.data == DataKind::Registers) builder_.set_initial(Scalar::integer(0));
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

Scalar Recorder::scalar(std::int64_t value) {
  if (value == kNoRow) return Scalar::null();
  if (!two_columns_ || value < 0) return Scalar::integer(value);
  return builder_.pool().row(
      {{column_name(RowColumn::V1), Scalar::integer(column_of(value, RowColumn::V1))},
       {column_name(RowColumn::V2), Scalar::integer(column_of(value, RowColumn::V2))}});
}

void Recorder::set_initial_rows() {
  const std::vector<std::int64_t> initial = workload_.initial_rows();
  for (std::size_t i = 0; i < initial.size(); ++i)
    if (initial[i] != kNoRow) builder_.set_initial(key(StoreKey(i)), scalar(initial[i]));
}

std::span<const KeyAndValue> Recorder::rows(const RecordedTransaction& transaction,
                                            const RecordedOperation& op) {
  rows_.clear();
  for (std::size_t i = op.list_begin; i < op.list_end; ++i)
    rows_.push_back({key(transaction.rows[i].key), scalar(transaction.rows[i].value)});
  return rows_;
}

std::span<const PredicateNode> Recorder::predicate(const RowFilter& filter) {
  const Scalar column = column_name(filter.column);
  const PredicateNode low{PredicateOp::Constant, 0, Scalar::integer(filter.low)};
  const PredicateNode high{PredicateOp::Constant, 0, Scalar::integer(filter.high)};
  if (filter.low == filter.high) predicate_ = {{PredicateOp::Equal, 1, column}, low};
  else predicate_ = {{PredicateOp::Between, 2, column}, low, high};
  return predicate_;
}

Instants Recorder::shown(Instants instants, Outcome outcome) const {
  if (instants_ == RecordedInstants::None) return {};
  if (instants_ == RecordedInstants::BeginAndEnd) instants.began = instants.committing = std::nullopt;
  if (outcome == Outcome::Unknown) instants.end = std::nullopt;
  return instants;
}

void Recorder::operation(const RecordedTransaction& transaction, const RecordedOperation& op) {
  switch (op.kind) {
    case OpKind::Read: return builder_.read(key(op.key), scalar(op.value));
    case OpKind::Write: return builder_.write(key(op.key), scalar(op.value));
    case OpKind::Append: return builder_.append(key(op.key), scalar(op.value));
    case OpKind::Insert: return builder_.insert(key(op.key), scalar(op.value));
    case OpKind::Delete: return builder_.remove(key(op.key), op.found);
    case OpKind::Scan: {
      const auto shown = rows(transaction, op);
      return builder_.scan({Scalar::integer(op.key.value), Scalar::integer(op.last.value)}, shown);
    }
    case OpKind::Select: return builder_.select(predicate(op.filter), rows(transaction, op));
    case OpKind::Update: return builder_.update(predicate(op.filter), rows(transaction, op));
    default:
      return builder_.list_read(key(op.key),
                                {transaction.elements.data() + op.list_begin, op.list_end - op.list_begin});
  }
}

Result<TxnId> Recorder::record(SessionId session, const RecordedTransaction& transaction, Outcome outcome) {
  for (const RecordedOperation& op : transaction.operations) operation(transaction, op);
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
