// Chords of a shortest path are dependencies that cannot be missing: of each kind, where rows are surely read
// and written, and only there.
#include <gtest/gtest.h>

#include "analysis/queries.h"
#include "analysis/rules.h"

namespace assay::analysis {
namespace {

enum class Order : std::uint8_t { Free, Ar };

// Whether a dependency of the first program on the second, or what `Order` says, may come without a sure one.
Answer without_sure(const std::string& text, std::string_view level, Order order = Order::Free) {
  const auto application = read(kTable + text);
  const auto levels = parse_levels(level, application);
  EXPECT_TRUE(levels);
  const Options options;
  const Facts facts(application, *levels, options);
  std::vector<Footprint> footprints;
  for (std::size_t p = 0; p < 2; ++p) footprints.push_back(footprint(facts, p));
  z3::context z;
  return Queries(facts, footprints).ask(z, {0, 1}, [&](Encoding& e) {
    const z3::expr depends = e.depends(0, 1);
    e.require(order == Order::Ar ? e.before(0, 1) : depends);
    e.require(!e.surely_depends(0, 1));
  });
}

// Row 1 is there: what is written, is.
std::string script(const std::string& name, const std::string& body) {
  return "CREATE FUNCTION " + name + "() RETURNS void LANGUAGE plpgsql AS $$\nDECLARE v int;\nBEGIN\n" +
         "SELECT k INTO STRICT v FROM t WHERE k = 1;\n" + body + "\nEND; $$;\n";
}
const std::string kPut = "UPDATE t SET a = 1 WHERE k = 1;", kGet = "PERFORM a FROM t WHERE k = 1;";

TEST(SureDependency, OverwritingIsOne) {
  EXPECT_EQ(without_sure(script("one", kPut) + script("two", kPut), "psi", Order::Ar), Answer::Impossible);
  EXPECT_EQ(without_sure(script("one", kPut) + script("two", "UPDATE t SET a = 1 WHERE k = 1 AND a > 5;"),
                         "psi", Order::Ar),
            Answer::Possible);
}

TEST(SureDependency, ReadingWhatWasWrittenIsOne) {
  const std::string put = script("put", kPut);
  EXPECT_EQ(without_sure(put + script("get", kGet), "psi"), Answer::Impossible);
  EXPECT_EQ(without_sure(put + script("get", "PERFORM a FROM t WHERE b = a LIMIT 1;"), "psi"),
            Answer::Possible);
  // Where versions have no order, the value that was read may be another one.
  EXPECT_EQ(without_sure(put + script("get", kGet), "cc"), Answer::Possible);
}

TEST(SureDependency, ReadingWhatIsOverwrittenLaterIsOne) {
  const std::string put = script("put", kPut);
  EXPECT_EQ(without_sure(script("get", kGet) + put, "psi"), Answer::Impossible);
  EXPECT_EQ(without_sure(script("get", "PERFORM a FROM t WHERE b = a LIMIT 1;") + put, "psi"),
            Answer::Possible);
  EXPECT_EQ(without_sure(script("get", kGet) + put, "cc"), Answer::Possible);
}

// Who wrote the column itself reads that, and nobody's version of it.
TEST(SureDependency, ReadingOnesOwnWriteIsNone) {
  const std::string get = script("get", "UPDATE t SET a = 2 WHERE k = 2;\n" + kGet);
  EXPECT_EQ(without_sure(get + script("put", kPut), "psi"), Answer::Possible);
}

}  // namespace
}  // namespace assay::analysis
