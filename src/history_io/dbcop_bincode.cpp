// Reads and writes dbcop's `history.bincode`: fixed-width little-endian numbers, one session after another.
//
// It has five counts that no writer gets right (ignored), three strings (info, start, end), then sessions of
// transactions of events of 18 bytes each. The initial value is 0. Failed events are dropped; a transaction
// that is not committed is aborted. `info` is the history's note; start and end are written empty.
//
// Nothing is allocated by the counts of sessions, transactions and events, because the file may be shorter
// than they say. Events are decoded directly from the window, as many as it holds.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "history/builder.h"
#include "history_io/expressible.h"
#include "history_io/format_rows.h"

namespace assay {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand in the file");

constexpr std::size_t kEventBytes = 1 + 8 + 8 + 1;
constexpr std::size_t kHeaderBytes = 5 * 8;
constexpr std::int64_t kMostOfAnything = UINT32_MAX - 1;  // the most things that a history can number

std::int64_t load_little_endian(const char* at) {
  std::int64_t number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

class BincodeReader {
 public:
  explicit BincodeReader(ByteSource& source) : source_(source) {}

  Result<History> run() {
    builder_.set_initial(Scalar::integer(0));
    ASSAY_TRY(header());
    std::int64_t sessions = 0;
    ASSAY_TRY(count("sessions", sessions));
    for (std::int64_t i = 0; i < sessions; ++i) ASSAY_TRY(session());
    if (source_.need(1))
      return source_.at_byte(source_.offset(), "bytes follow the last session",
                             "expected the end of the file: the number of sessions or the file is damaged");
    return std::move(builder_).build();
  }

 private:
  Result<void> header() {
    if (!source_.need(kHeaderBytes)) return source_.cut_off("the header");
    source_.consume(kHeaderBytes);
    std::string info, ignored;
    ASSAY_TRY(text("info", info));
    ASSAY_TRY(text("start", ignored));
    ASSAY_TRY(text("end", ignored));
    builder_.set_note(std::move(info));
    return {};
  }

  Result<void> text(std::string_view what, std::string& into) {
    std::int64_t length = 0;
    ASSAY_TRY(count(fmt::format("bytes in {}", what), length));
    const std::uint64_t begin = source_.offset();
    into.clear();
    while (length > 0) {
      if (!source_.need(1)) return source_.cut_off(what);
      const auto part = source_.window().substr(0, static_cast<std::size_t>(length));
      into += part;
      length -= static_cast<std::int64_t>(part.size());
      source_.consume(part.size());
    }
    if (!simdjson::validate_utf8(into)) return source_.at_byte(begin, fmt::format("{} is not UTF-8", what));
    return {};
  }

  Result<void> count(std::string_view what, std::int64_t& into) {
    if (!source_.need(8)) return source_.cut_off(fmt::format("the number of {}", what));
    into = load_little_endian(source_.window().data());
    if (into < 0 || into > kMostOfAnything)
      return source_.at_byte(source_.offset(), fmt::format("the number of {} is {}", what, into),
                             fmt::format("expected 0 to {}", kMostOfAnything));
    source_.consume(8);
    return {};
  }

  Result<void> session() {
    const SessionId session = builder_.new_session();
    std::int64_t transactions = 0;
    ASSAY_TRY(count("transactions", transactions));
    for (std::int64_t i = 0; i < transactions; ++i) ASSAY_TRY(transaction(session));
    return {};
  }

  Result<void> transaction(SessionId session) {
    const std::uint64_t begin = source_.offset();
    std::int64_t left = 0;
    ASSAY_TRY(count("events", left));
    while (left > 0) {
      if (!source_.need(kEventBytes)) return source_.cut_off("an event");
      const std::size_t here =
          std::min(source_.window().size() / kEventBytes, static_cast<std::size_t>(left));
      for (std::size_t i = 0; i < here; ++i)
        if (!event()) return bad_event();
      left -= static_cast<std::int64_t>(here);
    }
    if (!source_.need(1)) return source_.cut_off("a transaction");
    const auto committed = static_cast<unsigned char>(source_.window()[0]);
    if (committed > 1) return not_a_boolean("committed", 0, committed);
    source_.consume(1);
    TransactionHead head{.session = session};
    head.outcome = committed ? Outcome::Committed : Outcome::Aborted;
    if (auto finished = builder_.finish(head); !finished)
      return source_.at_byte(begin, std::move(finished.error().what), std::move(finished.error().remedy));
    return {};
  }

  // Returns false if one of its bytes is invalid. A Result would cost more than the event.
  bool event() {
    const char* const at = source_.window().data();
    const auto is_write = static_cast<unsigned char>(at[0]);
    const auto success = static_cast<unsigned char>(at[17]);
    if ((is_write | success) > 1) return false;
    if (success) {
      const KeyId key = builder_.key(Scalar::integer(load_little_endian(at + 1)));
      const Scalar value = Scalar::integer(load_little_endian(at + 9));
      if (is_write) builder_.write(key, value);
      else builder_.read(key, value);
    }
    source_.consume(kEventBytes);
    return true;
  }

  Error bad_event() const {
    const auto is_write = static_cast<unsigned char>(source_.window()[0]);
    if (is_write > 1) return not_a_boolean("is-write", 0, is_write);
    return not_a_boolean("success", 17, static_cast<unsigned char>(source_.window()[17]));
  }

  Error not_a_boolean(std::string_view what, std::size_t ahead, unsigned byte) const {
    return source_.at_byte(source_.offset() + ahead, fmt::format("the {} byte is {}", what, byte),
                           "expected 0 or 1");
  }

  ByteSource& source_;
  HistoryBuilder builder_;
};

Result<History> read_dbcop(ByteSource& source) { return BincodeReader(source).run(); }

// Binary data, with the three strings where the counts say, as far as the beginning shows.
bool looks_like_dbcop(std::string_view beginning) {
  if (beginning.size() < kHeaderBytes + 8 ||
      beginning.substr(0, kHeaderBytes + 8).find('\0') == std::string_view::npos)
    return false;
  std::string_view rest = beginning.substr(kHeaderBytes);
  for (int i = 0; i < 3 && rest.size() >= 8; ++i) {
    const std::int64_t length = load_little_endian(rest.data());
    if (length < 0 || length > kMostOfAnything) return false;
    rest.remove_prefix(8);
    const std::string_view text = rest.substr(0, static_cast<std::size_t>(length));
    if (text.find('\0') != std::string_view::npos) return false;
    rest.remove_prefix(text.size());
  }
  return true;
}

constexpr Expressible kDbcop{
    .format = "dbcop",
    .initial = Scalar::integer(0),
    .note = true,
};

class BincodeWriter {
 public:
  BincodeWriter(const History& history, ByteSink& sink) : h_(history), sink_(sink) {}

  void run() {
    std::size_t transactions = 0, events = 0;
    for (const SessionId s : h_.sessions()) transactions = std::max(transactions, h_.transactions(s).size());
    for (const TxnId t : h_.transactions()) events = std::max(events, h_.operations(t).size());
    for (const std::size_t n : {std::size_t{0}, h_.session_count(), h_.key_count(), transactions, events})
      count(n);
    for (const std::string_view text :
         {std::string_view(h_.note()), std::string_view(), std::string_view()}) {
      count(text.size());
      sink_.write(text);
    }
    count(h_.session_count());
    for (const SessionId s : h_.sessions()) {
      count(h_.transactions(s).size());
      for (const TxnId t : h_.transactions(s)) transaction(t);
    }
  }

 private:
  void count(std::size_t n) {
    const auto number = static_cast<std::uint64_t>(n);
    sink_.write({reinterpret_cast<const char*>(&number), 8});
  }

  void transaction(TxnId t) {
    count(h_.operations(t).size());
    for (const OpId op : h_.operations(t)) {
      char event[kEventBytes];
      const std::int64_t key = h_.name(h_.key(op)).as_integer();
      const std::int64_t value = h_.value(h_.value(op)).as_integer();
      event[0] = h_.kind(op) == OpKind::Write;
      std::memcpy(event + 1, &key, 8);
      std::memcpy(event + 9, &value, 8);
      event[17] = 1;
      sink_.write({event, kEventBytes});
    }
    sink_.write({h_.outcome(t) == Outcome::Committed ? "\1" : "\0", 1});
  }

  const History& h_;
  ByteSink& sink_;
};

Result<WriteReport> write_dbcop(const History& history, ByteSink& sink, const WriteOptions& options) {
  auto report = express(history, kDbcop, options);
  if (report) BincodeWriter(history, sink).run();
  return report;
}

}  // namespace

const Format format_rows::dbcop{
    .id = "dbcop",
    .description = "dbcop's history.bincode",
    .extension = ".bincode",
    .initial = Scalar::integer(0),
    .looks_like = looks_like_dbcop,
    .read = read_dbcop,
    .write = write_dbcop,
};

}  // namespace assay
