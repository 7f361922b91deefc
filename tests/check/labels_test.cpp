// The recorded histories beside the project, and what is known of them.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "check/check.h"
#include "history_io/format.h"
#include "support/evidence.h"
#include "support/paths.h"

namespace assay {
namespace {

struct Label {
  std::string path, level;
  bool holds;
};

std::vector<Label> labels(const std::string& folder) {
  std::vector<Label> result;
  std::ifstream file(folder + "labels.csv");
  std::string line;
  std::getline(file, line);  // the heading
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string path, format, level, expected;
    std::getline(fields, path, ',');
    std::getline(fields, format, ',');
    std::getline(fields, level, ',');
    std::getline(fields, expected, ',');
    result.push_back({path, level, expected == "holds"});
  }
  return result;
}

TEST(Labels, AreReproducedAndCertified) {
  const std::string folder = test::source_dir() + "/../shared/histories/";
  if (!std::filesystem::exists(folder)) {
    std::printf("NO LABELLED HISTORIES BESIDE THE PROJECT: nothing was compared\n");
    GTEST_SKIP();
  }
  std::size_t judged = 0;
  for (const Label& label : labels(folder)) {
    SCOPED_TRACE(label.path + " at " + label.level);
    const Level level = *find_level(label.level);
    const auto history = read_history(folder + label.path);
    ASSERT_TRUE(history) << history.error().describe();
    const auto verdict = check(*history, level);
    if (!verdict) {
      ADD_FAILURE() << verdict.error().describe();
      continue;
    }
    ++judged;
    const auto* order = std::get_if<Holds>(&*verdict);
    EXPECT_EQ(order != nullptr, label.holds);
    const auto certified = test::certify(*history, level, *verdict);
    EXPECT_TRUE(certified) << certified.error().describe();
  }
  std::printf("%zu labels\n", judged);
  EXPECT_GT(judged, 310u);
}

}  // namespace
}  // namespace assay
