#include "dependency/value_writers.h"

namespace assay {

ValueWriters::ValueWriters(const History& history, Versions& versions)
    : h_(history), writers_(history.key_value_count()) {
  for (const KeyId key : h_.keys())
    if (const KeyValueId value = h_.initial_value(key); !value.is_none())
      writers_[value.index()].initial = true;
  versions.keys = h_.key_count();
  versions.write_begin.assign(1, 0);
  for (const TxnId t : h_.transactions()) {
    if (t.index() + 1 < h_.transaction_count())
      for (const OpId op : h_.operations(TxnId(t.value + 1))) fetch(h_, op);
    add_writes(t, versions);
    versions.write_begin.push_back(static_cast<std::uint32_t>(versions.writes.size()));
  }
  add_conditional_writes(versions);
  collect_repeated(versions);
  if (versions.conditional.empty()) value_of_ = {};
}

void ValueWriters::add_writes(TxnId t, Versions& versions) {
  std::uint32_t left = static_cast<std::uint32_t>(h_.operations(t).size());
  written_.clear();
  for (const OpId op : h_.operations(t)) {
    --left;
    if (is_item_write(h_.kind(op))) written_.push_back({h_.key(op), left, h_.value(op)});
    else if (h_.is_conditional_write(op)) versions.conditional.push_back({t, op, h_.key(op), UINT32_MAX, 0});
  }
  std::ranges::sort(written_);
  for (std::size_t i = 0; i < written_.size(); ++i)
    add(t, written_[i], i == 0 || written_[i - 1].key != written_[i].key, versions);
}

void ValueWriters::add(TxnId t, const Written& write, bool is_final, Versions& versions) {
  Writers& w = writers_[write.value.index()];
  if (h_.outcome(t) == Outcome::Aborted) {
    w.aborted = t;
  } else if (!is_final) {
    if (w.final_writer != t) w.intermediate = t;
  } else {
    w.several |= w.initial || !w.final_writer.is_none();
    w.final_writer = t;
    w.version = VersionId(versions.writes.size());
    versions.writes.push_back(write.key);
    versions.version_writer.push_back(t);
    value_of_.push_back(write.value);
  }
}

// The versions of conditional writes come after all others.
void ValueWriters::add_conditional_writes(Versions& versions) {
  for (std::size_t i = 0; i < versions.conditional.size(); ++i) {
    Writers& w = writers_[h_.conditional_value(versions.conditional[i].op).index()];
    w.several |= w.initial || !w.final_writer.is_none();
    w.final_writer = versions.conditional[i].writer;
    w.version = versions.conditional_version(i);
  }
}

void ValueWriters::collect_repeated(const Versions& versions) {
  const auto collect = [&](KeyValueId value, VersionId version) {
    if (writers_[value.index()].several) repeated_.push_back({value, version});
  };
  for (std::size_t v = 0; v < value_of_.size(); ++v) collect(value_of_[v], VersionId(v));
  for (std::size_t i = 0; i < versions.conditional.size(); ++i)
    collect(h_.conditional_value(versions.conditional[i].op), versions.conditional_version(i));
  std::ranges::sort(repeated_);
}

}  // namespace assay
