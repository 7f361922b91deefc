// Feeds one reader with anything, and holds it to what a reader promises.
//
// Linked once per format with kFuzzedFormat as its id. Any input is either refused with an
// error or becomes a history; a history survives being written natively and read again, and
// survives its own format too whenever that format says it can express it without loss. Sanitizers
// watch the rest. For formats of directories kNextFile separates the files of one input; one without
// it is a single log.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "history/compare.h"
#include "history/describe.h"
#include "history/edit.h"
#include "history_io/format.h"

extern const char kFuzzedFormat[];

namespace {

using namespace assay;

constexpr std::string_view kNextFile = "\n%%\n";

[[noreturn]] void broken(std::string_view promise, const std::string& detail) {
  fmt::print(stderr, "{}: {}: {}\n", kFuzzedFormat, promise, detail);
  std::abort();
}

const Format& format_called(std::string_view id) {
  const Format* format = find_format(id);
  if (format == nullptr) broken("is no format", std::string(id));
  return *format;
}

// Private to this process, gone when it ends.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) broken("no scratch directory", name);
    path_ = name;
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string empty_directory(std::string_view name) {
  static const ScratchDirectory scratch;
  const std::filesystem::path path = scratch.path() / name;
  std::filesystem::remove_all(path);
  std::filesystem::create_directory(path);
  return path.string();
}

Result<History> read_as_directory(const Format& format, std::string_view input) {
  const std::string directory = empty_directory("in");
  for (int file = 0;; ++file) {
    const std::size_t end = std::min(input.find(kNextFile), input.size());
    std::ofstream(fmt::format("{}/J{}.log", directory, file), std::ios::binary) << input.substr(0, end);
    if (end == input.size()) break;
    input.remove_prefix(end + kNextFile.size());
  }
  return read_history(directory, &format);
}

Result<History> read(const Format& format, std::string_view input) {
  const bool several_files = input.find(kNextFile) != std::string_view::npos;
  if (format.read_directory != nullptr && several_files) return read_as_directory(format, input);
  return read_history(ByteSource::from_memory("input", std::string(input)), &format);
}

// The history after a round trip through the format; an error when the format cannot express it.
Result<History> written_and_read(const Format& format, const History& history) {
  if (format.write_directory != nullptr) {
    const std::string directory = empty_directory("out") + "/history";
    ASSAY_TRY(format.write_directory(history, directory, {}));
    auto again = read_history(directory, &format);
    if (!again) broken("cannot read what it wrote", again.error().describe());
    return again;
  }
  std::string bytes;
  ByteSink sink = ByteSink::to_memory(bytes);
  ASSAY_TRY(format.write(history, sink, {}));
  ASSAY_TRY(sink.close());
  auto again = read_history(ByteSource::from_memory("written", bytes), &format);
  if (!again) broken("cannot read what it wrote", again.error().describe() + "\n" + bytes);
  return again;
}

// Sessions without transactions and keys without operations say nothing, and few formats can name them.
History without_unused(const History& history) {
  return restrict(
      history, [](TxnId) { return true; }, [](OpId) { return true; });
}

std::string describe(const History& history, TxnId t) {
  std::string text = fmt::format("{}", static_cast<int>(history.outcome(t)));
  const Instants at = history.instants(t);
  for (const auto& instant : {at.begin, at.began, at.committing, at.end})
    text += instant ? fmt::format(" {}", *instant) : " -";
  for (const OpId op : history.operations(t)) text += " " + describe(history, op);
  return text + " |";
}

// What a history says, whatever it calls sessions and transactions and in whichever order sessions
// come: formats may put that order differently.
std::vector<std::string> statements(const History& history) {
  std::vector<std::string> all;
  for (const SessionId s : history.sessions()) {
    std::string& session = all.emplace_back();
    for (const TxnId t : history.transactions(s)) session += describe(history, t);
  }
  for (const KeyId key : history.keys()) {
    const KeyValueId initial = history.initial_value(key);
    all.push_back(fmt::format("{} starts with {}", spell(history.pool(), history.name(key)),
                              initial.is_none() ? "nothing" : spell(history.pool(), history.value(initial))));
  }
  std::ranges::sort(all);
  return all;
}

void check_native_round_trip(const Format& native, const History& history) {
  const auto again = written_and_read(native, history);
  if (!again) broken("cannot be written natively", again.error().describe());
  if (const auto difference = first_difference(without_unused(history), without_unused(*again)))
    broken("changes in a native round trip", *difference);
}

void check_own_round_trip(const Format& format, const History& history) {
  if (format.write == nullptr && format.write_directory == nullptr) return;
  const auto again = written_and_read(format, history);
  if (!again) return;
  const auto before = statements(without_unused(history)), after = statements(without_unused(*again));
  if (before == after) return;
  const auto at = std::ranges::mismatch(before, after);
  broken("changes in a round trip", fmt::format("{} against {}", at.in1 == before.end() ? "nothing" : *at.in1,
                                                at.in2 == after.end() ? "nothing" : *at.in2));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Format& format = format_called(kFuzzedFormat);
  static const Format& native = format_called("jsonl");
  const auto history = read(format, {reinterpret_cast<const char*>(data), size});
  if (!history) {
    if (history.error().what.empty()) broken("refuses without a reason", history.error().describe());
    return 0;
  }
  check_native_round_trip(native, *history);
  check_own_round_trip(format, *history);
  return 0;
}
