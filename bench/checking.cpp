// How long checking takes, beside reading the same history as JSON Lines, and how it grows.
//
//     bench_checking [LARGEST]
//
// Histories of the simulated store at ser: 20 operations a transaction, half of them reads, 20 sessions, half
// as many keys as transactions; from 10,000 transactions, doubling up to LARGEST (default 100,000, which is
// added). CPU seconds, the median of three, each in a process of its own; checking is reading and checking
// less reading.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "check/check.h"
#include "history_io/format.h"
#include "measure.h"
#include "simulate/generator.h"

namespace {

using namespace assay;

bool write_generated(std::size_t transactions, std::size_t sessions, std::optional<Anomaly> inject,
                     const std::string& path) {
  const auto generated = generate({.isolation = Level::Ser,
                                   .sessions = sessions,
                                   .transactions = transactions,
                                   .operations = 20,
                                   .keys = transactions / 2,
                                   .inject = inject,
                                   .seed = 3});
  return generated && write_history(generated->history, path, *find_format("jsonl"), {}).has_value();
}

bool read_alone(const std::string& path) { return read_history(path).has_value(); }

bool read_and_check(const std::string& path, Level level) {
  const auto history = read_history(path);
  return history && check(*history, level).has_value();
}

void print_row(std::size_t transactions, std::size_t sessions, std::optional<Anomaly> inject,
               const std::string& path) {
  if (!in_child([&] { return write_generated(transactions, sessions, inject, path); }).ok) return;
  const Measurement reading = median_of_three([&] { return read_alone(path); });
  fmt::print("| {} | {} | {} | {:.2f} ({:.0f} MB)", transactions, sessions, inject ? name(*inject) : "-",
             reading.cpu_seconds, reading.peak_megabytes);
  for (const Level level : {Level::Ser, Level::Si, Level::Cc, Level::Ra, Level::Rc}) {
    const Measurement both = median_of_three([&] { return read_and_check(path, level); });
    fmt::print(" | {:.2f} ({:.0f} MB)", both.cpu_seconds - reading.cpu_seconds, both.peak_megabytes);
  }
  fmt::print(" |\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t largest = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("bench-checking-{}.jsonl", ::getpid())).string();
  fmt::print(
      "| transactions | sessions | planted | reading | ser | si | cc | ra | rc "
      "|\n|---|---|---|---|---|---|---|---|---|\n");
  for (std::size_t n = 10'000; n <= largest; n *= 2) print_row(n, 20, std::nullopt, path);
  print_row(largest, 20, std::nullopt, path);
  for (const std::size_t sessions : {10, 200}) print_row(largest, sessions, std::nullopt, path);
  for (const Anomaly anomaly : {Anomaly::LostUpdate, Anomaly::WriteSkew, Anomaly::LongFork})
    print_row(largest, 20, anomaly, path);
  std::filesystem::remove(path);
}
