#include "watch/window.h"

#include <fmt/format.h>

#include <charconv>

#include "history_io/jsonl.h"

namespace assay::watch {
namespace {

// When the transactions ended that made the lists as they were: before everything that a clock shows.
constexpr std::int64_t kLongAgo = INT64_MIN / 4;
constexpr std::string_view kPast = "~before";

constexpr std::string_view kEndOfState = "lines";

// A value of the native format, in this pool. It was printed by another pool.
Scalar parse(ScalarPool& pool, const std::string& json) {
  if (json == "null") return Scalar::null();
  if (json == "true" || json == "false") return Scalar::boolean(json == "true");
  if (const auto number = pool.number(json)) return *number;
  // A string, or what only the reader of the native format reads: it reads the value as that of a write.
  ByteSource source =
      ByteSource::from_memory("", fmt::format("{{\"session\":0,\"txn\":0,\"ops\":[[\"w\",0,{}]]}}\n", json));
  const auto history = read_jsonl(source, {});
  ASSAY_ASSERT(history.has_value());
  return pool.import(history->value(history->value(OpId(0))), history->pool());
}

void add_number(std::string& out, std::uint64_t number) {
  fmt::format_to(std::back_inserter(out), "{}", number);
}

}  // namespace

Result<void> Window::set_header(std::string_view line) {
  ByteSource source = ByteSource::from_memory("", std::string(line) + "\n");
  auto read = read_jsonl(source, {});
  if (!read) return std::move(read).error();
  const History& h = *read;
  header_ = "{\"assay\":1";
  const auto fallback = h.default_initial();
  if (!fallback) header_ += ",\"no_initial\":true";
  else if (!fallback->is_null()) {
    header_ += fallback->kind == ScalarKind::Row ? ",\"initial_row\":" : ",\"initial\":";
    h.pool().print_json(*fallback, header_);
  }
  header_ += "}\n";
  for (const KeyId key : h.keys())
    if (const KeyValueId value = h.initial_value(key); !value.is_none())
      state_[h.pool().to_json(h.name(key))] = h.pool().to_json(h.value(value));
  return {};
}

void Window::add(std::string_view line, std::uint64_t position) {
  const std::size_t begin = text_.size();
  const std::size_t brace = line.find('{');
  if (line.find("\"txn\"") == std::string_view::npos && brace != std::string_view::npos) {
    text_ += line.substr(0, brace + 1);
    fmt::format_to(std::back_inserter(text_), "\"txn\":\"line {}\",", position);
    text_ += line.substr(brace + 1);
  } else {
    text_ += line;
  }
  lines_.push_back({begin, text_.size() - begin, position});
  text_ += '\n';
}

void Window::remove_if(const std::function<bool(std::size_t)>& drop) {
  std::string text;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (drop(i)) continue;
    const Line line = lines_[i];
    lines_[kept++] = {text.size(), line.length, line.position};
    text.append(text_, line.begin, line.length + 1);
  }
  lines_.resize(kept);
  text_ = std::move(text);
}

void Window::replace(const std::vector<std::pair<std::size_t, std::string>>& others) {
  std::string text;
  auto other = others.begin();
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    Line& at = lines_[i];
    const std::size_t begin = text.size();
    if (other != others.end() && other->first == i) text += other++->second;
    else text.append(text_, at.begin, at.length);
    at = {begin, text.size() - begin, at.position};
    text += '\n';
  }
  text_ = std::move(text);
}

void Window::complete(HistoryBuilder& builder) const {
  std::string name;
  const std::size_t keys = builder.key_count(), transactions = builder.transaction_count();
  for (std::size_t k = 0; k < keys; ++k) {
    const KeyId key(k);
    name.clear();
    builder.pool().print_json(builder.name(key), name);
    if (const auto known = state_.find(name); known != state_.end())
      builder.set_initial(key, parse(builder.pool(), known->second));
    const auto list = lists_.find(name);
    if (list == lists_.end()) continue;
    for (const std::string& element : list->second) builder.append(key, parse(builder.pool(), element));
    const auto finished = builder.finish({.session = builder.session(kPast),
                                          .name = builder.pool().string(fmt::format("{} {}", kPast, name)),
                                          .instants = {.begin = kLongAgo, .end = kLongAgo}});
    ASSAY_ASSERT(finished.has_value());
  }
  if (!by_position_) return;
  std::vector<Instants> instants(builder.transaction_count(), {.begin = kLongAgo, .end = kLongAgo});
  for (std::size_t t = 0; t < transactions; ++t) {
    const auto at = static_cast<std::int64_t>(lines_[t].position);
    instants[t] = {.begin = at, .end = at};
  }
  builder.set_instants(instants);
}

Result<History> Window::history_of(std::size_t lines) const {
  std::string text = header_;
  text.append(text_, 0, lines == lines_.size() ? text_.size() : lines_[lines].begin);
  ByteSource source = ByteSource::from_memory("", std::move(text));
  return read_jsonl(source, [this](HistoryBuilder& builder) { complete(builder); });
}

Result<void> Window::can_read(std::string_view line) const {
  Window alone(by_position_);
  alone.header_ = header_;
  alone.add(line, 1);
  const auto read = alone.history();
  if (!read) return read.error();
  if (read->transaction_count() != 1) return error("not a transaction");
  return {};
}

void Window::take_state(const History& history, const Settled& settled) {
  const ScalarPool& pool = history.pool();
  for (const OpId op : settled.last_writes)
    state_[pool.to_json(history.name(history.key(op)))] = pool.to_json(history.value(history.value(op)));
  std::unordered_map<std::uint32_t, std::vector<std::string>> lists;
  for (const OpId op : settled.appends)
    lists[history.key(op).value].push_back(pool.to_json(history.value(history.value(op))));
  for (auto& [key, elements] : lists) lists_[pool.to_json(history.name(KeyId(key)))] = std::move(elements);
}

// One value a line: JSON has no bare line ends.
void Window::save(std::string& out) const {
  out += header_;
  for (const auto& [key, value] : state_) out += "key\n" + key + "\n" + value + "\n";
  for (const auto& [key, elements] : lists_) {
    out += "list\n" + key + "\n";
    add_number(out, elements.size());
    out += '\n';
    for (const std::string& element : elements) out += element + "\n";
  }
  out += kEndOfState;
  out += '\n';
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    add_number(out, lines_[i].position);
    out += ' ';
    out += line(i);
    out += '\n';
  }
}

Result<void> Window::load(const std::function<bool(std::string_view&)>& next_line) {
  const Error cut_off = error("the state is cut off", "remove it to begin anew");
  std::string_view line;
  if (!next_line(line)) return cut_off;
  header_ = std::string(line) + "\n";
  while (next_line(line) && line != kEndOfState) {
    const bool is_list = line == "list";
    if (!is_list && line != "key") return cut_off;
    if (!next_line(line)) return cut_off;
    const std::string key(line);
    if (!next_line(line)) return cut_off;
    if (!is_list) {
      state_[key] = line;
      continue;
    }
    std::size_t count = 0;
    std::from_chars(line.data(), line.data() + line.size(), count);
    std::vector<std::string>& elements = lists_[key];
    for (; count > 0; --count) {
      if (!next_line(line)) return cut_off;
      elements.emplace_back(line);
    }
  }
  if (line != kEndOfState) return cut_off;
  while (next_line(line)) {
    std::uint64_t position = 0;
    const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), position);
    if (problem != std::errc() || end == line.data() + line.size()) return cut_off;
    add(line.substr(static_cast<std::size_t>(end - line.data()) + 1), position);
  }
  return {};
}

}  // namespace assay::watch
