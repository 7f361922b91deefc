#pragma once

#include <gtest/gtest.h>

#include "spec/load.h"
#include "synthesis/find.h"

namespace assay::test {

// SPECs separated by blanks.
inline std::vector<spec::Specification> specs(const std::string& names) {
  std::vector<spec::Specification> result;
  std::istringstream words(names);
  for (std::string word; words >> word;) {
    auto loaded = spec::load_specification(word);
    if (!loaded) ADD_FAILURE() << loaded.error().describe();
    else result.push_back(std::move(loaded).value());
  }
  return result;
}

inline spec::Specification level(const std::string& text, const std::string& name) {
  const auto library = spec::library_of_text(text, "test");
  if (!library) {
    ADD_FAILURE() << library.error().describe();
    return {};
  }
  return library->find("", name).value();
}

inline synthesis::FindResult found(const synthesis::Problem& problem, const synthesis::Scope& scope,
                                   const synthesis::FindOptions& more = {}) {
  synthesis::FindOptions options = more;
  options.scope = scope;
  auto result = synthesis::find(problem, options);
  if (!result) {
    ADD_FAILURE() << result.error().describe();
    return {};
  }
  return std::move(result).value();
}

inline std::size_t transactions(const synthesis::FindResult& result) {
  return result.found.empty() ? 0 : result.found[0].solution.facts.transactions - 1;
}

}  // namespace assay::test
