// Reads EDN one top-level form at a time, or one element of a single top-level vector or list.
//
// The text streams through the window of a ByteSource: a form is parsed where it lies, and when the
// window ends inside it, it is parsed again from its beginning in a larger one, which happens about
// once a megabyte. Memory is one form (at most Form::kLargest bytes of text), never the file; nesting
// is at most Form::kDeepest, on a stack of its own. Tags (#inst, #jepsen.history.Op) are dropped and
// what they tag is kept.
//
// Jepsen prints whatever its operations hold: exceptions with #object[...], ratios, regular expressions,
// metadata. So everything that Clojure's printer writes has a structure here, and what has no meaning for a
// history becomes DatumKind::Other. Whoever uses such a value says that it is none; in a field that nobody
// uses it does no harm.
#pragma once

#include "history_io/byte_source.h"
#include "history_io/datum.h"

namespace assay {

class EdnReader {
 public:
  explicit EdnReader(ByteSource& source) : source_(source) {}

  // The next form; false at the end of the file.
  Result<bool> next(Form& form);
  // Where the form that next() gave begins.
  std::uint64_t line() const { return form_line_; }

  Error at_line(std::uint64_t line, std::string what, std::string remedy = {}) const;

 private:
  enum class Where { Start, Lines, Inside, Behind };

  bool skip_blank();
  void consume(std::size_t n);
  Result<bool> close(char bracket);
  Result<bool> parse(Form& form);
  Error cut_off() const;

  ByteSource& source_;
  Where where_ = Where::Start;
  char closing_ = 0;  // the bracket that ends the top-level sequence
  bool at_end_ = false;
  std::uint64_t line_ = 1;  // of the window's first byte
  std::uint64_t form_line_ = 1;
  std::uint64_t opened_line_ = 0;
};

// Whether ":text" is one EDN keyword.
bool is_edn_keyword(std::string_view text);
// Appends `text` as an EDN string, quotes included.
void print_edn_string(std::string_view text, std::string& out);

}  // namespace assay
