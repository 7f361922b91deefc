#include "sweep/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace assay::sweep {
namespace {

namespace fs = std::filesystem;

// Size and time of a file; of a directory, those of all its files together.
Input described(const fs::path& path) {
  Input input{.path = path.string()};
  const auto add = [&](const fs::path& file) {
    std::error_code ignored;
    const auto size = fs::file_size(file, ignored);
    if (!ignored) input.bytes += size;
    const auto time = fs::last_write_time(file, ignored);
    if (!ignored)
      input.modified = std::max(input.modified, static_cast<std::int64_t>(time.time_since_epoch().count()));
  };
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) add(path);
  else
    for (const auto& entry : fs::directory_iterator(path, ignored)) add(entry.path());
  return input;
}

class Search {
 public:
  explicit Search(const Format* format) : format_(format) {}

  void enter(const fs::path& directory) {
    if (is_history(directory)) return found.push_back(described(directory));
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(directory, problem)) {
      const fs::path& path = entry.path();
      if (path.filename().string().starts_with('.')) continue;
      if (entry.is_directory(problem)) {
        if (!entry.is_symlink(problem)) enter(path);
      } else if (is_history(path)) {
        found.push_back(described(path));
      } else {
        left_out.push_back(path.string());
      }
    }
  }

  std::vector<Input> found;
  std::vector<std::string> left_out;

 private:
  bool is_history(const fs::path& path) const {
    const Format* recognised = recognised_format(path.string());
    return recognised != nullptr && (format_ == nullptr || format_ == recognised);
  }

  const Format* format_;
};

}  // namespace

Result<std::vector<Input>> find_histories(const std::vector<std::string>& paths, const Format* format,
                                          std::vector<std::string>* left_out) {
  Search search(format);
  for (const std::string& path : paths) {
    std::error_code problem;
    if (!fs::exists(path, problem)) return error(fmt::format("{}: no such file or directory", path));
    if (fs::is_directory(path, problem)) search.enter(path);
    else search.found.push_back(described(path));
  }
  std::ranges::sort(search.left_out);
  if (left_out != nullptr) *left_out = std::move(search.left_out);
  std::ranges::sort(search.found, {}, &Input::path);
  const auto repeated = std::ranges::unique(search.found, {}, &Input::path);
  search.found.erase(repeated.begin(), repeated.end());
  return std::move(search.found);
}

Result<Shard> parse_shard(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  if (number.ec == std::errc() && number.ptr != end && *number.ptr == '/') {
    const auto of = std::from_chars(number.ptr + 1, end, shard.of);
    if (of.ec == std::errc() && of.ptr == end && shard.number >= 1 && shard.number <= shard.of) return shard;
  }
  return error(fmt::format("{} is no part of the work", text), "the third of eight parts is --shard 3/8");
}

std::vector<Input> part_of(const std::vector<Input>& inputs, Shard shard) {
  std::vector<Input> part;
  for (std::size_t i = shard.number - 1; i < inputs.size(); i += shard.of) part.push_back(inputs[i]);
  return part;
}

}  // namespace assay::sweep
