#include "random/shrink.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/hash.h"
#include "history/edit.h"
#include "history_io/format.h"
#include "support/paths.h"

namespace assay::test {
namespace {

History without(const History& history, TxnId dropped) {
  return restrict(
      history, [&](TxnId t) { return t != dropped; }, [](OpId) { return true; });
}

History without(const History& history, OpId dropped) {
  return restrict(
      history, [](TxnId) { return true; }, [&](OpId op) { return op != dropped; });
}

bool shows_values(OpKind kind) {
  return kind == OpKind::ListRead || kind == OpKind::Scan || kind == OpKind::Select;
}

// Reads of values that nobody writes. Leaving out a writer must not make new ones: almost every failure would
// shrink to one thin-air read, which is another failure.
std::size_t unexplained_values(const History& history) {
  std::vector<bool> explained(history.key_value_count());
  for (const KeyId key : history.keys())
    if (const KeyValueId initial = history.initial_value(key); !initial.is_none())
      explained[initial.index()] = true;
  for (const OpId op : history.operations()) {
    const OpKind kind = history.kind(op);
    if (is_item_write(kind)) explained[history.value(op).index()] = true;
    else if (kind == OpKind::Update || kind == OpKind::UpdateMaybe)
      for (const KeyValueId row : history.rows(op)) explained[row.index()] = true;
  }
  std::size_t count = 0;
  for (const OpId op : history.operations()) {
    if (history.kind(op) == OpKind::Read) count += !explained[history.value(op).index()];
    if (shows_values(history.kind(op)))
      for (const KeyValueId shown : history.rows(op)) count += !explained[shown.index()];
  }
  return count;
}

// Goes backwards, so that what has been kept keeps its number.
template <class Ids>
bool drop_some(History& history, Ids ids, const std::function<bool(const History&)>& fails) {
  bool dropped = false;
  for (std::size_t i = ids.size(); i-- > 0;) {
    History smaller = without(history, ids[i]);
    if (unexplained_values(smaller) > unexplained_values(history) || !fails(smaller)) continue;
    history = std::move(smaller);
    dropped = true;
  }
  return dropped;
}

std::string text_of(const History& history) {
  std::string text;
  ByteSink sink = ByteSink::to_memory(text);
  const auto written = find_format("hist")->write(history, sink, {});
  return written && sink.close() ? text : "(cannot be written)";
}

}  // namespace

History shrink(const History& history, const std::function<bool(const History&)>& fails) {
  History smallest = history;
  while (drop_some(smallest, smallest.transactions(), fails) ||
         drop_some(smallest, smallest.operations(), fails)) {
  }
  return smallest;
}

std::string report_failure(std::string_view name, const History& history,
                           const std::function<bool(const History&)>& fails) {
  const History smallest = shrink(history, fails);
  const std::string text = text_of(smallest);
  const char* given = std::getenv("ASSAY_FAILURES");
  const std::filesystem::path folder = given ? std::string(given) : source_dir() + "/build/failures";
  const auto path = folder / fmt::format("{}-{:08x}.hist", name, hash_bytes(text) & 0xffffffff);
  std::error_code ignored;  // the message carries the history anyway
  std::filesystem::create_directories(folder, ignored);
  const auto saved = write_history(smallest, path.string(), *find_format("hist"));
  return fmt::format("{}\n{}({})", name, text,
                     saved ? "saved as " + path.string() : saved.error().describe());
}

}  // namespace assay::test
