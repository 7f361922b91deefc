// Nearly all lines of nearly all histories are spelled as our own writer spells them: no white space,
// fields in its order, reads and writes of integers under integer or plain string keys. Those are taken
// straight from the text, with a third of the instructions; whatever looks different in any way is left to
// the general path, which starts the line again. No test for the end is needed between the characters of a
// number or string: the line is followed by its newline or by the window's padding.
#include "history_io/jsonl_plain_line.h"

namespace assay {
namespace {

class PlainLine {
 public:
  PlainLine(std::string_view line, HistoryBuilder& builder)
      : at_(line.data()), end_(line.data() + line.size()), builder_(builder) {}

  const TransactionHead& head() const { return head_; }

  // Adds the operations to the builder. False: not a plain line; some of them may have been added.
  bool read() {
    Scalar session, txn;
    if (!literal("{\"session\":") || !name(session) || !literal(",\"txn\":") || !name(txn)) return false;
    if (literal(",\"status\":\"aborted\"")) head_.outcome = Outcome::Aborted;
    else if (literal(",\"status\":\"unknown\"")) head_.outcome = Outcome::Unknown;
    if (!instant(",\"begin\":", head_.instants.begin) || !instant(",\"began\":", head_.instants.began) ||
        !instant(",\"committing\":", head_.instants.committing) || !instant(",\"end\":", head_.instants.end) ||
        !literal(",\"ops\":["))
      return false;
    if (*at_ != ']')
      do
        if (!item()) return false;
      while (*at_++ == ',' && *at_ == '[');
    else ++at_;
    if (at_[-1] != ']' || at_ + 1 != end_ || *at_ != '}') return false;
    head_.session = builder_.session(session);
    head_.name = txn;
    return true;
  }

 private:
  bool literal(std::string_view text) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }

  bool item() {
    const bool is_read = at_[0] == '[' && at_[1] == '"' && at_[2] == 'r';
    const bool is_write = at_[0] == '[' && at_[1] == '"' && at_[2] == 'w';
    if ((!is_read && !is_write) || at_[3] != '"' || at_[4] != ',') return false;
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
    const char* begin = at_;
    std::int64_t number = 0;
    for (; *at_ >= '0' && *at_ <= '9'; ++at_) {
      if (at_ - begin == 18) return false;
      number = number * 10 + (*at_ - '0');
    }
    if (at_ == begin || (*begin == '0' && at_ - begin > 1)) return false;
    into = Scalar::integer(number);
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
  TransactionHead head_;
};

}  // namespace

std::optional<TransactionHead> read_plain_line(std::string_view line, HistoryBuilder& builder) {
  PlainLine plain(line, builder);
  if (!plain.read()) return std::nullopt;
  return plain.head();
}

}  // namespace assay
