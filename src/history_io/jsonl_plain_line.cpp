// Nearly all lines of nearly all histories are spelled as our own writer spells them: no white space,
// fields in its order, reads and writes of integers under integer or plain string keys. Those are taken
// straight from the text, with a third of the instructions; whatever looks different in any way is left to
// the general path, which starts the line again.
#include "history_io/jsonl_plain_line.h"

#include <cstring>

#include "history_io/digits.h"

namespace assay {
namespace {

// Walks along the line. Each step says whether it found what it wants, and then stands behind that.
class PlainLine {
 public:
  PlainLine(std::string_view line, HistoryBuilder& builder)
      : at_(line.data()), end_(line.data() + line.size()), builder_(builder) {}

  bool read(TransactionHead& head) {
    Scalar session, txn;
    if (!literal("{\"session\":") || !name(session) || !literal(",\"txn\":") || !name(txn)) return false;
    if (literal(",\"status\":\"aborted\"")) head.outcome = Outcome::Aborted;
    else if (literal(",\"status\":\"unknown\"")) head.outcome = Outcome::Unknown;
    if (!instant(",\"begin\":", head.instants.begin) || !instant(",\"began\":", head.instants.began) ||
        !instant(",\"committing\":", head.instants.committing) || !instant(",\"end\":", head.instants.end) ||
        !operations() || !literal("}") || at_ != end_)
      return false;
    head.session = builder_.session(session);
    head.name = txn;
    return true;
  }

 private:
  bool literal(std::string_view text) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }

  bool operations() {
    if (!literal(",\"ops\":[")) return false;
    if (literal("]")) return true;
    do
      if (!operation()) return false;
    while (*at_++ == ',');
    return at_[-1] == ']';
  }

  // No test for the end: the line is followed by its newline or by the window's padding.
  bool operation() {
    const bool is_read = std::memcmp(at_, "[\"r\",", 5) == 0;
    if (!is_read && std::memcmp(at_, "[\"w\",", 5) != 0) return false;
    at_ += 5;
    Scalar key, value;
    if (!name(key) || *at_++ != ',' || !integer(value) || *at_++ != ']') return false;
    const KeyId k = builder_.key(key);
    if (is_read) builder_.read(k, value);
    else builder_.write(k, value);
    return true;
  }

  // ASCII without escapes, or an integer.
  bool name(Scalar& into) {
    if (*at_ != '"') return integer(into);
    const char* begin = ++at_;
    while (*at_ != '"' && *at_ != '\\' && *at_ >= ' ') ++at_;
    if (*at_ != '"') return false;
    into = builder_.pool().string({begin, static_cast<std::size_t>(at_ - begin)});
    ++at_;
    return true;
  }

  bool integer(Scalar& into) {
    std::uint64_t number = 0;
    const std::size_t digits = parse_digits(at_, number);
    if (digits == 0 || (*at_ == '0' && digits > 1)) return false;
    into = {ScalarKind::Integer, number};
    at_ += digits;
    return true;
  }

  bool instant(std::string_view field, std::optional<std::int64_t>& into) {
    if (!literal(field)) return true;
    Scalar number;
    if (!integer(number)) return false;
    into = number.as_integer();
    return true;
  }

  const char* at_;
  const char* end_;
  HistoryBuilder& builder_;
};

}  // namespace

bool read_plain_line(std::string_view line, HistoryBuilder& builder, TransactionHead& head) {
  return PlainLine(line, builder).read(head);
}

}  // namespace assay
