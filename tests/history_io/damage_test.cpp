// Damaged files are errors or other histories, never a crash or an endless loop: valid inputs with a
// few bytes changed, cut out or doubled. The seed is printed.
#include "base/random.h"
#include "format_testing.h"
#include "support/random.h"

namespace assay::test {
namespace {

std::string damaged(std::string bytes, Random& random) {
  for (std::uint64_t n = 1 + random.below(3); n > 0 && !bytes.empty(); --n) {
    const std::size_t at = random.below(bytes.size());
    const std::size_t length = 1 + random.below(20);
    switch (random.below(4)) {
      case 0: bytes[at] = static_cast<char>(random.below(256)); break;
      case 1: bytes.erase(at, length); break;
      case 2: bytes.insert(at, bytes.substr(at, length)); break;
      case 3: bytes.resize(at); break;
    }
  }
  return bytes;
}

TEST(DamagedInput, EndsInAnErrorOrAHistory) {
  Random random(suite_seed("DamagedInput"));
  const std::string cobra = [] {
    const TemporaryDirectory dir;
    Integers h{Scalar::null()};
    h.txn(h.builder.session("T1"), {{'n', 1, 0}, {'w', 1, 10}, {'r', 1, 10}}, Outcome::Committed, 3);
    EXPECT_TRUE(write_history(h.build(), dir / "logs", *find_format("cobra")));
    auto source = ByteSource::open(dir / "logs/T1.log");
    source->need(1000);
    return std::string(source->window());
  }();
  const std::pair<std::string_view, std::string> inputs[] = {
      {"dbcop", write_as("dbcop", two_sessions()).bytes},
      {"polysi", write_as("polysi", two_sessions()).bytes},
      {"cobra", cobra},
      {"viper", "{\"value\": [[\"r\", 7, 8812, false], [\"w\", \"k\", 5150, true]]}\n{\"value\": []}\n"},
      {"awdit", "w 0 0\nw 1 1\n=====\nr 0 2\n-----\nr 1 1"},
  };
  for (const auto& [format, bytes] : inputs) {
    ASSERT_EQ(error_of(format, bytes), "no error");
    for (std::size_t i = scaled(10'000, 200); i > 0; --i) {
      const auto history = read_text(damaged(bytes, random), format);
      EXPECT_TRUE(history || !history.error().what.empty());
    }
  }
}

}  // namespace
}  // namespace assay::test
