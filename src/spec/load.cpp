#include "spec/load.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "base/similar.h"
#include "spec/parser.h"
#include "spec/published.h"

namespace assay::spec {
namespace {

constexpr std::size_t kLargestFile = 4 << 20;

const BuiltinFile* find_builtin(std::string_view name) {
  for (const BuiltinFile& file : builtin_files())
    if (file.name == name) return &file;
  return nullptr;
}

Result<std::string> text_of(const std::string& path) {
  std::error_code problem;
  const auto size = std::filesystem::file_size(path, problem);
  if (problem) return Error{"cannot be read: " + problem.message(), "", path, ""};
  if (size > kLargestFile) return Error{"is too large for a specification", "", path, ""};
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) return Error{"cannot be read", "", path, ""};
  return text;
}

// Adds files in the order in which they may be used: what a file includes before it, each once.
class Loader {
 public:
  Result<void> add_builtin(const Named& what) {
    const BuiltinFile* file = find_builtin(what.text);
    if (file == nullptr) {
      std::vector<std::string> known;
      for (const BuiltinFile& one : builtin_files()) known.emplace_back(one.name);
      return error_at(
          what.place, fmt::format("there is no built-in file {}", what.text),
          fmt::format("there are {}; a file of your own stands in quotes", fmt::join(known, ", ")));
    }
    return add_once(what.text, "builtin/" + what.text + ".spec",
                    [&] { return Result<std::string>(std::string(file->text)); });
  }
  Result<void> add_path(const std::string& path) {
    return add_once(std::filesystem::path(path).lexically_normal().string(), path,
                    [&] { return text_of(path); });
  }
  Result<void> add_text(std::string_view text, const std::string& called) {
    auto file = parse(text, called);
    if (!file) return std::move(file).error();
    for (const Include& include : file->includes) {
      const auto beside = std::filesystem::path(called).parent_path() / include.what.text;
      ASSAY_TRY(include.builtin ? add_builtin(include.what) : add_included(include.what, beside.string()));
    }
    return library_.add(std::move(file).value());
  }
  Library take() { return std::move(library_); }

 private:
  template <class Read>
  Result<void> add_once(const std::string& key, const std::string& called, Read read) {
    if (!seen_.insert(key).second) return {};
    if (seen_.size() > 100) return Error{"too many files include each other", "", called, ""};
    auto text = read();
    if (!text) return std::move(text).error();
    return add_text(*text, called);
  }
  Result<void> add_included(const Named& what, const std::string& path) {
    if (!std::filesystem::exists(path)) return error_at(what.place, fmt::format("there is no file {}", path));
    return add_path(path);
  }

  Library library_;
  std::set<std::string> seen_;
};

}  // namespace

Result<Library> load_library(const std::string& file) {
  Loader loader;
  ASSAY_TRY(loader.add_builtin({"prelude", {}}));
  ASSAY_TRY(find_builtin(file) != nullptr ? loader.add_builtin({file, {}}) : loader.add_path(file));
  return loader.take();
}

Result<Library> library_of_text(std::string_view text, const std::string& called) {
  Loader loader;
  ASSAY_TRY(loader.add_builtin({"prelude", {}}));
  ASSAY_TRY(loader.add_text(text, called));
  return loader.take();
}

Result<Specification> load_specification(const std::string& spec) {
  for (const CheckedLevel& level : checked_levels())
    if (spec == level.name) {
      auto found = load_specification(level.spec);
      if (found) found->name = spec;
      return found;
    }
  const std::size_t colon = spec.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == spec.size())
    return error(fmt::format("{} is no specification", spec),
                 "framework:LEVEL of a built-in, such as biswas:SI, FILE:LEVEL, or a level of assay check");
  const std::string file = spec.substr(0, colon), level = spec.substr(colon + 1);
  std::string builtin = file;
  std::ranges::transform(builtin, builtin.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool known = find_builtin(builtin) != nullptr;
  if (!known && !std::filesystem::exists(file)) {
    std::vector<std::string> names;
    for (const BuiltinFile& one : builtin_files())
      if (one.name != "prelude" && one.name != "instances") names.emplace_back(one.name);
    std::string hint = did_you_mean(file, names);
    return error(fmt::format("{} is neither a built-in framework nor a file", file),
                 hint.empty() ? fmt::format("built in are {}", fmt::join(names, ", ")) : hint);
  }
  auto library = load_library(known ? builtin : file);
  if (!library) return std::move(library).error();
  auto found = library->find("", level);
  if (!found && found.error().file.empty()) found.error().file = file;
  if (found) found->name = (known ? builtin : file) + ":" + found->level;
  return found;
}

}  // namespace assay::spec
