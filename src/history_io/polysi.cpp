// Reads and writes the text format of PolySI, Plume and IsoVista: `r(key,value,session,txn)`, one operation
// per line.
//
// Lines of different transactions may alternate. The pair (session, txn) identifies the transaction, so equal
// ids in two sessions are two transactions. txn -1 is an aborted transaction: consecutive -1 lines of a
// session are one, and its reads are dropped. The initial value is 0.
#include <fmt/format.h>

#include <array>

#include "base/flat_index.h"
#include "base/hash.h"
#include "history_io/drafts.h"
#include "history_io/expressible.h"
#include "history_io/format_rows.h"
#include "history_io/text_scan.h"

namespace assay {
namespace {

constexpr std::int64_t kAborted = -1;
constexpr std::array<std::string_view, 4> kFieldNames{"the key", "the value", "the session",
                                                      "the transaction"};

struct PolysiLine {
  bool is_write = false;
  std::array<std::int64_t, 4> fields{};
  std::int64_t key() const { return fields[0]; }
  std::int64_t value() const { return fields[1]; }
  std::int64_t session() const { return fields[2]; }
  std::int64_t txn() const { return fields[3]; }
};

Error bad_line(std::string_view text) {
  return error(
      fmt::format("expected r(key,value,session,txn) or w(key,value,session,txn), found {}", excerpt(text)));
}

Result<void> parse(std::string_view text, PolysiLine& line) {
  std::string_view rest = text;
  if (rest.empty() || (rest[0] != 'r' && rest[0] != 'w')) return bad_line(text);
  line.is_write = rest[0] == 'w';
  rest = trim(rest.substr(1));
  if (!rest.starts_with('(') || !rest.ends_with(')')) return bad_line(text);
  rest = rest.substr(1, rest.size() - 2);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t comma = rest.find(',');
    if ((comma == std::string_view::npos) != (i == 3)) return bad_line(text);
    const std::string_view field = trim(rest.substr(0, comma));
    if (!parse_integer(field, line.fields[i])) return bad_integer(kFieldNames[i], field);
    if (i < 3) rest.remove_prefix(comma + 1);
  }
  return {};
}

class PolysiReader {
 public:
  explicit PolysiReader(ByteSource& source) : source_(source) {}

  Result<History> run() {
    builder_.set_initial(Scalar::integer(0));
    std::string_view text;
    while (source_.next_line(text)) {
      text = trim(text);
      if (text.empty()) continue;
      PolysiLine line;
      if (auto parsed = parse(text, line); !parsed)
        return source_.at_line(std::move(parsed.error().what), std::move(parsed.error().remedy));
      add(line);
    }
    if (source_.failure()) return *source_.failure();
    if (aborted_.empty())
      return error("no operation in the file", "an operation is r(key,value,session,txn)");
    ASSAY_TRY(drafts_.finish());
    return std::move(builder_).build();
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  void add(const PolysiLine& line) {
    const SessionId session = builder_.session(Scalar::integer(line.session()));
    if (session.index() == aborted_.size()) aborted_.push_back(kNone);
    if (line.txn() == kAborted && !line.is_write) return;
    const std::size_t draft = line.txn() == kAborted ? aborted(session) : transaction(session, line.txn());
    drafts_.add(draft, line.is_write ? OpKind::Write : OpKind::Read,
                builder_.key(Scalar::integer(line.key())), line.value());
  }

  std::size_t aborted(SessionId session) {
    std::size_t& open = aborted_[session.index()];
    if (open == kNone) open = drafts_.begin(session, std::nullopt, Outcome::Aborted);
    return open;
  }

  std::size_t transaction(SessionId session, std::int64_t id) {
    aborted_[session.index()] = kNone;
    const auto next = static_cast<std::uint32_t>(known_.size());
    const std::uint32_t found = index_.find_or_insert(
        mix(static_cast<std::uint64_t>(id), session.value), next,
        [&](std::uint32_t i) { return known_[i].session == session && known_[i].id == id; });
    if (found == next) known_.push_back({session, id, drafts_.begin(session, id, Outcome::Committed)});
    return known_[found].draft;
  }

  struct Known {
    SessionId session;
    std::int64_t id;
    std::size_t draft;
  };

  ByteSource& source_;
  HistoryBuilder builder_;
  Drafts drafts_{builder_};
  std::vector<Known> known_;
  FlatIndex index_;                   // into known_
  std::vector<std::size_t> aborted_;  // by session: the draft for its next -1 line
};

Result<History> read_polysi(ByteSource& source) { return PolysiReader(source).run(); }

bool looks_like_polysi(std::string_view beginning) {
  PolysiLine line;
  return parse(first_line(beginning).text, line).has_value();
}

constexpr Expressible kPolysi{
    .format = "polysi",
    .initial = Scalar::integer(0),
    .reads_of_aborted = false,
    .adjacent_aborted = false,
    .names_of_aborted = false,
    .empty_transactions = false,
    .empty_sessions = false,
    .sessions = Names::Integers,
    .transactions = Names::Naturals,
};

// Writes session by session, because a reader orders sessions by their first appearance.
Result<WriteReport> write_polysi(const History& h, ByteSink& sink, const WriteOptions& options) {
  auto report = express(h, kPolysi, options);
  if (!report) return report;
  if (h.transaction_count() == 0) return error("polysi cannot express a history without transactions");
  const bool named = transaction_names_survive(h, kPolysi),
             named_sessions = session_names_survive(h, kPolysi);
  std::string line;
  for (const SessionId s : h.sessions())
    for (const TxnId t : h.transactions(s)) {
      const bool aborted = h.outcome(t) == Outcome::Aborted;
      const std::int64_t session =
          named_sessions ? h.name(s).as_integer() : static_cast<std::int64_t>(s.index()) + 1;
      const std::int64_t id = aborted ? kAborted
                              : named ? h.name(t)->as_integer()
                                      : static_cast<std::int64_t>(t.index());
      for (const OpId op : h.operations(t)) {
        const bool is_write = h.kind(op) == OpKind::Write;
        if (aborted && !is_write) continue;
        line.clear();
        fmt::format_to(std::back_inserter(line), "{}({},{},{},{})\n", is_write ? 'w' : 'r',
                       h.name(h.key(op)).as_integer(), h.value(h.value(op)).as_integer(), session, id);
        sink.write(line);
      }
    }
  return report;
}

}  // namespace

const Format format_rows::polysi{
    .id = "polysi",
    .description = "text of PolySI, Plume and IsoVista",
    .extension = ".txt",
    .initial = Scalar::integer(0),
    .looks_like = looks_like_polysi,
    .read = read_polysi,
    .write = write_polysi,
};

}  // namespace assay
