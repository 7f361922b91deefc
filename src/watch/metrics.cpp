#include "watch/metrics.h"

#include <fmt/format.h>

namespace assay::watch {
namespace {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

std::string status_line(const Status& s) {
  const Counters& c = s.counters;
  std::string text =
      fmt::format("{} transactions, {}/s, {} violation{}; keeping {}, {} MB",
                  grouped(c.committed + c.aborted + c.unknown), grouped(static_cast<std::uint64_t>(s.rate)),
                  grouped(c.violations), c.violations == 1 ? "" : "s", grouped(s.window), s.resident >> 20);
  if (s.waiting > 0) text += fmt::format("; {} wait for a writer", grouped(s.waiting));
  if (s.bytes_behind > 1 << 20) text += fmt::format("; {} MB behind", s.bytes_behind >> 20);
  if (c.malformed > 0) text += fmt::format("; {} lines malformed", grouped(c.malformed));
  if (c.late > 0) text += fmt::format("; {} late", grouped(c.late));
  if (c.undecided > 0) text += fmt::format("; {} times undecided", grouped(c.undecided));
  return text;
}

std::string metrics_text(const Status& s, std::string_view level) {
  std::string text;
  const auto metric = [&](std::string_view name, std::string_view type, std::string_view help, auto value,
                          std::string_view labels = {}) {
    fmt::format_to(std::back_inserter(text),
                   "# HELP assay_watch_{0} {2}\n# TYPE assay_watch_{0} {1}\nassay_watch_{0}{3} {4}\n", name,
                   type, help, labels, value);
  };
  const Counters& c = s.counters;
  fmt::format_to(std::back_inserter(text),
                 "# HELP assay_watch_transactions_total Transactions that were judged.\n"
                 "# TYPE assay_watch_transactions_total counter\n"
                 "assay_watch_transactions_total{{outcome=\"committed\"}} {}\n"
                 "assay_watch_transactions_total{{outcome=\"aborted\"}} {}\n"
                 "assay_watch_transactions_total{{outcome=\"unknown\"}} {}\n",
                 c.committed, c.aborted, c.unknown);
  metric("violations_total", "counter", "Violations that were reported.", c.violations,
         fmt::format("{{level=\"{}\"}}", level));
  metric("old_reads_total", "counter", "Reads of values that nobody wrote within the horizon.", c.old_reads);
  metric("lines_total", "counter", "Lines that were read.", c.lines);
  metric("malformed_total", "counter", "Lines that could not be judged.", c.malformed);
  metric("late_total", "counter", "Transactions that were reported too late to be judged.", c.late);
  metric("retired_total", "counter", "Transactions of unknown outcome that were forgotten unread.",
         c.retired);
  metric("reads_not_judged_total", "counter", "Reads of what late or retired transactions wrote.",
         c.not_judged);
  metric("reads_set_aside_total", "counter", "Reads that are no longer judged after a violation.",
         c.set_aside);
  metric("judgements_total", "counter", "How often the window was judged.", c.judgements);
  metric("undecided_total", "counter", "Judgements without a verdict.", c.undecided);
  metric("forgotten_total", "counter", "Transactions that were forgotten after they were judged.",
         c.forgotten);
  metric("window_transactions", "gauge", "Transactions that are kept.", s.window);
  metric("waiting_transactions", "gauge", "Transactions that wait for a writer to be reported.", s.waiting);
  metric("keys", "gauge", "Keys with a state of their own.", s.keys);
  metric("behind_bytes", "gauge", "Bytes that were written to the source and not yet read.", s.bytes_behind);
  metric("transactions_per_second", "gauge", "The rate since the last look.", s.rate);
  metric("delay_seconds", "gauge", "From a line's arrival to its verdict, the longest since the last look.",
         s.delay);
  metric("resident_bytes", "gauge", "Resident memory.", s.resident);
  metric("up_seconds", "counter", "Seconds since the start.", s.seconds);
  return text;
}

}  // namespace assay::watch
