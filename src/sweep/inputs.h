// Which histories a sweep judges: the files and directories below the given paths that hold a history.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "history_io/format.h"

namespace assay::sweep {

struct Input {
  std::string path;
  std::uint64_t bytes = 0;
  std::int64_t modified = 0;  // nanoseconds; with the path and the size, it tells whether the file changed

  friend bool operator==(const Input&, const Input&) = default;
};

// Each path that is a history, and every history in a path that is a directory, sorted by path. In
// directories, files that are no history are left out, and so are hidden files and links to directories. A
// path that the user named is taken, whatever it is. `left_out` receives the files that are no history,
// hidden ones aside.
Result<std::vector<Input>> find_histories(const std::vector<std::string>& paths, const Format* format,
                                          std::vector<std::string>* left_out = nullptr);

// One of `of` equal parts of the work: every history whose position in the list is `number` modulo `of`.
struct Shard {
  std::size_t number = 1, of = 1;
};
Result<Shard> parse_shard(const std::string& text);  // "3/8"
std::vector<Input> part_of(const std::vector<Input>& inputs, Shard shard);

}  // namespace assay::sweep
