// What the tests of the formats share: bytes in, history or words of the error out.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "history/builder.h"
#include "history/compare.h"
#include "history/describe.h"
#include "history_io/format.h"
#include "support/paths.h"
#include "support/round_trip.h"

namespace assay::test {

// The whole message, or "no error".
inline std::string error_of(std::string_view format, std::string_view bytes) {
  const auto history = read_text(bytes, format);
  return history ? "no error" : history.error().describe();
}

struct Written {
  std::string bytes, error;
  std::vector<std::string> left_out;
};

inline Written write_as(std::string_view format, const History& history, bool lossy = false) {
  Written written;
  ByteSink sink = ByteSink::to_memory(written.bytes);
  auto report = find_format(format)->write(history, sink, {.lossy = lossy});
  if (!report) {
    written.error = report.error().describe();
    return written;
  }
  EXPECT_TRUE(sink.close().has_value());
  written.left_out = report->left_out;
  return written;
}

// What differs after writing and reading; nothing when it is the same history.
inline std::optional<std::string> changed_by(std::string_view format, const History& history,
                                             Comparison what = {}, bool lossy = false) {
  auto again = round_trip(history, format, {.lossy = lossy});
  if (!again) {
    again.error().file.clear();  // of a temporary directory
    return again.error().describe();
  }
  return first_difference(history, *again, what);
}

// A directory that goes away with the test.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = std::filesystem::temp_directory_path() / "assay-test-XXXXXX";
    ASSAY_REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

  void file(std::string_view name, std::string_view bytes) const {
    std::FILE* f = std::fopen((*this / name).c_str(), "wb");
    ASSERT_NE(f, nullptr);
    std::fwrite(bytes.data(), 1, bytes.size(), f);
    std::fclose(f);
  }

 private:
  std::filesystem::path path_;
};

// Builds histories of integers: `{session, outcome, {{'w', key, value}, ...}}`.
struct Op {
  char kind;  // r, w, or n: a read of null
  std::int64_t key, value;
};

class Integers {
 public:
  explicit Integers(std::optional<Scalar> initial = Scalar::integer(0)) { builder.set_initial(initial); }
  Integers& txn(SessionId session, std::vector<Op> ops, Outcome outcome = Outcome::Committed,
                std::optional<std::int64_t> name = std::nullopt) {
    for (const Op& op : ops) {
      const KeyId key = builder.key(Scalar::integer(op.key));
      if (op.kind == 'w') builder.write(key, Scalar::integer(op.value));
      else builder.read(key, op.kind == 'n' ? Scalar::null() : Scalar::integer(op.value));
    }
    TransactionHead head{.session = session, .outcome = outcome};
    if (name) head.name = Scalar::integer(*name);
    EXPECT_TRUE(builder.finish(head).has_value());
    return *this;
  }
  History build() { return std::move(builder).build().value(); }

  HistoryBuilder builder;
};

// Everything a register format without unknown outcomes can say.
inline History two_sessions() {
  Integers h;
  const SessionId a = h.builder.new_session(), b = h.builder.new_session();
  h.txn(a, {{'r', 1, 0}, {'w', 1, 10}, {'w', -2, INT64_MIN}});
  h.txn(b, {{'r', 1, 10}, {'w', 1, 11}, {'w', 1, 12}});
  h.txn(a, {{'w', 1, 13}}, Outcome::Aborted);
  h.txn(a, {{'r', 1, 12}, {'r', -2, INT64_MIN}, {'r', INT64_MAX, 0}});
  return h.build();
}

// The public histories next to the source; the test is skipped, loudly, where they are missing.
inline std::string shared_histories() { return source_dir() + "/../shared/histories"; }

}  // namespace assay::test

#define ASSAY_NEED_SHARED_HISTORIES()                                                                  \
  do {                                                                                                 \
    if (!std::filesystem::exists(assay::test::shared_histories())) {                                   \
      std::printf("\n*** NOT TESTED: %s is missing ***\n\n", assay::test::shared_histories().c_str()); \
      GTEST_SKIP() << "the shared histories are missing";                                              \
    }                                                                                                  \
  } while (false)
