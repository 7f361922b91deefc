// PostgreSQL's log_line_prefix: what stands in front of each entry of a log in plain text.
//
// A prefix is a text with escapes (`%m [%p] %q%u@%d `). It is matched against the beginning of a line by
// trying every length of every escape that has no length of its own; lines begin with less than a hundred
// characters of prefix, so that is quick. Behind the prefix stands the severity (`LOG:  `), which is how a
// match is known to be one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::sql_log {

// A line that begins with the prefix.
struct PrefixedLine {
  std::string session, transaction;
  std::string_view severity, text;
};

class LinePrefix {
 public:
  static Result<LinePrefix> parse(std::string_view setting);
  // The setting that fits most of these lines; of several the first in a list of common ones.
  static Result<LinePrefix> guess(const std::vector<std::string_view>& lines);

  std::optional<PrefixedLine> match(std::string_view line) const;
  const std::string& setting() const { return setting_; }

 private:
  struct Part {
    char escape = '\0';  // as in `%m`; none: the text
    bool padded = false;
    std::string text{};
  };
  bool match_from(std::size_t part, std::string_view line, PrefixedLine& found) const;
  bool match_escape(std::size_t part, std::string_view line, PrefixedLine& found) const;
  bool tells_sessions_apart() const;

  std::string setting_;
  std::vector<Part> parts_;
};

}  // namespace assay::sql_log
