// The answers of `watch` about every prefix of a stream, against those of `check` with the same skew.
#include "watch/watch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "check/check.h"
#include "history/edit.h"
#include "history_io/jsonl.h"
#include "history_io/jsonl_writer.h"
#include "simulate/generator.h"
#include "support/random.h"

namespace assay::watch {
namespace {

std::vector<std::string> lines_of(const History& history) {
  std::string text;
  ByteSink sink = ByteSink::to_memory(text);
  EXPECT_TRUE(write_jsonl(history, sink, {}));
  EXPECT_TRUE(sink.close());
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

History read(const std::vector<std::string>& lines, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += lines[i] + "\n";
  ByteSource source = ByteSource::from_memory("", text);
  return read_jsonl(source, {}).value();
}

bool holds(const History& history, Level level, std::int64_t horizon) {
  Checker checker(history, {.skew = horizon});
  const auto verdict = checker.judge(level);
  EXPECT_TRUE(verdict.has_value()) << verdict.error().describe();
  EXPECT_FALSE(std::holds_alternative<Undecided>(*verdict));
  return std::holds_alternative<Holds>(*verdict);
}

struct Stream {
  std::vector<std::string> lines;  // the header, and one for each transaction
  std::int64_t latest_report = 0;  // the longest time from a begin to its report
  std::int64_t span = 0;
};

void replace_instant(std::string& line, const std::string& name, std::int64_t to) {
  const std::size_t at = line.find("\"" + name + "\":");
  if (at == std::string::npos) return;
  const std::size_t begin = at + name.size() + 3;
  line.replace(begin, line.find(',', begin) - begin, std::to_string(to));
}

// Lets clients send earlier and hear later, as far as their other transactions allow. So clocks tell less,
// and the order that a guess takes from them is wrong more often.
void stretch(std::vector<std::string>& lines, Random& random, std::int64_t most) {
  const History h = read(lines, lines.size());
  const auto some = [&] {
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most) + 1));
  };
  std::vector<std::pair<std::int64_t, std::string>> reported;
  for (const SessionId s : h.sessions()) {
    std::int64_t before = INT64_MIN;  // the end of the session's last transaction
    const auto txns = h.transactions(s);
    for (std::size_t i = 0; i < txns.size(); ++i) {
      const Instants at = h.instants(txns[i]);
      const std::int64_t next = i + 1 < txns.size() ? *h.instants(txns[i + 1]).begin : INT64_MAX;
      const std::int64_t begin = std::max(before, *at.begin - some());
      const std::int64_t end = std::min(next, at.end.value_or(*at.begin) + some());
      std::string line = lines[txns[i].index() + 1];
      replace_instant(line, "begin", begin);
      if (at.end) replace_instant(line, "end", end);
      reported.emplace_back(end, std::move(line));
      before = end;
    }
  }
  std::ranges::stable_sort(reported, {}, &std::pair<std::int64_t, std::string>::first);
  for (std::size_t i = 0; i < reported.size(); ++i) lines[i + 1] = std::move(reported[i].second);
}

