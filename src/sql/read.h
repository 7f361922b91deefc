// SQL files to an Application: the way in for everything that analyses programs.
//
// Files are read together: the schema may stand in one and the programs in others. Every function and
// procedure (except those of triggers) and every `-- transaction:` script is a program. See script.h for
// scripts, plpgsql.h and lowering.h for what their statements become. A program that cannot be read is left
// out of the others, with a note; where none can be read, the first problem is an error.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sql/program.h"

namespace assay::sql {

struct SourceFile {
  std::string name;  // as errors and places call it
  std::string text;
};

Result<Application> read_application(const std::vector<SourceFile>& files);
Result<Application> read_application_files(const std::vector<std::string>& paths);
// The tables only.
Result<Schema> read_schema(const std::vector<SourceFile>& files);

Result<std::vector<SourceFile>> read_source_files(const std::vector<std::string>& paths);

}  // namespace assay::sql
