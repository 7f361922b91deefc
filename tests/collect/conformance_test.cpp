// The example client passes, and clients that are wrong in one way each are told which.
#include "collect/conformance.h"

#include <gmock/gmock.h>

#include <fstream>

#include "collect/adapter_contract.h"
#include "collect/temporary_directory.h"
#include "support/paths.h"

namespace assay::test {
namespace {

using testing::HasSubstr;

const std::string kClient = source_dir() + "/examples/clients/sqlite.py";

std::string problems(const std::vector<Trial>& trials) {
  std::string text;
  for (const Trial& trial : trials)
    if (!trial.problem.empty()) text += trial.about + ": " + trial.problem + "\n";
  return text;
}

// The example with one piece of its text replaced.
class WrongClient {
 public:
  WrongClient(const std::string& from, const std::string& to) : place_(TemporaryDirectory::create().value()) {
    std::ostringstream text;
    text << std::ifstream(kClient).rdbuf();
    std::string program = text.str();
    const auto at = program.find(from);
    if (at == std::string::npos) throw std::runtime_error("not in the example: " + from);
    std::ofstream(place_.path() + "/client.py") << program.replace(at, from.size(), to);
  }
  std::string command() const { return "python3 " + place_.path() + "/client.py 2>/dev/null"; }

 private:
  TemporaryDirectory place_;
};

TEST(Conformance, OfTheExampleIsComplete) {
  const auto trials = try_client("python3 " + kClient);
  EXPECT_EQ(trials.size(), 11u);
  EXPECT_EQ(problems(trials), "");
}

TEST(Conformance, SaysWhatAClientDoesWrong) {
  struct Mistake {
    const char *from, *to, *said;
  };
  for (const auto& [from, to, said] : {
           Mistake{"\"ROLLBACK\"", "\"COMMIT\"", "it read 5 where 0 had to be"},
           {"or 0}", "or 1}", "it read 1 where 0 had to be: nobody wrote it"},
           {"v || ',' || excluded.v", "excluded.v || ',' || v", "that was appended"},
           {"if operation is None:\n            return {\"ok\": False",
            "if operation is None:\n            return {\"ok\": True",
            "ok to an operation that there is not"},
           // These do not get beyond their hello.
           {"\"id\": request[\"id\"]", "\"id\": 7", "has not the \"id\" of its request, 1"},
           {"print(json.dumps(", "print(repr(", "no JSON object on a line"},
           {"\"protocol\": 1", "\"protocol\": 2", "\"protocol\" is not 1"},
           {"\"isolation\": [\"serializable\"]", "\"isolation\": []", "\"isolation\" is no list"},
           {"{\"serializable\": \"ser\"}", "{\"serializable\": \"perfect\"}", "none of Assay's levels"},
           {"{\"serializable\": \"ser\"}", "{\"snapshot\": \"si\"}", "which is not in \"isolation\""},
       }) {
    EXPECT_THAT(problems(try_client(WrongClient(from, to).command())), HasSubstr(said)) << to;
  }
}

TEST(Conformance, SaysWhenThereIsNoClient) {
  EXPECT_THAT(problems(try_client("/nonexistent 2>/dev/null")), HasSubstr("the client has ended"));
}

TEST(ClientDatabase, KeepsTheContract) {
  const auto database = open_client("python3 " + kClient);
  ASSERT_TRUE(database) << database.error().describe();
  EXPECT_EQ((*database)->levels().front().claims, Level::Ser);
  keeps_registers(**database);
  keeps_lists(**database);
  EXPECT_THAT(
      (*database)
          ->prepare(DataKind::Registers, std::make_shared<RowTable>(false, std::vector<std::int64_t>{}))
          .error()
          .describe(),
      HasSubstr("clients have no rows yet"));
}

}  // namespace
}  // namespace assay::test
