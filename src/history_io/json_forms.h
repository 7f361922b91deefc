// Reads JSON piece by piece: it traverses large arrays, and passes small values on as a Datum.
//
// A visitor decides which arrays (and whether the root object) to enter. It gets every other value as a
// whole. So a file that is one array of a million operations takes the memory of one operation. The grammar
// is nlohmann's SAX parser, running over the window of a ByteSource. It does not recurse, checks UTF-8, and
// keeps the digits of numbers.
#pragma once

#include "history_io/byte_source.h"
#include "history_io/datum.h"

namespace assay {

struct JsonPlace {
  std::string key;                // in the root object; empty if the root is an array
  std::vector<std::size_t> path;  // positions in the arrays that were entered
  std::uint64_t line = 1;
};

class JsonVisitor {
 public:
  virtual ~JsonVisitor() = default;
  // Whether to enter the array (or the root object) that begins here.
  virtual bool enters(const JsonPlace& place, DatumKind kind) = 0;
  virtual Result<void> value(const JsonPlace& place, Datum value) = 0;
};

enum class JsonRoots { One, Many };  // Many: one value after another, as in JSON Lines

Result<void> read_json(ByteSource& source, JsonRoots roots, JsonVisitor& visitor);

// For detection: the text after `"key":` at the top level of the first object in `beginning`. The object may
// be the first element of an array, and may be incomplete. Nothing if the key is not there.
std::optional<std::string_view> peek_json(std::string_view beginning, std::string_view key);

}  // namespace assay
