// Reads the directory of a Jepsen test, its binary file and its history.txt.
//
// A directory holds the same history up to three times. history.edn comes first, because it has everything
// and can be read by people; then test.jepsen; then history.txt, which has no times.
//
//     0<tab>:invoke<tab>:txn<tab>[[:r 1 nil]]<tab>error
#include "history_io/jepsen_store.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "history_io/edn.h"
#include "history_io/elle_reader.h"
#include "history_io/format_rows.h"
#include "history_io/jepsen_file.h"
#include "history_io/text_scan.h"

namespace assay {
namespace {

constexpr std::array<std::string_view, 5> kHistoryFiles{"history.edn", "test.jepsen", "jepsen.history",
                                                        "history.jepsen", "history.txt"};

std::optional<std::string> history_file(const std::string& directory) {
  std::error_code ignored;
  for (const std::string_view name : kHistoryFiles)
    for (const std::string_view suffix : {"", ".gz", ".zst"}) {
      const std::string path = (std::filesystem::path(directory) / name).string() + std::string(suffix);
      if (std::filesystem::is_regular_file(path, ignored)) return path;
    }
  return std::nullopt;
}

bool is_type(std::string_view word) {
  return word == ":invoke" || word == ":ok" || word == ":fail" || word == ":info";
}

// The first fields of a line of history.txt; the fourth is all up to the next tab.
std::optional<std::array<std::string_view, 4>> text_fields(std::string_view line) {
  std::array<std::string_view, 4> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t end = line.find('\t');
    if (end == std::string_view::npos && i + 1 < fields.size()) return std::nullopt;
    fields[i] = trim(line.substr(0, end));
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  if (!is_type(fields[1])) return std::nullopt;
  return fields;
}

Result<History> read_text_history(ByteSource& source, const ReadOptions& options) {
  std::optional<Error> problem;
  // The same lines as EDN.
  ByteSource lines = ByteSource::from_lines(source.name(), [&](std::string& line) {
    std::string_view text;
    if (problem || !source.next_line(text)) return false;
    line = "\n";
    if (trim(text).empty()) return true;
    const auto fields = text_fields(text);
    if (!fields) {
      problem = source.at_line("expected an operation: process, type, function and value, with tabs between",
                               "read the history.edn beside it");
      return false;
    }
    const auto& [process, type, f, value] = *fields;
    line = fmt::format("{{:process {} :type {} :f {} :value {}}}\n", process, type, f,
                       value.empty() ? "nil" : value);
    return true;
  });
  auto history = format_rows::elle.read_with(lines, options);
  if (source.failure()) return *source.failure();
  if (problem) return *problem;
  return history;
}

Result<History> read_binary(ByteSource& source, const ReadOptions& options) {
  while (source.refill()) {
  }
  if (source.failure()) return *source.failure();
  auto file = JepsenFile::open(source.window());
  if (!file) return std::move(file).error();
  ElleReader reader(true, options.jepsen);
  ASSAY_TRY(file->each_operation(
      [&](Datum operation, std::uint64_t number) { return reader.operation(operation, number); }));
  return std::move(reader).finish();
}

Result<History> read_jepsen_with(ByteSource& source, const ReadOptions& options) {
  source.need(JepsenFile::kMagic.size());
  return source.window().starts_with(JepsenFile::kMagic) ? read_binary(source, options)
                                                         : read_text_history(source, options);
}

Result<History> read_jepsen(ByteSource& source) { return read_jepsen_with(source, {}); }

bool looks_like_jepsen(std::string_view beginning) {
  return beginning.starts_with(JepsenFile::kMagic) || text_fields(first_line(beginning).text);
}

bool looks_like_store(const std::string& path) { return history_file(path).has_value(); }

Result<History> read_store_with(const std::string& path, Budget* budget, const ReadOptions& options) {
  const auto file = history_file(path);
  if (!file)
    return error("this directory holds no history of Jepsen",
                 "expected history.edn, test.jepsen or history.txt, as in store/NAME/latest");
  auto source = ByteSource::open(*file, budget);
  if (!source) return std::move(source).error();
  source->need(4096);
  const bool is_edn = !looks_like_jepsen(source->window());
  auto history = is_edn ? format_rows::elle.read_with(*source, options) : read_jepsen_with(*source, options);
  if (source->failure()) return *source->failure();
  if (history) return history;
  Error problem = std::move(history).error();
  if (problem.file.empty()) problem.file = *file;
  return problem;
}

Result<History> read_store(const std::string& path, Budget* budget) {
  return read_store_with(path, budget, {});
}

std::optional<Datum> field(Datum map, std::string_view name) {
  for (auto i = map.begin(); i != map.end(); ++i) {
    const Datum key = *i, value = *++i;
    if (key.is_name() && key.text() == name) return value;
  }
  return std::nullopt;
}

// The first map inside that has the field.
std::optional<Datum> map_with(Datum datum, std::string_view name) {
  if (datum.is(DatumKind::Map)) {
    if (field(datum, name)) return datum;
    for (auto i = datum.begin(); i != datum.end(); ++i)
      if (const auto found = map_with(*++i, name)) return found;
  }
  return std::nullopt;
}

std::vector<std::string> names(const std::optional<Datum>& datum) {
  std::vector<std::string> result;
  if (datum && (datum->is_sequence() || datum->is(DatumKind::Set)))
    for (const Datum name : *datum)
      if (name.is_name()) result.emplace_back(name.text());
  return result;
}

}  // namespace

Result<JepsenResults> read_jepsen_results(const std::string& history) {
  std::error_code ignored;
  const std::string directory = std::filesystem::is_directory(history, ignored)
                                    ? history
                                    : std::filesystem::path(history).parent_path().string();
  const std::string path = (std::filesystem::path(directory) / "results.edn").string();
  auto source = ByteSource::open(path);
  const auto at_file = [&](Error problem) {
    problem.file = path;
    return problem;
  };
  if (!source) return at_file(std::move(source).error());
  EdnReader forms(*source);
  Form form;
  const auto more = forms.next(form);
  if (!more) return at_file(more.error());
  if (!*more || !form.root().is(DatumKind::Map))
    return at_file(error("expected a map with :valid?", "the test was stopped before its analysis"));
  // Elle's own result: it has :anomaly-types if it found any. Otherwise the workload's, or the whole.
  Datum result = form.root();
  if (const auto found = map_with(form.root(), "anomaly-types")) result = *found;
  else
    for (const std::string_view name : {"elle", "workload"})
      if (const auto part = field(form.root(), name); part && part->is(DatumKind::Map)) {
        result = *part;
        break;
      }
  const auto valid = field(result, "valid?");
  if (!valid) return at_file(error("the results do not say :valid?"));
  JepsenResults results;
  results.valid = valid->is(DatumKind::Boolean) ? (valid->boolean() ? "true" : "false") : "unknown";
  results.anomalies = names(field(result, "anomaly-types"));
  results.not_models = names(field(result, "not"));
  return results;
}

const Format format_rows::jepsen{
    .id = "jepsen",
    .description = "a Jepsen store directory, its test.jepsen or its history.txt",
    .extension = "",
    .initial = Scalar::null(),
    .looks_like = looks_like_jepsen,
    .read = read_jepsen,
    .read_with = read_jepsen_with,
    .looks_like_directory = looks_like_store,
    .read_directory = read_store,
    .read_directory_with = read_store_with,
};

}  // namespace assay
