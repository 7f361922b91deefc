// Reads JSON piece by piece: what is large is walked through, what is small arrives as a Datum.
//
// A visitor says which arrays (and whether the object at the root) to walk into; every other value
// it is handed whole. So a file that is one array of a million operations costs the memory of one.
// The grammar is nlohmann's SAX parser over the window of a ByteSource; it does not recurse, checks
// UTF-8, and keeps the digits of numbers.
#pragma once

#include "history_io/byte_source.h"
#include "history_io/datum.h"

namespace assay {

struct JsonPlace {
  std::string key;                // below the object at the root; empty when the root is an array
  std::vector<std::size_t> path;  // positions in the arrays walked into
  std::uint64_t line = 1;
};

class JsonVisitor {
 public:
  virtual ~JsonVisitor() = default;
  // Whether to walk into the array (or the root object) that begins here.
  virtual bool enters(const JsonPlace& place, DatumKind kind) = 0;
  virtual Result<void> value(const JsonPlace& place, Datum value) = 0;
};

enum class JsonRoots { One, Many };  // Many: values one after the other, as in JSON Lines

Result<void> read_json(ByteSource& source, JsonRoots roots, JsonVisitor& visitor);

// The text that follows `"key":` at the top of the first object in `beginning`, which may stand
// first in an array and need not be complete; nothing when the key is not there. For detection.
std::optional<std::string_view> peek_json(std::string_view beginning, std::string_view key);

}  // namespace assay
