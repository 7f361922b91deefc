// The files statement by statement in the user's own words: for who runs them on a server.
//
// The analysis sees a model of the programs (program.h); a replay sends what the user wrote. Names, lines and
// the order of programs are those of read_application(), from the same files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "sql/read.h"
#include "sql/script.h"

namespace assay::sql {

struct WrittenStatement {
  std::string text;
  std::string kind;  // of PostgreSQL's parse tree: CreateStmt
  Place place;
  std::vector<std::size_t> parameters{};  // n of the $n in it, in order, each once
  bool stored = false;                    // \gset: its columns become variables
  std::string control{};                  // of TransactionStmt: TRANS_STMT_BEGIN
};

struct WrittenFunction {
  struct Argument {
    std::string name;
    bool in = true, out = false;
  };
  std::string name;       // without schema, as the analysis calls the program
  std::string qualified;  // as written, quoted
  std::vector<Argument> arguments;
  bool procedure = false, trigger = false, is_volatile = true;
  std::string language;
  Place place;
  // CREATE FUNCTION is `before`, the quoted body, `after`; a body in standard SQL is in `before`.
  std::string before, body, after;
  Place body_place;
  std::vector<WrittenStatement> statements{};  // of LANGUAGE sql: with offsets in the body
  std::vector<std::size_t> offsets{};
};

struct WrittenScript {
  std::string name;
  std::vector<Script::Parameter> parameters;
  std::vector<WrittenStatement> statements;
  Place place;
};

struct Written {
  struct Step {
    WrittenStatement statement;
    std::size_t function = kNone;  // when it creates one: its text is there
    static constexpr std::size_t kNone = SIZE_MAX;
  };
  std::vector<Step> setup;  // everything outside of transactions
  std::vector<WrittenFunction> functions;
  std::vector<WrittenScript> scripts;
};

Result<Written> as_written(const std::vector<SourceFile>& files);

}  // namespace assay::sql
