// What a run of `assay watch` reports about itself: one line for people, a text for Prometheus.
#pragma once

#include <string>

#include "watch/watch.h"

namespace assay::watch {

struct Status {
  Counters counters;
  std::size_t window = 0, waiting = 0, keys = 0;  // transactions kept; that wait; keys with a state
  std::uint64_t bytes_behind = 0;                 // written to the source and not yet read
  double seconds = 0;                             // since the start
  double rate = 0;                                // transactions a second, since the last status
  double delay = 0;          // seconds from a line's arrival to its verdict, at most, lately
  std::size_t resident = 0;  // bytes
};

std::string status_line(const Status& status);
// In the text format of Prometheus.
std::string metrics_text(const Status& status, std::string_view level);

}  // namespace assay::watch
