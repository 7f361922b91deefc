#include "support/round_trip.h"

#include <stdlib.h>

#include <filesystem>

namespace assay::test {

Result<History> read_text(std::string_view text, std::string_view format) {
  return read_history(ByteSource::from_memory("test", std::string(text)), find_format(format));
}

Result<std::string> write_text(const History& history, std::string_view format, WriteOptions options) {
  std::string bytes;
  ByteSink sink = ByteSink::to_memory(bytes);
  auto report = find_format(format)->write(history, sink, options);
  if (!report) return std::move(report).error();
  ASSAY_TRY(sink.close());
  return bytes;
}

Result<History> round_trip(const History& history, std::string_view format, WriteOptions options) {
  if (find_format(format)->write_directory == nullptr) {
    auto text = write_text(history, format, options);
    if (!text) return std::move(text).error();
    return read_text(*text, format);
  }
  std::string directory = std::filesystem::temp_directory_path() / "assay-test-XXXXXX";
  ASSAY_REQUIRE(mkdtemp(directory.data()) != nullptr);
  const std::string path = directory + "/history";
  auto report = write_history(history, path, *find_format(format), options);
  Result<History> again = report ? read_history(path, find_format(format)) : Result<History>(report.error());
  std::filesystem::remove_all(directory);
  return again;
}

}  // namespace assay::test
