// One session of a client that is a program of the user's: requests and answers of docs/client-protocol.md,
// one JSON object a line.
//
// An answer repeats the number of its request, so none is taken for the answer to something else. What is no
// answer in the sense of the protocol is the client's fault and Broken: problem() says what was wrong with
// it. A client that ends, or says nothing for half a minute, is Lost.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "collect/child_process.h"
#include "collect/database.h"

namespace assay {

// What a client says of itself.
struct ClientHello {
  std::string database;                                  // "SQLite 3.40.1"
  std::vector<std::string> isolation;                    // names of levels; the first is the default
  std::map<std::string, std::optional<Level>> claims{};  // by name of a level
  std::vector<std::string> data;                         // registers, lists
};

class ClientSession {
 public:
  // Starts the command. `directory` is shared by all sessions of a run.
  static Result<std::unique_ptr<ClientSession>> start(const std::string& command, std::size_t session,
                                                      const std::string& isolation,
                                                      const std::string& directory);
  const ClientHello& hello() const { return hello_; }

  Reply setup(std::string_view data, std::size_t keys);
  Reply simple(std::string_view op);  // begin, commit, rollback, teardown
  Reply read(std::int64_t key, std::int64_t& value);
  Reply read_list(std::int64_t key, std::vector<std::int64_t>& elements);
  Reply change(std::string_view op, std::int64_t key, std::int64_t value);  // write, append
  const std::string& problem() const { return problem_; }
  ChildProcess& process() { return process_; }

 private:
  explicit ClientSession(ChildProcess process) : process_(std::move(process)) {}
  struct Answer;
  Reply ask(const std::string& request, Answer& answer);  // what follows "id" in the object
  Result<void> greet(std::size_t session, const std::string& isolation, const std::string& directory);
  Reply wrong(const std::string& line, std::string_view why);

  ChildProcess process_;
  ClientHello hello_;
  std::uint64_t requests_ = 0;
  std::string problem_;
};

}  // namespace assay
