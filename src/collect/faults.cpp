#include "collect/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace assay {
namespace {

constexpr double kFraction = 0.02;               // of the transactions have each fault
constexpr double kSoonest = 0.5, kLatest = 1.5;  // seconds between two kills

}  // namespace

Result<Faults> parse_faults(std::string_view names) {
  Faults faults;
  std::istringstream list{std::string(names)};
  for (std::string name; std::getline(list, name, ',');) {
    if (name == "cut-connection") faults.cut_connection = true;
    else if (name == "pause-client") faults.pause_client = true;
    else if (name == "delay-commit") faults.delay_commit = true;
    else if (name == "kill-server") faults.kill_server = true;
    else
      return error(fmt::format("unknown fault {}", name),
                   "one of cut-connection, pause-client, delay-commit, kill-server");
  }
  return faults;
}

void FaultLog::note(const FaultEvent& event) {
  if (events_.size() < kMost) events_.push_back(event);
  else ++left_out_;
}

void FaultLog::add(const FaultLog& other) {
  events_.insert(events_.end(), other.events_.begin(), other.events_.end());
  left_out_ += other.left_out_;
}

std::string FaultLog::json(std::uint64_t seed) const {
  std::vector<FaultEvent> sorted = events_;
  std::ranges::stable_sort(sorted, {}, &FaultEvent::instant);
  std::string happened;
  for (const FaultEvent& event : sorted)
    happened += fmt::format("{}[{},\"{}\"{}]", happened.empty() ? "" : ",", event.instant, event.name,
                            event.session == 0 ? "" : fmt::format(",{}", event.session));
  return fmt::format(R"({{"seed":{},"happened":[{}],"left_out":{}}})", seed, happened, left_out_);
}

void ClientFaults::begin(std::size_t operations) {
  cut_ = faults_.cut_connection && random_.chance(kFraction) ? random_.below(operations + 1) : kNowhere;
  pause_ = faults_.pause_client && random_.chance(kFraction) ? random_.below(operations) : kNowhere;
  delay_ = faults_.delay_commit && random_.chance(kFraction) ? operations : kNowhere;
  // Half of the cuts at the commit: there it matters whether it arrived.
  if (cut_ != kNowhere && random_.chance(0.5)) cut_ = operations;
}

double until_next_kill(Random& random) { return kSoonest + (kLatest - kSoonest) * random.unit(); }

}  // namespace assay
