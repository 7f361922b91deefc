// The part of a stream that is still needed: the state that the forgotten transactions left, and the lines of
// the others.
//
// It holds text. Each time it is judged, the lines become a history by way of the reader that `assay check`
// uses, and the state becomes the initial values. Reading takes a small part of the time of judging. In
// return, everything that a restart needs is a text.
//
// A list has no initial value in a history. So its state is a transaction before all others, which appended
// the elements; these come after the transactions of the lines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "history/builder.h"
#include "watch/settle.h"

namespace assay::watch {

class Window {
 public:
  // `by_position`: the position of a line takes the place of its instants, and the horizon counts lines.
  explicit Window(bool by_position) : by_position_(by_position) {}

  // The first line of the stream, if it is a header.
  Result<void> set_header(std::string_view line);
  // Adds the line of a transaction. Positions increase.
  void add(std::string_view line, std::uint64_t position);
  // Removes the lines for which drop(index) holds; counted as the transactions of history() are.
  void remove_if(const std::function<bool(std::size_t)>& drop);
  // Puts other lines in the places of some; sorted by index.
  void replace(const std::vector<std::pair<std::size_t, std::string>>& others);

  // All lines as a history from the state. Transaction i is that of line i. An error names the place by the
  // index of the line, from 0.
  Result<History> history() const { return history_of(lines_.size()); }
  // The same for the first lines.
  Result<History> history_of(std::size_t lines) const;
  // Whether this line can be read by itself; otherwise what is wrong with it.
  Result<void> can_read(std::string_view line) const;

  // Takes over the state that the forgotten transactions leave. Their lines stay.
  void take_state(const History& history, const Settled& settled);

  std::size_t size() const { return lines_.size(); }
  std::uint64_t position(std::size_t index) const { return lines_[index].position; }
  std::string_view line(std::size_t index) const {
    return std::string_view(text_).substr(lines_[index].begin, lines_[index].length);
  }
  std::size_t keys() const { return state_.size() + lists_.size(); }  // with a state of their own
  std::size_t text_bytes() const { return text_.size(); }

  // The window as lines of text, and back.
  void save(std::string& out) const;
  Result<void> load(const std::function<bool(std::string_view&)>& next_line);

 private:
  void complete(HistoryBuilder& builder) const;

  struct Line {
    std::size_t begin, length;
    std::uint64_t position;
  };

  const bool by_position_;
  std::string header_ = "{\"assay\":1}\n";
  std::string text_;  // the lines, each with its end
  std::vector<Line> lines_;
  std::unordered_map<std::string, std::string> state_;               // by key: its value; both as JSON
  std::unordered_map<std::string, std::vector<std::string>> lists_;  // by key: its elements
};

}  // namespace assay::watch
