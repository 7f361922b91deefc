// Reads AWDIT's test format: lines `r k v` and `w k v`, a line of dashes between transactions, a line of
// equals signs between sessions.
//
// There is no initial state: a read returned a written value, or one that nobody wrote. All transactions are
// committed. Separators with nothing between them make no transaction or session.
#include <fmt/format.h>

#include "history/builder.h"
#include "history_io/format_rows.h"
#include "history_io/text_scan.h"

namespace assay {
namespace {

struct AwditLine {
  enum class Kind { Read, Write, EndOfTransaction, EndOfSession } kind{};
  std::int64_t key = 0, value = 0;
};

bool consists_of(std::string_view text, char c) {
  return text.find_first_not_of(c) == std::string_view::npos;
}

std::string_view take_word(std::string_view& rest) {
  rest = trim(rest);
  const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

Result<void> parse(std::string_view text, AwditLine& line) {
  line = {};
  if (consists_of(text, '-')) line.kind = AwditLine::Kind::EndOfTransaction;
  else if (consists_of(text, '=')) line.kind = AwditLine::Kind::EndOfSession;
  if (line.kind != AwditLine::Kind::Read) return {};

  std::string_view rest = text;
  const std::string_view kind = take_word(rest), key = take_word(rest), value = take_word(rest);
  if ((kind != "r" && kind != "w") || value.empty() || !trim(rest).empty())
    return error(
        fmt::format("expected 'r key value', 'w key value', '---' or '===', found {}", excerpt(text)));
  if (kind == "w") line.kind = AwditLine::Kind::Write;
  if (!parse_integer(key, line.key)) return bad_integer("the key", key);
  if (!parse_integer(value, line.value)) return bad_integer("the value", value);
  return {};
}

class AwditReader {
 public:
  explicit AwditReader(ByteSource& source) : source_(source) {}

  Result<History> run() {
    builder_.set_initial(std::nullopt);
    std::string_view text;
    while (source_.next_line(text)) {
      text = trim(text);
      if (text.empty()) continue;
      AwditLine line;
      auto done = parse(text, line);
      if (done) done = take(line);
      if (!done) return source_.at_line(std::move(done.error().what), std::move(done.error().remedy));
    }
    if (source_.failure()) return *source_.failure();
    ASSAY_TRY(finish_transaction());
    return std::move(builder_).build();
  }

 private:
  Result<void> take(const AwditLine& line) {
    const auto key = [&] { return builder_.key(Scalar::integer(line.key)); };
    switch (line.kind) {
      case AwditLine::Kind::Read: builder_.read(key(), Scalar::integer(line.value)); break;
      case AwditLine::Kind::Write: builder_.write(key(), Scalar::integer(line.value)); break;
      case AwditLine::Kind::EndOfTransaction: return finish_transaction();
      case AwditLine::Kind::EndOfSession:
        ASSAY_TRY(finish_transaction());
        session_ = SessionId::none();
        break;
    }
    return {};
  }

  Result<void> finish_transaction() {
    if (builder_.pending_operations() == 0) return {};
    if (session_.is_none()) session_ = builder_.new_session();
    return builder_.finish({.session = session_});
  }

  ByteSource& source_;
  HistoryBuilder builder_;
  SessionId session_ = SessionId::none();
};

Result<History> read_awdit(ByteSource& source) { return AwditReader(source).run(); }

// Requires an operation: separators also occur in other formats.
bool looks_like_awdit(std::string_view beginning) {
  const FirstLine first = first_line(beginning);
  AwditLine line;
  return !first.text.empty() && parse(first.text, line).has_value() &&
         (line.kind == AwditLine::Kind::Read || line.kind == AwditLine::Kind::Write);
}

}  // namespace

const Format format_rows::awdit{
    .id = "awdit",
    .description = "AWDIT's test format",
    .extension = "",
    .looks_like = looks_like_awdit,
    .read = read_awdit,
};

}  // namespace assay
