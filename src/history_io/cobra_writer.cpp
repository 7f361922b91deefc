// Writes Cobra's logs, in the one of their two modes that can express the history.
//
// It writes plain logs if every written value can be a write id: all are different, and every read returned
// one of them or the initial version. Otherwise it writes the logs of a general workload, which can express
// any value.
#include "history_io/cobra_writer.h"

#include <endian.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "history_io/cobra_log.h"
#include "history_io/expressible.h"
#include "history_io/log_directory.h"

namespace assay::cobra {
namespace {

constexpr Expressible kCobra{
    .format = "cobra",
    .outcomes = {Outcome::Committed, Outcome::Unknown},
    .sessions = Names::Any,  // see log_names()
    .transactions = Names::Naturals,
};

// The writer of each version; empty if values cannot serve as write ids.
std::vector<TxnId> writers_by_id(const History& h) {
  std::vector<TxnId> writer(h.key_value_count());
  std::vector<std::int64_t> ids;
  for (const TxnId t : h.transactions())
    for (const OpId op : h.operations(t)) {
      if (h.kind(op) != OpKind::Write) continue;
      ids.push_back(h.value(h.value(op)).as_integer());
      writer[h.value(op).index()] = t;
    }
  std::sort(ids.begin(), ids.end());
  bool plain = std::adjacent_find(ids.begin(), ids.end()) == ids.end();
  for (const std::int64_t reserved : {kInitial, kNothing, kGeneral})
    plain &= !std::binary_search(ids.begin(), ids.end(), reserved);
  for (const OpId op : h.operations())
    plain &= !writer[h.value(op).index()].is_none() || h.value(h.value(op)).is_null();
  if (!plain) writer.clear();
  return writer;
}

// Whether the name is safe as a file name on any system.
bool is_safe(std::string_view name) {
  const auto harmless = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= 200 && std::all_of(name.begin(), name.end(), harmless);
}

// The names of the sessions, if sorting the directory by them gives the order of the sessions; otherwise T1,
// T2, ...
std::vector<std::string> log_names(const History& h, WriteReport& report) {
  std::vector<std::string> names;
  for (const SessionId s : h.sessions()) names.push_back(h.display(s));
  const auto not_less = [](const std::string& a, const std::string& b) { return !natural_less(a, b); };
  if (std::all_of(names.begin(), names.end(), is_safe) &&
      std::adjacent_find(names.begin(), names.end(), not_less) == names.end())
    return names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = fmt::format("T{}", i + 1);
  report.left_out.emplace_back("the names of sessions");
  return names;
}

class CobraWriter {
 public:
  CobraWriter(const History& history, Budget* budget)
      : h_(history),
        budget_(budget),
        writers_(writers_by_id(history)),
        named_(transaction_names_survive(history, kCobra)) {}

  Result<void> log(SessionId session, const std::string& path) const {
    auto sink = ByteSink::create(path, budget_);
    if (!sink) return std::move(sink).error();
    for (const TxnId t : h_.transactions(session))
      if (h_.outcome(t) != Outcome::Aborted) transaction(t, *sink);
    return sink->close();
  }

 private:
  std::int64_t id(TxnId t) const {
    return named_ ? h_.name(t)->as_integer() : static_cast<std::int64_t>(t.index()) + 1;
  }

  void transaction(TxnId t, ByteSink& sink) const {
    record(sink, 'S', {id(t)});
    for (const OpId op : h_.operations(t)) operation(op, sink);
    if (h_.outcome(t) == Outcome::Committed) record(sink, 'C', {id(t)});
  }

  void operation(OpId op, ByteSink& sink) const {
    const std::int64_t key = h_.name(h_.key(op)).as_integer();
    const Scalar value = h_.value(h_.value(op));
    const bool plain = !writers_.empty();
    const std::int64_t write_id = plain ? value.as_integer() : kGeneral;
    if (h_.kind(op) == OpKind::Write) record(sink, 'W', {write_id, key, value.as_integer()});
    else if (value.is_null()) record(sink, 'R', {kInitial, kInitial, key, 0});
    else
      record(sink, 'R',
             {plain ? id(writers_[h_.value(op).index()]) : kGeneral, write_id, key, value.as_integer()});
  }

  static void record(ByteSink& sink, char tag, std::initializer_list<std::int64_t> values) {
    ASSAY_ASSERT(values.size() == fields(tag));
    sink.write({&tag, 1});
    for (const std::int64_t value : values) {
      const std::uint64_t bits = htobe64(static_cast<std::uint64_t>(value));
      sink.write({reinterpret_cast<const char*>(&bits), 8});
    }
  }

  const History& h_;
  Budget* budget_;
  std::vector<TxnId> writers_;  // by version; empty: write the logs of a general workload
  bool named_;
};

Error failed(std::string what, const std::string& path, std::string remedy = {}) {
  return {std::move(what), std::move(remedy), path, {}};
}

}  // namespace

Result<WriteReport> write_directory(const History& history, const std::string& path,
                                    const WriteOptions& options) {
  namespace fs = std::filesystem;
  auto report = express(history, kCobra, options);
  if (!report) return report;
  std::error_code problem;
  if (path == "-") return failed("cobra is a directory of logs", "standard output", "name a new directory");
  if (fs::exists(path, problem) && !(fs::is_directory(path, problem) && fs::is_empty(path, problem)))
    return failed("is already there", path, "name a new directory");
  const std::string part = path + ".part";
  if (!fs::create_directory(part, problem))
    return failed(
        fmt::format("cannot create the directory: {}", problem ? problem.message() : "it is already there"),
        part);

  Result<void> written;
  const CobraWriter writer(history, options.budget);
  const std::vector<std::string> names = log_names(history, *report);
  for (const SessionId s : history.sessions())
    if (written) written = writer.log(s, part + "/" + names[s.index()] + ".log");
  if (written) {
    fs::rename(part, path, problem);
    if (problem)
      written = failed(fmt::format("cannot rename the finished directory: {}", problem.message()), path);
  }
  if (!written) {
    fs::remove_all(part, problem);
    return std::move(written).error();
  }
  return report;
}

}  // namespace assay::cobra
