// From SPEC on the command line to a Specification: built-in files, files of the user, and what they include.
#pragma once

#include <span>

#include "spec/resolve.h"

namespace assay::spec {

struct BuiltinFile {
  std::string_view name, text;
};
// prelude first: every file may use it.
std::span<const BuiltinFile> builtin_files();

// `framework:LEVEL` of a built-in file, `FILE:LEVEL`, or a level of `assay check` by its name there, such as
// si. The file's text is read when it is not built in.
Result<Specification> load_specification(const std::string& spec);

// A built-in file by its name, or a file; with what it includes.
Result<Library> load_library(const std::string& file);
// The same for text that is no file, which may include built-in files only.
Result<Library> library_of_text(std::string_view text, const std::string& called);

}  // namespace assay::spec
