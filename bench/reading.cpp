// How fast each format is read, beside the cost of its bytes alone.
//
//     bench_reading [TRANSACTIONS]
//
// One history of 20 operations a transaction is written in every format, then read back. Times are CPU
// seconds, the median of three. Every step runs in a child process of its own, so that the peak memory is the
// step's: the parent holds nothing that a child could inherit.
#include <fmt/format.h>
#include <fmt/os.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "history/builder.h"
#include "history_io/format.h"
#include "measure.h"

namespace {

using namespace assay;

constexpr std::size_t kOperations = 20;
constexpr std::size_t kKeys = 50'000;
constexpr std::size_t kSessions = 20;

// Half reads, each of the last value written. The first access to a key is a write: nothing depends
// on what keys start with, in which formats differ.
History make_history(std::size_t transactions, std::optional<Scalar> initial) {
  HistoryBuilder builder;
  builder.set_initial(initial);
  Random random(1);
  std::vector<SessionId> sessions;
  for (std::size_t i = 0; i < kSessions; ++i) sessions.push_back(builder.new_session());
  std::vector<std::int64_t> last(kKeys, 0);
  std::int64_t next = 1;
  for (std::size_t t = 0; t < transactions; ++t) {
    for (std::size_t i = 0; i < kOperations; ++i) {
      const std::size_t k = random.below(kKeys);
      const KeyId key = builder.key(Scalar::integer(static_cast<std::int64_t>(k)));
      if (last[k] != 0 && random.chance(0.5)) {
        builder.read(key, Scalar::integer(last[k]));
      } else {
        last[k] = next++;
        builder.write(key, Scalar::integer(last[k]));
      }
    }
    ASSAY_REQUIRE(builder.finish({.session = sessions[t % kSessions]}).has_value());
  }
  return std::move(builder).build().value();
}

// The two formats that Assay reads and does not write, in the bench's own hand.
void print_awdit(const History& h, const std::string& path) {
  fmt::ostream file = fmt::output_file(path);
  for (const SessionId s : h.sessions()) {
    if (s.index() > 0) file.print("=\n");
    for (const TxnId t : h.transactions(s)) {
      if (h.position(t) > 0) file.print("-\n");
      for (const OpId op : h.operations(t))
        file.print("{} {} {}\n", h.kind(op) == OpKind::Read ? 'r' : 'w', h.display(h.key(op)),
                   h.value(h.value(op)).as_integer());
    }
  }
}

void print_viper(const History& h, const std::string& directory) {
  std::filesystem::create_directory(directory);
  for (const SessionId s : h.sessions()) {
    fmt::ostream file = fmt::output_file(fmt::format("{}/J{}.log", directory, s.index()));
    for (const TxnId t : h.transactions(s)) {
      const char* separator = "{\"value\": [";
      for (const OpId op : h.operations(t)) {
        const bool is_read = h.kind(op) == OpKind::Read;
        file.print("{}[\"{}\", {}, {}, {}]", separator, is_read ? 'r' : 'w', h.display(h.key(op)),
                   h.value(h.value(op)).as_integer(), !is_read);
        separator = ", ";
      }
      file.print("]}}\n");
    }
  }
}

bool write_somehow(std::size_t transactions, const std::string& path, const Format& format) {
  if (format.id == "awdit") return print_awdit(make_history(transactions, std::nullopt), path), true;
  if (format.id == "viper") return print_viper(make_history(transactions, std::nullopt), path), true;
  // Formats start keys with different values, and refuse a history that starts otherwise.
  for (const auto& initial :
       {std::optional(Scalar::integer(0)), std::optional(Scalar::null()), std::optional<Scalar>()})
    if (write_history(make_history(transactions, initial), path, format, {.lossy = true})) return true;
  return false;
}

std::vector<std::string> files_of(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path().string());
  return files;
}

bool read_bytes_alone(const std::string& path) {
  for (const std::string& file : files_of(path)) {
    auto source = ByteSource::open(file);
    if (!source) return false;
    do source->consume(source->window().size());
    while (source->refill());
    if (source->failure()) return false;
  }
  return true;
}

double megabytes(const std::string& path) {
  double bytes = 0;
  for (const std::string& file : files_of(path))
    bytes += static_cast<double>(std::filesystem::file_size(file));
  return bytes / 1e6;
}

void report(const Format& format, std::size_t transactions, const std::string& path) {
  if (!in_child([&] { return write_somehow(transactions, path, format); }).ok) {
    fmt::print("| {} | cannot express it | | | | | |\n", format.id);
    return;
  }
  const Measurement bytes = median_of_three([&] { return read_bytes_alone(path); });
  const Measurement whole = median_of_three([&] { return read_history(path, &format).has_value(); });
  const double size = megabytes(path);
  if (!bytes.ok || !whole.ok) {
    fmt::print("| {} | {:.1f} | cannot be read back | | | | |\n", format.id, size);
    return;
  }
  fmt::print("| {} | {:.1f} | {:.2f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |\n", format.id, size,
             whole.cpu_seconds, size / whole.cpu_seconds,
             static_cast<double>(transactions) / whole.cpu_seconds,
             whole.cpu_seconds / std::max(bytes.cpu_seconds, 1e-3), whole.peak_megabytes);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t transactions = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  std::string directory = (std::filesystem::temp_directory_path() / "assay-bench-XXXXXX").string();
  ASSAY_REQUIRE(transactions > 0 && ::mkdtemp(directory.data()) != nullptr);
  fmt::print("{} transactions of {} operations, {} keys, {} sessions\n\n", transactions, kOperations, kKeys,
             kSessions);
  fmt::print(
      "| format | MB | CPU s | MB/s | transactions/s | times the bytes alone | peak MB |\n"
      "|---|---|---|---|---|---|---|\n");
  std::fflush(stdout);
  for (const Format* format : formats()) {
    report(*format, transactions, fmt::format("{}/history-{}", directory, format->id));
    std::fflush(stdout);
  }
  std::filesystem::remove_all(directory);
}
