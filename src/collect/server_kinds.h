// What is particular to each database server that we can start.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

struct ServerCommands {
  std::vector<std::string> initialise, serve;
  std::string initialise_input;  // for its standard input
};

struct ServerKind {
  std::string_view name, title, package;
  std::string_view users[2];  // whom root becomes: the first that exists
  int stop_signal;
  // Empty: it is not installed.
  std::string (*find_binary)();
  ServerCommands (*commands)(const std::string& binary, const std::string& directory);
  std::string (*url)(const std::string& directory);
};

std::span<const ServerKind> server_kinds();

}  // namespace assay
