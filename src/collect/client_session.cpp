#include "collect/client_session.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "isolation/level.h"

namespace assay {
namespace {

using ClientJson = nlohmann::json;

constexpr auto kLongestAnswer = std::chrono::seconds(30);
constexpr int kClientProtocol = 1;

// A list of strings; nothing: it is none.
std::optional<std::vector<std::string>> strings(const ClientJson& object, const char* name) {
  if (!object.contains(name) || !object[name].is_array()) return std::nullopt;
  std::vector<std::string> all;
  for (const ClientJson& item : object[name]) {
    if (!item.is_string()) return std::nullopt;
    all.push_back(item.get<std::string>());
  }
  return all;
}

std::optional<Level> level_called(const std::string& name) {
  for (const LevelRow& row : levels())
    if (row.id == name) return row.level;
  return std::nullopt;
}

}  // namespace

struct ClientSession::Answer {
  ClientJson object;
  std::string line;
};

Result<std::unique_ptr<ClientSession>> ClientSession::start(const std::string& command, std::size_t session,
                                                            const std::string& isolation,
                                                            const std::string& directory) {
  auto process = ChildProcess::start(command);
  if (!process) return std::move(process).error();
  std::unique_ptr<ClientSession> made(new ClientSession(std::move(*process)));
  ASSAY_TRY(made->greet(session, isolation, directory));
  return made;
}

Result<void> ClientSession::greet(std::size_t session, const std::string& isolation,
                                  const std::string& directory) {
  Answer answer;
  const ClientJson request{{"op", "hello"},
                           {"protocol", kClientProtocol},
                           {"session", session},
                           {"isolation", isolation},
                           {"directory", directory}};
  const auto refused = [](std::string why) {
    return error("the client's hello: " + std::move(why), "docs/client-protocol.md says what belongs there");
  };
  const std::string text = request.dump();
  if (ask(text.substr(1, text.size() - 2), answer) != Reply::Done) return refused(problem_);
  const ClientJson& said = answer.object;
  if (!said.contains("protocol") || said["protocol"] != kClientProtocol)
    return refused(fmt::format("\"protocol\" is not {}", kClientProtocol));
  if (!said.contains("database") || !said["database"].is_string())
    return refused("\"database\" is no string");
  const auto isolations = strings(said, "isolation"), data = strings(said, "data");
  if (!isolations || isolations->empty()) return refused("\"isolation\" is no list of names of levels");
  if (!data || data->empty()) return refused("\"data\" is no list of \"registers\" and \"lists\"");
  hello_ = {.database = said["database"].get<std::string>(), .isolation = *isolations, .data = *data};
  for (const std::string& name : *isolations) hello_.claims[name] = std::nullopt;
  if (!said.contains("claims")) return {};
  if (!said["claims"].is_object()) return refused("\"claims\" is no object");
  for (const auto& [name, claim] : said["claims"].items()) {
    const auto level = claim.is_string() ? level_called(claim.get<std::string>()) : std::nullopt;
    if (!hello_.claims.contains(name))
      return refused(fmt::format("it claims something of {}, which is not in \"isolation\"", name));
    if (!level)
      return refused(fmt::format("what it claims of {} is none of Assay's levels (assay levels)", name));
    hello_.claims[name] = level;
  }
  return {};
}

Reply ClientSession::wrong(const std::string& line, std::string_view why) {
  constexpr std::size_t kShown = 120;
  problem_ = fmt::format("{}: {}{}", why, line.substr(0, kShown), line.size() > kShown ? "..." : "");
  return Reply::Broken;
}

Reply ClientSession::ask(const std::string& request, Answer& answer) {
  const std::uint64_t id = ++requests_;
  if (!process_.send(fmt::format("{{\"id\":{},{}}}", id, request))) {
    problem_ = "the client has ended";
    return Reply::Lost;
  }
  const auto line = process_.receive(kLongestAnswer);
  if (!line) {
    problem_ = "the client has ended, or said nothing for half a minute";
    return Reply::Lost;
  }
  answer.line = *line;
  answer.object = ClientJson::parse(*line, nullptr, false);
  const ClientJson& said = answer.object;
  if (!said.is_object()) return wrong(*line, "the answer is no JSON object on a line");
  if (!said.contains("id") || said["id"] != id)
    return wrong(*line, fmt::format("the answer has not the \"id\" of its request, {}", id));
  if (!said.contains("ok") || !said["ok"].is_boolean())
    return wrong(*line, "\"ok\" is neither true nor false");
  if (said["ok"].get<bool>()) return Reply::Done;
  problem_ = said.contains("error") && said["error"].is_string() ? said["error"].get<std::string>() : *line;
  const std::string outcome =
      said.contains("outcome") && said["outcome"].is_string() ? said["outcome"].get<std::string>() : "";
  if (outcome == "aborted") return Reply::Aborted;
  if (outcome == "unknown") return Reply::Lost;
  if (outcome == "fatal") return Reply::Broken;
  return wrong(*line, "\"outcome\" is none of aborted, unknown, fatal");
}

Reply ClientSession::setup(std::string_view data, std::size_t keys) {
  Answer answer;
  return ask(fmt::format(R"("op":"setup","data":"{}","keys":{})", data, keys), answer);
}

Reply ClientSession::simple(std::string_view op) {
  Answer answer;
  return ask(fmt::format(R"("op":"{}")", op), answer);
}

Reply ClientSession::change(std::string_view op, std::int64_t key, std::int64_t value) {
  Answer answer;
  return ask(fmt::format(R"("op":"{}","key":{},"value":{})", op, key, value), answer);
}

Reply ClientSession::read(std::int64_t key, std::int64_t& value) {
  Answer answer;
  const Reply reply = ask(fmt::format(R"("op":"read","key":{})", key), answer);
  if (reply != Reply::Done) return reply;
  if (!answer.object.contains("value") || !answer.object["value"].is_number_integer())
    return wrong(answer.line, "the \"value\" that was read is no whole number");
  value = answer.object["value"].get<std::int64_t>();
  return reply;
}

Reply ClientSession::read_list(std::int64_t key, std::vector<std::int64_t>& elements) {
  Answer answer;
  const Reply reply = ask(fmt::format(R"("op":"read-list","key":{})", key), answer);
  if (reply != Reply::Done) return reply;
  if (!answer.object.contains("value") || !answer.object["value"].is_array())
    return wrong(answer.line, "the \"value\" that was read is no list");
  for (const ClientJson& element : answer.object["value"]) {
    if (!element.is_number_integer()) return wrong(answer.line, "an element of the list is no whole number");
    elements.push_back(element.get<std::int64_t>());
  }
  return reply;
}

}  // namespace assay
