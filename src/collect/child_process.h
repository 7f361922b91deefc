// A program that a shell runs for us, and with which we speak line by line over its standard input and
// output. It has a process group of its own, so that Ctrl-C is ours alone, and does not outlive us.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay {

class ChildProcess {
 public:
  static Result<ChildProcess> start(const std::string& command);
  ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();  // kills it

  // False: it hears nothing any more.
  bool send(std::string_view line) const;
  // The next line without its end. Nothing: it ended, or has said nothing in that time.
  std::optional<std::string> receive(std::chrono::milliseconds time);
  // Its input ends, and it has that time to end by itself.
  bool ends_within(std::chrono::milliseconds time);

 private:
  ChildProcess() = default;

  pid_t child_ = -1;
  int to_ = -1, from_ = -1;
  std::string received_;
};

}  // namespace assay