// A stream of a small random workload; some reads may be changed to other values that somebody wrote.
Stream random_stream(Random& random, bool lists, bool repeat, bool unknown) {
  GeneratorOptions g;
  g.isolation = random.below(2) == 0 ? Level::Ser : Level::Si;
  g.sessions = 2 + random.below(4);
  g.transactions = 12 + random.below(30);
  g.fewest_operations = 1;
  g.operations = 1 + random.below(4);
  g.keys = 1 + random.below(5);
  g.reads = 0.2 + 0.15 * static_cast<double>(random.below(5));
  if (lists) g.data = DataKind::Lists, g.list_length = 3 + random.below(8);
  if (repeat) g.duplicates = 0.7;
  if (random.below(2) == 0) g.aborted = 0.1;
  if (unknown) g.unknown = 0.15;
  g.instants = random.below(2) == 0 ? RecordedInstants::All : RecordedInstants::BeginAndEnd;
  g.seed = random();
  Stream stream;
  stream.lines = lines_of(generate(g)->history);
  if (!lists && random.below(3) == 0) {  // another value for one read
    const std::size_t line = 1 + random.below(stream.lines.size() - 1);
    std::string& text = stream.lines[line];
    if (const std::size_t at = text.find("[\"r\","); at != std::string::npos) {
      const std::size_t value = text.find(',', at + 5) + 1;
      const std::size_t end = text.find(']', value);
      text.replace(value, end - value, std::to_string(random.below(4)));
    }
  }
  if (random.below(3) > 0) stretch(stream.lines, random, static_cast<std::int64_t>(random.below(60'000)));
  const History h = read(stream.lines, stream.lines.size());
  std::int64_t latest = INT64_MIN;
  for (const TxnId t : h.transactions()) {
    const Instants at = h.instants(t);
    latest = std::max(latest, at.end.value_or(*at.begin));
    stream.latest_report = std::max(stream.latest_report, latest - *at.begin);
    stream.span = std::max(stream.span, latest);
  }
  return stream;
}

struct Tried {
  std::size_t prefixes = 0, violated = 0, forgotten = 0, waited = 0, not_judged = 0;
};

void compare(const Stream& stream, Level level, std::int64_t horizon, bool repeat, Tried& tried) {
  const std::size_t n = stream.lines.size();
  std::size_t reported = 0;
  const auto whole = [&] {
    std::string text;
    for (const std::string& line : stream.lines) text += line + "\n";
    return text;
  };
  Watch watch(
      {.level = level, .horizon = horizon, .patience = stream.latest_report},
      [&](const Violation&) { ++reported; },
      [&](std::uint64_t, const std::string& what) {
        EXPECT_TRUE(what.starts_with("too many violations at once"))
            << what << " " << reported << " " << whole();
      });
  ASSERT_TRUE(watch.set_header(stream.lines[0]));
  for (std::size_t i = 1; i < n; ++i) {
    watch.add(stream.lines[i], i);
    const auto judged = watch.judge(i + 1 == n);
    ASSERT_TRUE(judged) << judged.error().describe() << "\n" << whole();
    ++tried.prefixes;
    if (watch.counters().not_judged + watch.counters().late > 0) {
      ++tried.not_judged;
      return;
    }
    History prefix = read(stream.lines, i + 1);
    if (const auto& waiting = watch.waiting(); !waiting.empty()) {
      ++tried.waited;
      prefix = restrict(
          prefix, [&](TxnId t) { return std::ranges::find(waiting, t.index() + 1) == waiting.end(); },
          [](OpId) { return true; });
    }
    const bool is_violated = !holds(prefix, level, horizon);
    // Where values repeat, a violation waits until no later transaction can have written what was read.
    if (repeat && i + 1 < n) {
      ASSERT_TRUE(reported == 0 || is_violated) << "line " << i << " horizon " << horizon << "\n" << whole();
    } else {
      ASSERT_EQ(reported > 0, is_violated) << "patience " << stream.latest_report << " " << id(level)
                                           << " line " << i << " horizon " << horizon << "\n"
                                           << whole();
    }
    if (reported > 0) {
      ++tried.violated;
      break;
    }
  }
  tried.forgotten += watch.counters().forgotten;
}

void compare_many(std::string_view suite, bool lists, bool repeat, bool unknown) {
  Random random(test::suite_seed(suite));
  Tried tried;
  for (std::size_t i = 0; i < test::scaled(20'000, 300) && !testing::Test::HasFatalFailure(); ++i) {
    const Stream stream = random_stream(random, lists, repeat, unknown);
    const Level level = random.below(2) == 0 ? Level::StrictSer : Level::StrongSi;
    const std::int64_t horizon = random.below(4) == 0
                                     ? 0
                                     : static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(
                                           stream.span / (random.below(2) == 0 ? 3 : 15) + 1)));
    compare(stream, level, horizon, repeat, tried);
  }
  fmt::print("{} prefixes, {} violated, {} waited, {} streams left, {} forgotten\n", tried.prefixes,
             tried.violated, tried.waited, tried.not_judged, tried.forgotten);
  EXPECT_GT(tried.forgotten, tried.prefixes / 10);
  EXPECT_GT(tried.violated, 0u);
}

TEST(WatchAgainstCheck, RegistersOfUniqueValues) { compare_many("watch-unique", false, false, false); }
TEST(WatchAgainstCheck, RegistersOfRepeatedValues) { compare_many("watch-repeated", false, true, false); }
TEST(WatchAgainstCheck, Lists) { compare_many("watch-lists", true, false, false); }
TEST(WatchAgainstCheck, UnknownOutcomes) { compare_many("watch-unknown", false, false, true); }
TEST(WatchAgainstCheck, UnknownOutcomesOfRepeatedValues) {
  compare_many("watch-unknown-repeated", false, true, true);
}
TEST(WatchAgainstCheck, UnknownOutcomesOfLists) { compare_many("watch-unknown-lists", true, false, true); }

}  // namespace
}  // namespace assay::watch
