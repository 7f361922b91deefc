// Simulated databases, and a place for the histories of runs on them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collect/temporary_directory.h"
#include "history_io/format.h"
#include "hunt/claims.h"
#include "hunt/record.h"
#include "support/judged.h"

namespace assay {

class HuntFixture : public testing::Test {
 protected:
  void open(const std::string& url) {
    auto database = open_database(parse_url(url).value(), {.sessions = 4, .operations = 8, .seed = 7});
    ASSERT_TRUE(database) << database.error().describe();
    database_ = std::move(*database);
    plan_.collect.levels = find_levels(*database_, "").value();
  }
  // Of a few transactions on few keys; the history is file `name`.
  void plan(const std::string& name) {
    plan_.collect.workload = {.sessions = 4, .transactions = 200, .operations = 4, .keys = 8, .seed = 7};
    plan_.collect.directory = place_.path() + "/journals";
    plan_.history = place_.path() + "/" + name;
  }
  static bool go_on(const Tally&) { return true; }

  TemporaryDirectory place_ = TemporaryDirectory::create().value();
  std::unique_ptr<Database> database_;
  RunPlan plan_;
};

}  // namespace assay
