#include "watch/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "check/check.h"
#include "history/edit.h"
#include "history_io/jsonl_writer.h"
#include "isolation/real_time.h"
#include "verdict/operation_place.h"

namespace assay::watch {
namespace {

bool is_read(OpKind kind) { return kind == OpKind::Read || kind == OpKind::ListRead; }

std::int64_t minus(std::int64_t a, std::int64_t b) {
  return a < INT64_MIN + b ? INT64_MIN : a - b;  // b is not negative
}

// Each value of each key, and how many transactions wrote it.
class WrittenValues {
 public:
  explicit WrittenValues(const History& h) : h_(h), writers_(h.key_value_count()) {
    for (const KeyId key : h.keys())
      if (const KeyValueId initial = h.initial_value(key); !initial.is_none()) ++writers_[initial.index()];
    for (const TxnId t : h.transactions()) count(t, 1);
  }
  void leave_out(TxnId t) { count(t, -1); }
  bool is_written(KeyValueId value) const { return writers_[value.index()] > 0; }
  bool repeat() const {
    return std::ranges::any_of(writers_, [](std::int32_t writers) { return writers > 1; });
  }

  // A read of this transaction that shows a value which nobody wrote.
  OpId missing(TxnId t) const {
    for (const OpId op : h_.operations(t)) {
      if (h_.kind(op) == OpKind::Read && !is_written(h_.value(op))) return op;
      if (h_.kind(op) == OpKind::ListRead &&
          std::ranges::any_of(h_.rows(op), [&](KeyValueId value) { return !is_written(value); }))
        return op;
    }
    return OpId::none();
  }

 private:
  void count(TxnId t, std::int32_t by) {
    for (const OpId op : h_.operations(t))
      if (is_item_write(h_.kind(op))) writers_[h_.value(op).index()] += by;
  }

