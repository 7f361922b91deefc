// Feeds the specification language with anything, and holds it to what it promises.
//
// A text is refused with a reason and a place, the same each time; or every level and every relation that it
// defines has a meaning, by its name. Nothing is evaluated: a small text may well speak of more tuples than
// there is time for.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "spec/load.h"
#include "spec/parser.h"

namespace {

using namespace assay;

[[noreturn]] void broken(std::string_view promise, const std::string& detail) {
  fmt::print(stderr, "spec: {}: {}\n", promise, detail);
  std::abort();
}

void check_refusal(std::string_view text, const Error& refused) {
  if (refused.what.empty() || refused.place.empty()) broken("refuses without a reason", refused.describe());
  const auto again = spec::library_of_text(text, "input");
  if (again) broken("accepts what it has refused", refused.describe());
  if (again.error().describe() != refused.describe())
    broken("has another reason", refused.describe() + " against " + again.error().describe());
}

void check_meaning(const spec::Library& library, const spec::File& file) {
  for (const spec::Framework& framework : file.frameworks) (void)library.relations(framework.name.text);
  for (const spec::Definition& definition : file.definitions) {
    if (definition.anomaly) continue;
    const auto found = library.find(definition.framework.text, definition.name.text);
    if (!found) broken("does not find its own level", found.error().describe());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto library = spec::library_of_text(text, "input");
  const auto file = spec::parse(text, "input");
  if (!library) check_refusal(text, library.error());
  else if (!file) broken("means something and cannot be parsed", file.error().describe());
  else check_meaning(*library, *file);
  return 0;
}
