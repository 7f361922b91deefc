#include "history_io/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "history_io/format_rows.h"
#include "history_io/log_directory.h"

namespace assay {
namespace {

constexpr std::string_view kExtension = ".journal";

std::string_view word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

// Sets nothing for "-". Returns false if the text is neither "-" nor a number.
bool parse_instant(std::string_view text, std::optional<std::int64_t>& instant) {
  if (text == "-") return true;
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return false;
  instant = number;
  return true;
}

void print_instant(std::string_view name, std::optional<std::int64_t> instant, std::string& line) {
  if (instant) fmt::format_to(std::back_inserter(line), ",\"{}\":{}", name, *instant);
}

std::vector<std::string> journals_of(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(directory, problem))
    if (entry.path().extension() == kExtension) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end(), natural_less);
  return files;
}

bool looks_like_journals(const std::string& directory) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(directory) / kJournalHeader, ignored);
}

Result<History> read_journals(const std::string& directory, Budget* budget) {
  auto opened = JournalMerge::open(directory, budget);
  if (!opened) return std::move(opened).error();
  JournalMerge& merge = *opened;
  ByteSource source = ByteSource::from_lines(
      directory, [&](std::string& line) { return merge.next(line); }, budget);
  auto history = format_rows::jsonl.read(source);
  if (merge.failure()) return *merge.failure();
  if (!history) history.error().place.clear();  // it counts lines of the merged text, which is in no file
  return history;
}

}  // namespace

JournalReader::JournalReader(ByteSource source, std::string session)
    : source_(std::move(source)), session_(std::move(session)) {}

Result<std::optional<std::int64_t>> print_journal_entry(std::string_view session, std::uint64_t number,
                                                        std::string_view operations,
                                                        std::optional<std::string_view> outcome,
                                                        std::string& line) {
  Instants at;
  if (!parse_instant(word(operations), at.begin) || !parse_instant(word(operations), at.began) ||
      !parse_instant(word(operations), at.committing) || !operations.starts_with('[') ||
      !operations.ends_with(']'))
    return error("not the operations of a transaction");
  std::string_view status = ",\"status\":\"unknown\"";
  if (outcome && *outcome != "u") {
    const std::string_view kind = word(*outcome);
    if ((kind != "c" && kind != "a") || !parse_instant(*outcome, at.end) || !at.end)
      return error("not the outcome of a transaction");
    status = kind == "a" ? ",\"status\":\"aborted\"" : "";
  }
  fmt::format_to(std::back_inserter(line), "{{\"session\":{},\"txn\":\"{}:{}\"{}", session, session, number,
                 status);
  print_instant("begin", at.begin, line);
  print_instant("began", at.began, line);
  print_instant("committing", at.committing, line);
  print_instant("end", at.end, line);
  line += ",\"ops\":";
  line += operations;
  line += "}\n";
  return at.end ? at.end : at.begin;
}

bool JournalReader::next(std::string& line) {
  if (failure_ || !next_line(operations_)) return false;
  const std::uint64_t line_of_operations = lines_;
  const bool has_outcome = next_line(outcome_);
  if (failure_) return false;
  const auto printed =
      print_journal_entry(session_, ++transactions_, operations_,
                          has_outcome ? std::optional<std::string_view>(outcome_) : std::nullopt, line);
  if (!printed) {
    const bool wrong_operations = !print_journal_entry(session_, 0, operations_, std::nullopt, line);
    if (wrong_operations) lines_ = line_of_operations;
    return fail(printed.error().what);
  }
  instant_ = printed->value_or(instant_);
  return true;
}

bool JournalReader::next_line(std::string& line) {
  std::size_t from = 0;
  while (true) {
    const std::string_view window = source_.window();
    const std::size_t end = window.find('\n', from);
    if (end != std::string_view::npos) {
      line = window.substr(0, end);
      source_.consume(end + 1);
      ++lines_;
      return true;
    }
    from = window.size();
    if (!source_.refill()) break;
  }
  failure_ = source_.failure();
  return false;
}

bool JournalReader::fail(std::string what) {
  failure_ = error(std::move(what));
  failure_->file = source_.name();
  failure_->place = std::to_string(lines_);
  return false;
}

Result<JournalMerge> JournalMerge::open(const std::string& directory, Budget* budget) {
  JournalMerge merge;
  auto header = ByteSource::open(directory + "/" + std::string(kJournalHeader));
  if (!header) return std::move(header).error();
  std::string_view first_line;
  if (!header->next_line(first_line)) return header->at_line("no header", "it begins with {\"assay\":1");
  merge.header_ = std::string(first_line) + "\n";
  for (const std::string& file : journals_of(directory)) {
    auto source = ByteSource::open(file, budget);
    if (!source) return std::move(source).error();
    merge.clients_.emplace_back(std::move(*source), session_name_of(file));
  }
  merge.lines_.resize(merge.clients_.size());
  for (std::size_t client = 0; client < merge.clients_.size(); ++client)
    if (!merge.advance(client)) return *merge.failure_;
  return merge;
}

bool JournalMerge::next(std::string& line) {
  line.clear();
  if (!header_.empty()) {
    line.swap(header_);
    return true;
  }
  if (failure_ || queue_.empty()) return false;
  const std::size_t client = queue_.top().client;
  queue_.pop();
  line.swap(lines_[client]);
  return advance(client);
}

bool JournalMerge::advance(std::size_t client) {
  lines_[client].clear();
  if (clients_[client].next(lines_[client])) queue_.push({clients_[client].instant(), client});
  failure_ = clients_[client].failure();
  return !failure_;
}

Result<void> merge_journals(const std::string& directory, const std::string& out) {
  auto merge = JournalMerge::open(directory);
  if (!merge) return std::move(merge).error();
  auto sink = ByteSink::create(out);
  if (!sink) return std::move(sink).error();
  for (std::string line; merge->next(line);) sink->write(line);
  if (merge->failure()) return *merge->failure();
  return sink->close();
}

const Format format_rows::journal{.id = "journal",
                                  .description = "journals that a killed `assay run` left, a directory",
                                  .extension = "",
                                  .looks_like_directory = looks_like_journals,
                                  .read_directory = read_journals};

}  // namespace assay