  const History& h_;
  std::vector<std::int32_t> writers_;
};

std::string written(const History& h, KeyValueId value) {
  return h.pool().to_json(h.name(h.key(value))) + " " + h.pool().to_json(h.value(value));
}

// The lines of a history's transactions, in the native format.
std::vector<std::string> lines_of(const History& history) {
  std::string text;
  ByteSink sink = ByteSink::to_memory(text);
  const auto report = write_jsonl(history, sink, {});
  const auto closed = sink.close();
  ASSAY_ASSERT(report.has_value() && closed.has_value());
  std::vector<std::string> lines;
  std::size_t begin = text.find('\n') + 1;  // after the header
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

}  // namespace

Watch::Watch(WatchOptions options, std::function<void(const Violation&)> report, Note note)
    : options_(std::move(options)),
      report_(std::move(report)),
      note_(std::move(note)),
      window_(options_.by_position) {
  ASSAY_REQUIRE(can_forget_at(options_.level).has_value());
}

void Watch::add(std::string_view line, std::uint64_t position) {
  ++counters_.lines;
  window_.add(line, position);
}

void Watch::drop_line(std::size_t line, const std::string& why) {
  ++counters_.malformed;
  note_(window_.position(line), why);
  window_.remove_if([&](std::size_t i) { return i == line; });
}

// The window as a history. Lines that cannot be read, alone or with those before them, are dropped.
Result<History> Watch::read() {
  auto history = window_.history();
  if (history) return history;
  // First, what is wrong with a line by itself.
  std::vector<bool> bad(window_.size());
  for (std::size_t i = judged_; i < window_.size(); ++i)
    if (const auto can = window_.can_read(window_.line(i)); !can) {
      bad[i] = true;
      ++counters_.malformed;
      note_(window_.position(i), can.error().what);
    }
  window_.remove_if([&](std::size_t i) { return bad[i]; });
  // Then the first line that contradicts those before it, as long as there is one.
  while (!(history = window_.history())) {
    std::size_t good = judged_, beyond = window_.size();  // the first `good` lines can be read
    if (!window_.history_of(good)) return history;
    while (beyond - good > 1) {
      const std::size_t middle = good + (beyond - good) / 2;
      (window_.history_of(middle) ? good : beyond) = middle;
    }
    drop_line(good, window_.history_of(good + 1).error().what);
  }
  return history;
}

// Takes transactions out of the window that the level cannot be judged with. Returns whether there were any.
bool Watch::drop_what_cannot_be_judged(const History& h) {
  std::vector<bool> dropped(window_.size());
  const auto drop_with = [&](std::size_t line, std::uint64_t& counter, const std::string& why) {
    ++counter;
    note_(window_.position(line), why);
    dropped[line] = true;
  };
  for (std::size_t i = judged_; i < window_.size(); ++i) {
    const TxnId t(i);
    const Instants at = h.instants(t);
    const Outcome outcome = h.outcome(t);
    if (std::ranges::any_of(std::vector<OpId>(h.operations(t).begin(), h.operations(t).end()),
                            [&](OpId op) { return h.kind(op) > OpKind::ListRead; })) {
      drop_with(i, counters_.malformed, "a statement on rows, which watch does not judge");
      set_aside(h, t);
    } else if (!at.begin || (outcome != Outcome::Unknown && !at.end)) {
      drop_with(i, counters_.malformed, "a transaction without begin and end");
      set_aside(h, t);
    } else if (outcome != Outcome::Aborted && *at.begin < frontier_) {
      drop_with(
          i, counters_.late,
          fmt::format("late: {} began {} ns before the latest end, and what it may have seen is forgotten",
                      h.display(t), minus(latest_.value_or(*at.begin), *at.begin)));
      set_aside(h, t);
    }
  }
  for (const SessionId s : h.sessions()) {
    std::optional<std::int64_t> began;
    for (const TxnId t : h.transactions(s)) {
      if (t.index() >= window_.size() || dropped[t.index()] || h.outcome(t) != Outcome::Committed) continue;
      const Instants at = h.instants(t);
      if (began && precedes({{}, at.end}, {began, {}}, options_.horizon)) {
        drop_with(t.index(), counters_.malformed,
                  fmt::format("{} ended before an earlier transaction of its session began", h.display(t)));
        set_aside(h, t);
        continue;
      }
      began = std::max(began.value_or(*at.begin), *at.begin);
    }
  }
  if (std::ranges::find(dropped, true) == dropped.end()) return false;
  const std::size_t known = static_cast<std::size_t>(
      std::count(dropped.begin(), dropped.begin() + static_cast<std::ptrdiff_t>(judged_), true));
  window_.remove_if([&](std::size_t i) { return dropped[i]; });
  judged_ -= known;
  return true;
}

// The transaction is judged no more; those who read from it have this read left out.
void Watch::set_aside(const History& h, TxnId t) {
  if (h.outcome(t) == Outcome::Aborted) return;
  for (const OpId op : h.operations(t))
    if (is_item_write(h.kind(op))) written_aside_[written(h, h.value(op))] = window_.position(t.index());
}

bool Watch::is_settled(const History& h, TxnId t) const {
  return latest_ &&
         precedes({{}, h.instants(t).end}, {minus(*latest_, options_.patience), {}}, options_.horizon);
}

// Leaves out transactions that read a value which nobody has written yet, and those that read from them.
Watch::Part Watch::without_waiting(History history, bool at_end) {
  Part part{nullptr, {}, INT64_MAX};
  WrittenValues values(history);
  values_repeat_ |= values.repeat();
  std::vector<bool> waits(history.transaction_count());
  waiting_.clear();
  for (bool again = !at_end; again;) {
    again = false;
    for (const TxnId t : history.transactions()) {
      if (waits[t.index()] || history.outcome(t) != Outcome::Committed || is_settled(history, t)) continue;
      if (values.missing(t).is_none()) continue;
      waits[t.index()] = again = true;
      values.leave_out(t);
      waiting_.push_back(window_.position(t.index()));
      part.earliest_waiting = std::min(part.earliest_waiting, *history.instants(t).begin);
    }
  }
  for (const TxnId t : history.transactions())
    if (!waits[t.index()]) part.lines.push_back(t.index());
  if (waiting_.empty()) {
    part.history = std::make_shared<const History>(std::move(history));
    return part;
  }
  part.history = std::make_shared<const History>(restrict(
      history, [&](TxnId t) { return !waits[t.index()]; }, [](OpId) { return true; }));
  return part;
}

// Rewrites the lines whose reads are dropped. Returns whether there were any.
bool Watch::drop_reads(const Part& part, const std::function<bool(OpId)>& is_dropped, std::uint64_t& count) {
  const History& h = *part.history;
  std::vector<TxnId> changed;
  for (const TxnId t : h.transactions()) {
    if (part.lines[t.index()] >= window_.size()) continue;  // the state of a list
    std::uint64_t dropped = 0;
    for (const OpId op : h.operations(t)) dropped += is_read(h.kind(op)) && is_dropped(op);
    if (dropped > 0) changed.push_back(t);
    count += dropped;
  }
  if (changed.empty()) return false;
  const History rewritten = restrict(
      h, [&](TxnId t) { return std::ranges::binary_search(changed, t); },
      [&](OpId op) { return !is_read(h.kind(op)) || !is_dropped(op); });
  const std::vector<std::string> lines = lines_of(rewritten);
  ASSAY_ASSERT(lines.size() == changed.size());
  std::vector<std::pair<std::size_t, std::string>> replaced;
  for (std::size_t i = 0; i < changed.size(); ++i)
    replaced.emplace_back(part.lines[changed[i].index()], lines[i]);
  std::ranges::sort(replaced);
  window_.replace(replaced);
  return true;
}

// Reads of what late or retired transactions wrote are not judged. Where values repeat, they may be of what
// such a transaction wrote even if others wrote the value too.
bool Watch::drop_reads_of_set_aside(const Part& part) {
  if (written_aside_.empty()) return false;
  const History& h = *part.history;
  std::vector<bool> is_aside(h.key_value_count());
  for (std::size_t i = 0; i < is_aside.size(); ++i)
    is_aside[i] = written_aside_.contains(written(h, KeyValueId(i)));
  const auto is_shown = [&](KeyValueId value) { return is_aside[value.index()]; };
  return drop_reads(
      part,
      [&](OpId op) {
        return h.kind(op) == OpKind::Read ? is_shown(h.value(op)) : std::ranges::any_of(h.rows(op), is_shown);
      },
      counters_.not_judged);
}

// Whether transactions that are reported later cannot change the verdict.
bool Watch::is_final(const Findings& findings, bool at_end) const {
  if (at_end || !values_repeat_ || findings.stories.empty()) return true;
  const Explanation& story = findings.stories.front();
  return std::ranges::all_of(story.origin, [&](TxnId t) {
    return findings.history().outcome(t) == Outcome::Aborted || is_settled(findings.history(), t);
  });
}

Violation Watch::violation(Findings findings, const Part& part) const {
  Violation found{std::move(findings), {}, false};
  if (found.findings.stories.empty()) return found;
  const Explanation& story = found.findings.stories.front();
  for (const TxnId t : story.origin)
    if (const std::size_t line = part.lines[t.index()]; line < window_.size())
      found.positions.push_back(window_.position(line));
  std::ranges::sort(found.positions);
  found.is_old_read = story.anomaly == Anomaly::ThinAir;
  return found;
}

// The reads of the violation are judged no more. If there are too many violations, so are all reads so far.
void Watch::recover(const Part& part, const Violation& found, std::size_t so_far) {
  const History& h = *part.history;
  const auto drop = [&](const std::function<bool(TxnId)>& is_dropped) {
    std::vector<bool> gone(window_.size());
    for (const TxnId t : h.transactions())
      if (const std::size_t line = part.lines[t.index()]; line < window_.size() && is_dropped(t)) {
        set_aside(h, t);
        gone[line] = true;
      }
    window_.remove_if([&](std::size_t i) { return gone[i]; });
  };
  if (so_far < options_.most_violations && !found.findings.stories.empty()) {
    const std::vector<TxnId>& story = found.findings.stories.front().origin;
    std::vector<bool> in_story(h.transaction_count());
    for (const TxnId t : story) in_story[t.index()] = true;
    const auto is_in_story = [&](OpId op) { return in_story[transaction_of(h, op).index()]; };
    if (drop_reads(part, is_in_story, counters_.set_aside)) return;
    // Only writes, which clocks or lists order in two ways: the last transaction is judged no more.
    const auto place = [&](TxnId t) { return part.lines[t.index()]; };
    const auto is_line = [&](TxnId t) { return place(t) < window_.size(); };
    std::vector<TxnId> lines;
    std::ranges::copy_if(story, std::back_inserter(lines), is_line);
    if (!lines.empty()) return drop([&](TxnId t) { return t == std::ranges::max(lines, {}, place); });
  }
  note_(window_.size() == 0 ? 0 : window_.position(window_.size() - 1),
        "too many violations at once: what was read up to here is not judged any further");
  if (!drop_reads(
          part, [](OpId) { return true; }, counters_.set_aside))
    drop([](TxnId) { return true; });
}

void Watch::forget(const Part& part, const ReadFacts& facts, const Order& execution) {
  const History& h = *part.history;
  if (!latest_) return;
  const std::int64_t frontier = std::min(minus(*latest_, options_.patience), part.earliest_waiting);
  const Settled settled = settle(h, facts, options_.level, options_.horizon, execution, frontier);
  std::vector<bool> gone(window_.size());
  const auto leave = [&](TxnId t) {
    if (const std::size_t line = part.lines[t.index()]; line < window_.size()) gone[line] = true;
  };
  for (const TxnId t : h.transactions())
    if (settled.forgotten[t.index()]) leave(t);
  window_.take_state(h, settled);
  if (settled.count > 0) frontier_ = std::max(frontier_, settled.frontier);

  // A transaction of unknown outcome that nobody read from would keep everything that came later.
  std::vector<bool> counts(h.transaction_count());
  for (const Point& point : execution) counts[point.txn.index()] = true;
  for (const TxnId t : h.transactions()) {
    if (h.outcome(t) != Outcome::Unknown || counts[t.index()] || facts.may_count_only(t)) continue;
    const std::int64_t last = h.instants(t).end.value_or(*h.instants(t).begin);
    if (last >= minus(minus(minus(*latest_, options_.patience), options_.horizon), options_.horizon))
      continue;
    ++counters_.retired;
    set_aside(h, t);
    leave(t);
  }
  counters_.forgotten += static_cast<std::uint64_t>(std::ranges::count(gone, true));
  window_.remove_if([&](std::size_t i) { return gone[i]; });
}

Result<void> Watch::judge(bool at_end) {
  if (window_.size() == 0) return {};
  auto history = read();
  if (!history) return std::move(history).error();
  if (drop_what_cannot_be_judged(*history)) {
    history = read();
    if (!history) return std::move(history).error();
  }
  for (std::size_t i = judged_; i < window_.size(); ++i) {
    const TxnId t(i);
    const Outcome outcome = history->outcome(t);
    ++(outcome == Outcome::Committed ? counters_.committed
       : outcome == Outcome::Aborted ? counters_.aborted
                                     : counters_.unknown);
    const Instants at = history->instants(t);
    latest_ = std::max(latest_.value_or(INT64_MIN), at.end.value_or(*at.begin));
  }
  judged_ = window_.size();

  JudgeOptions options = options_.judge;
  options.levels = {options_.level};
  options.skew = options_.horizon;
  for (std::size_t found = 0; window_.size() > 0;) {
    if (!history) history = window_.history();
    if (!history) return std::move(history).error();
    const Part part = without_waiting(std::move(*history), at_end);
    history = error("");
    if (drop_reads_of_set_aside(part)) continue;
    ++counters_.judgements;
    Budget budget(
        {.seconds = options.timeout, .megabytes = options.memory, .interrupted = options.interrupted});
    CheckOptions how;
    how.skew = options_.horizon;
    how.budget = &budget;
    Checker checker(*part.history, how);
    const auto verdict = checker.judge(options_.level);
    if (!verdict) return verdict.error();
    if (const auto* holds = std::get_if<Holds>(&*verdict)) {
      forget(part, checker.facts(options_.level), holds->order);
      break;
    }
    if (std::holds_alternative<Undecided>(*verdict)) {
      ++counters_.undecided;
      note_(window_.position(window_.size() - 1),
            "undecided up to here: " + std::get<Undecided>(*verdict).why);
      break;
    }
    auto findings = assay::judge(part.history, "", "jsonl", options);
    if (!findings) return std::move(findings).error();
    if (!is_final(*findings, at_end)) break;
    const Violation violated = violation(std::move(*findings), part);
    ++counters_.violations;
    counters_.old_reads += violated.is_old_read;
    report_(violated);
    recover(part, violated, ++found);
  }
  judged_ = window_.size();
  return {};
}

void Watch::save(std::string& out) const {
  const Counters& c = counters_;
  fmt::format_to(std::back_inserter(out), "{} {} {} {} {} {} {} {} {} {} {} {} {} {}\n", c.lines, c.committed,
                 c.aborted, c.unknown, c.malformed, c.late, c.retired, c.not_judged, c.set_aside,
                 c.violations, c.old_reads, c.judgements, c.undecided, c.forgotten);
  fmt::format_to(std::back_inserter(out), "{} {} {} {}\n", latest_.value_or(INT64_MIN), frontier_,
                 static_cast<int>(values_repeat_), written_aside_.size());
  for (const auto& [value, position] : written_aside_)
    fmt::format_to(std::back_inserter(out), "{} {}\n", position, value);
  window_.save(out);
}

Result<void> Watch::load(const std::function<bool(std::string_view&)>& next_line) {
  const Error cut_off = error("the state is cut off", "remove it to begin anew");
  std::string_view line;
  const auto number = [&](auto& into) {
    while (line.starts_with(' ')) line.remove_prefix(1);
    const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), into);
    if (problem != std::errc()) return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    return true;
  };
  if (!next_line(line)) return cut_off;
  Counters& c = counters_;
  for (std::uint64_t* counter :
       {&c.lines, &c.committed, &c.aborted, &c.unknown, &c.malformed, &c.late, &c.retired, &c.not_judged,
        &c.set_aside, &c.violations, &c.old_reads, &c.judgements, &c.undecided, &c.forgotten})
    if (!number(*counter)) return cut_off;
  std::int64_t latest = 0, frontier = 0;
  int repeat = 0;
  std::size_t aside = 0;
  if (!next_line(line) || !number(latest) || !number(frontier) || !number(repeat) || !number(aside))
    return cut_off;
  if (latest != INT64_MIN) latest_ = latest;
  frontier_ = frontier;
  values_repeat_ = repeat != 0;
  for (; aside > 0; --aside) {
    std::uint64_t position = 0;
    if (!next_line(line) || !number(position) || !line.starts_with(' ')) return cut_off;
    written_aside_[std::string(line.substr(1))] = position;
  }
  ASSAY_TRY(window_.load(next_line));
  judged_ = window_.size();
  return {};
}

}  // namespace assay::watch
