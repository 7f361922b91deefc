// Where the lines of a stream come from: a pipe, a growing file, or the journals of a run.
//
// A source never blocks for longer than it is asked to, and reads only when it is asked. So a stream that is
// faster than its judge waits in the pipe or in the file, and memory does not grow.
//
// A file may be rotated (another file takes its name: the rest of the old one is read first) or truncated (it
// is shorter than what was read: it is read from its beginning). Only whole lines are read, and nothing from
// a byte of zero on, which a file that is extended before it is written has at its end.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::watch {

enum class Supply : std::uint8_t {
  More,      // there are lines left
  CaughtUp,  // no more lines for now
  End,       // no more lines will come
};

class LineSource {
 public:
  virtual ~LineSource() = default;

  // Calls take(line) for lines that are there, up to about `most` of them. Waits at most `seconds` for the
  // first.
  virtual Result<Supply> read(std::size_t most, double seconds,
                              const std::function<void(std::string_view line)>& take) = 0;
  // The rest of the stream, when nothing more is written to it: a last line without an end.
  virtual void finish(const std::function<void(std::string_view line)>& take) = 0;
  // The instants of lines to come are later than this by the source's own knowledge; called by the judge so
  // that a source knows how far the stream has come.
  virtual void reached(std::int64_t /*latest*/) {}

  virtual std::uint64_t bytes_behind() const = 0;  // that were written and not yet read, as far as is known
  // Where to go on after a restart, as one line; empty: this source cannot.
  virtual std::string place() const = 0;
  virtual Result<void> go_on_from(std::string_view place) = 0;

  // What happened to the source since the last call: rotated, truncated.
  std::vector<std::string> take_notes() { return std::move(notes_); }

 protected:
  void note(std::string what) { notes_.push_back(std::move(what)); }

 private:
  std::vector<std::string> notes_;
};

// "-" is standard input. `patience`: how much later than its begin, in nanoseconds, a transaction in a
// journal is expected to have an outcome.
Result<std::unique_ptr<LineSource>> open_source(const std::string& path, std::int64_t patience);

}  // namespace assay::watch
