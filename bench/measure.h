// What a step costs, measured in a child process of its own, so that the peak memory is the step's.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/contract.h"

namespace assay {

struct Measurement {
  bool ok = false;
  double cpu_seconds = 0;
  double peak_megabytes = 0;
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

template <class Step>
Measurement in_child(Step step) {
  const pid_t child = ::fork();
  ASSAY_REQUIRE(child >= 0);
  if (child == 0) ::_exit(step() ? 0 : 1);
  int status = 0;
  rusage usage{};
  ASSAY_REQUIRE(::wait4(child, &status, 0, &usage) == child);
  return {.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0,
          .cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime),
          .peak_megabytes = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6};
}

template <class Step>
Measurement median_of_three(Step step) {
  std::array<Measurement, 3> runs;
  for (Measurement& run : runs) run = in_child(step);
  std::ranges::sort(runs, {}, &Measurement::cpu_seconds);
  runs[1].ok = std::ranges::all_of(runs, &Measurement::ok);
  return runs[1];
}

}  // namespace assay
