#include "history/statistics.h"

#include <algorithm>

namespace assay {
namespace {

bool writes(OpKind kind) {
  return is_item_write(kind) || kind == OpKind::Update || kind == OpKind::UpdateMaybe;
}

void count_transactions(const History& h, Statistics& s) {
  for (const TxnId t : h.transactions()) {
    switch (h.outcome(t)) {
      case Outcome::Committed: ++s.committed; break;
      case Outcome::Aborted: ++s.aborted; break;
      case Outcome::Unknown: ++s.unknown; break;
    }
    const auto ops = h.operations(t);
    std::size_t writing = 0;
    for (const OpId op : ops) {
      ++s.operations_of[static_cast<std::size_t>(h.kind(op))];
      writing += writes(h.kind(op));
    }
    s.read_only += !ops.empty() && writing == 0;
    s.write_only += !ops.empty() && writing == ops.size();
    s.longest_transaction = std::max(s.longest_transaction, ops.size());
  }
  for (const SessionId session : h.sessions())
    s.longest_session = std::max(s.longest_session, h.transactions(session).size());
}

// Determines for each value of a key whether nobody, one transaction, or several wrote it.
void count_duplicates(const History& h, Statistics& s) {
  constexpr std::uint32_t kInitial = UINT32_MAX - 1;
  std::vector<std::uint32_t> writer(h.key_value_count(), UINT32_MAX);
  std::vector<bool> several(h.key_value_count()), written(h.key_value_count());
  for (const KeyId key : h.keys())
    if (const KeyValueId kv = h.initial_value(key); !kv.is_none()) writer[kv.index()] = kInitial;
  for (const TxnId t : h.transactions()) {
    if (h.outcome(t) == Outcome::Aborted) continue;
    for (const OpId op : h.operations(t)) {
      if (!is_item_write(h.kind(op)) || h.kind(op) == OpKind::Delete) continue;
      std::uint32_t& known = writer[h.value(op).index()];
      if (known == UINT32_MAX) known = t.value;
      else if (known != t.value) several[h.value(op).index()] = true;
      written[h.value(op).index()] = true;
    }
  }
  std::vector<bool> key_has(h.key_count());
  for (std::size_t i = 0; i < several.size(); ++i) {
    s.written_values += written[i];
    s.duplicate_values += several[i];
    if (several[i]) key_has[h.key(KeyValueId(i)).index()] = true;
  }
  s.keys_with_duplicates = static_cast<std::size_t>(std::count(key_has.begin(), key_has.end(), true));
  for (const OpId op : h.operations())
    if (h.kind(op) == OpKind::Read) s.reads_with_several_writers += several[h.value(op).index()];
}

// Sweeps over begins and ends. At equal instants a begin comes before an end.
void measure_concurrency(const History& h, Statistics& s) {
  if (!h.has_instants()) return;
  std::vector<std::int64_t> begins, ends;
  for (const TxnId t : h.transactions()) {
    const Instants at = h.instants(t);
    for (const auto& instant : {at.begin, at.began, at.committing, at.end}) {
      if (!instant) continue;
      s.first_instant = std::min(s.first_instant.value_or(*instant), *instant);
      s.last_instant = std::max(s.last_instant.value_or(*instant), *instant);
    }
    if (!at.begin || !at.end) continue;
    begins.push_back(*at.begin);
    ends.push_back(*at.end);
  }
  std::sort(begins.begin(), begins.end());
  std::sort(ends.begin(), ends.end());
  s.timed = begins.size();
  double busy = 0, together = 0;  // time in which any transaction runs; sum of the times that each runs
  std::size_t ended = 0, period = 0;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    while (ended < ends.size() && ends[ended] < begins[i]) ++ended;
    s.most_concurrent = std::max(s.most_concurrent, i + 1 - ended);
    together += static_cast<double>(ends[i] - begins[i]);
    if (ended == i) period = i;
    if (i + 1 == begins.size() || ends[i] < begins[i + 1])
      busy += static_cast<double>(ends[i] - begins[period]);
  }
  s.mean_concurrent = busy > 0 ? together / busy : static_cast<double>(s.most_concurrent);
}

}  // namespace

Statistics statistics(const History& h) {
  Statistics s;
  s.sessions = h.session_count();
  s.transactions = h.transaction_count();
  s.operations = h.operation_count();
  s.keys = h.key_count();
  count_transactions(h, s);
  count_duplicates(h, s);
  measure_concurrency(h, s);
  return s;
}

}  // namespace assay
