// Nearly all lines of nearly all histories have the form that our own writer produces: no white space, fields
// in its order, reads and writes of integers under integer or plain string keys. This file reads those
// directly from the text, with a third of the instructions. It leaves all other lines to the general reader,
// which starts the line again.
#include "history_io/jsonl_plain_line.h"

#include "history_io/plain_text.h"

namespace assay {
namespace {

class PlainLine : PlainText {
 public:
  using PlainText::PlainText;

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
  bool operations() {
    if (!literal(",\"ops\":[")) return false;
    if (literal("]")) return true;
    do
      if (!operation()) return false;
    while (*at_++ == ',');
    return at_[-1] == ']';
  }

  bool operation() {
    const bool is_read = std::memcmp(at_, "[\"r\",", 5) == 0;
    if (!is_read && std::memcmp(at_, "[\"w\",", 5) != 0) return false;
    at_ += 5;
    Scalar key, value;
    if (!name(key) || !character(',') || !integer(value) || !character(']')) return false;
    const KeyId k = builder_.key(key);
    if (is_read) builder_.read(k, value);
    else builder_.write(k, value);
    return true;
  }

  bool instant(std::string_view field, std::optional<std::int64_t>& into) {
    if (!literal(field)) return true;
    Scalar number;
    if (!integer(number)) return false;
    into = number.as_integer();
    return true;
  }
};

}  // namespace

bool read_plain_line(std::string_view line, HistoryBuilder& builder, TransactionHead& head) {
  return PlainLine(line, builder).read(head);
}

}  // namespace assay
