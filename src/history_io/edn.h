// Reads EDN one top-level form at a time, or one element at a time of a single top-level vector or list.
//
// The text streams through the window of a ByteSource. A form is parsed in place. If the window ends within
// it, the form is parsed again from its beginning in a larger window, which happens about once a megabyte.
// Memory is one form (at most Form::kLargest bytes of text), never the file. Nesting is at most
// Form::kDeepest, on an explicit stack. Tags (#inst, #jepsen.history.Op) are dropped; the tagged data is
// kept.
//
// Jepsen prints whatever its operations contain: exceptions with #object[...], ratios, regular expressions,
// metadata. So this reader accepts everything that Clojure's printer writes. Data that has no meaning for a
// history becomes DatumKind::Other. A caller that needs such a field reports an error; in other fields it
// does no harm.
#pragma once

#include "history_io/byte_source.h"
#include "history_io/datum.h"

namespace assay {

class EdnReader {
 public:
  explicit EdnReader(ByteSource& source) : source_(source) {}

  // Reads the next form. Returns false at the end of the file.
  Result<bool> next(Form& form);
  // The line on which the last form from next() began.
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
// Appends `text` as an EDN string, with its quotes.
void print_edn_string(std::string_view text, std::string& out);

}  // namespace assay
