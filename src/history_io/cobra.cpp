// Reads Cobra's logs: a directory with one `*.log` for each session, a sequence of binary records.
//
// `S` begins a transaction, `R` and `W` are its operations, `C` ends it; without `C` its outcome is unknown.
// Every write has an id. A read names its version by this id and the key, so the id is the value here (the
// same id under different keys means different versions). A read also names the writer txn, which is
// redundant: the client found it in the value that it read. The reader ignores it, so a damaged or reused txn
// cannot attribute a read to the wrong write.
//
// Logs of general workloads have no ids. Every write, and every read of a written version, has kGeneral as
// its id and writer, and the hash of the value is the value (it may repeat). A set of logs is of one kind or
// the other. Both kinds together are an error, because ids and hashes cannot be compared. A read of the
// initial version and a read that found no row are both reads of the initial version, null.
#include <endian.h>
#include <fmt/format.h>

#include <cstring>

#include "history_io/cobra_log.h"
#include "history_io/cobra_writer.h"
#include "history_io/drafts.h"
#include "history_io/format_rows.h"
#include "history_io/log_directory.h"

namespace assay {
namespace {

using namespace cobra;

std::int64_t load_big_endian(const char* at) {
  std::uint64_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return static_cast<std::int64_t>(be64toh(bits));
}

class CobraReader {
 public:
  // Reads one log, which is one session.
  Result<void> log(ByteSource& source) {
    source_ = &source;
    auto session = session_of_log(builder_, source.name());
    if (!session) return std::move(session).error();
    session_ = *session;
    open_ = kNone;
    while (source.need(1)) ASSAY_TRY(record());
    if (source.failure()) return *source.failure();
    return {};
  }

  Result<History> finish() {
    ASSAY_TRY(drafts_.finish());
    return std::move(builder_).build();
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  Result<void> record() {
    const char tag = source_->window()[0];
    const std::size_t size = 1 + 8 * fields(tag);
    if (size == 1)
      return here(fmt::format("a record begins with byte 0x{:02x}", static_cast<unsigned char>(tag)),
                  "expected S, R, W or C");
    if (!source_->need(size)) return source_->cut_off(fmt::format("a record {}", tag));
    if (tag != 'S' && open_ == kNone)
      return here(fmt::format("a record {} outside of a transaction", tag), "expected S");
    const char* const at = source_->window().data() + 1;
    switch (tag) {
      case 'S': begin(load_big_endian(at)); break;
      case 'C': ASSAY_TRY(commit(load_big_endian(at))); break;
      case 'W':
        ASSAY_TRY(write(load_big_endian(at), load_big_endian(at + 8), load_big_endian(at + 16)));
        break;
      case 'R':
        ASSAY_TRY(read(load_big_endian(at), load_big_endian(at + 8), load_big_endian(at + 16),
                       load_big_endian(at + 24)));
        break;
    }
    source_->consume(size);
    return {};
  }

  void begin(std::int64_t txn) {
    open_txn_ = txn;
    open_ = drafts_.begin(session_, txn, Outcome::Unknown);
  }

  Result<void> commit(std::int64_t txn) {
    if (txn != open_txn_)
      return here(fmt::format("commit of transaction {} inside transaction {}", txn, open_txn_));
    drafts_.set_outcome(open_, Outcome::Committed);
    open_ = kNone;
    return {};
  }

  Result<void> write(std::int64_t id, std::int64_t key, std::int64_t hash) {
    if (id == kInitial || id == kNothing)
      return here(fmt::format("a write with id 0x{:x}", id),
                  "this id is kept for reads of the initial version");
    ASSAY_TRY(recognise_mode(id));
    drafts_.add(open_, OpKind::Write, builder_.key(Scalar::integer(key)), id == kGeneral ? hash : id);
    return {};
  }

  Result<void> read(std::int64_t writer, std::int64_t id, std::int64_t key, std::int64_t hash) {
    const bool initial = id == kInitial || id == kNothing;
    if (initial != (writer == kInitial || writer == kNothing))
      return here(fmt::format("a read of write id {} by transaction {}", id, writer),
                  "the writer and the id must both be the initial one, or neither");
    std::optional<std::int64_t> value;
    if (!initial) {
      ASSAY_TRY(recognise_mode(id));
      value = id == kGeneral ? hash : id;
    }
    drafts_.add(open_, OpKind::Read, builder_.key(Scalar::integer(key)), value);
    return {};
  }

  Result<void> recognise_mode(std::int64_t id) {
    const bool general = id == kGeneral;
    if (!general_) general_ = general;
    if (*general_ == general) return {};
    return here(general ? "no write id, but earlier operations had one"
                        : "a write id, but earlier operations had none",
                "logs of a general workload cannot be mixed with others");
  }

  Error here(std::string what, std::string remedy = {}) const {
    return source_->at_byte(source_->offset(), std::move(what), std::move(remedy));
  }

  HistoryBuilder builder_;
  Drafts drafts_{builder_};
  std::optional<bool> general_;

  // State of the current log.
  ByteSource* source_ = nullptr;
  SessionId session_;
  std::size_t open_ = kNone;  // the transaction that has begun but not ended
  std::int64_t open_txn_ = 0;
};

Result<History> read_cobra(ByteSource& source) {
  CobraReader reader;
  ASSAY_TRY(reader.log(source));
  return reader.finish();
}

Result<History> read_cobra_directory(const std::string& path, Budget* budget) {
  return read_logs<CobraReader>(path, budget);
}

// Records from the first byte on, among them zero bytes, which no text has.
bool looks_like_cobra(std::string_view beginning) {
  if (beginning.size() < 9 || beginning[0] != 'S' || beginning.find('\0') == std::string_view::npos)
    return false;
  while (!beginning.empty()) {
    const std::size_t size = 1 + 8 * fields(beginning[0]);
    if (size == 1) return false;
    beginning.remove_prefix(std::min(size, beginning.size()));
  }
  return true;
}

bool looks_like_cobra_directory(const std::string& path) {
  return logs_look_like(path, "", looks_like_cobra);
}

}  // namespace

const Format format_rows::cobra{
    .id = "cobra",
    .description = "Cobra's binary logs, a directory of *.log files",
    .extension = "",
    .initial = Scalar::null(),
    .looks_like = looks_like_cobra,
    .read = read_cobra,
    .looks_like_directory = looks_like_cobra_directory,
    .read_directory = read_cobra_directory,
    .write_directory = cobra::write_directory,
};

}  // namespace assay
