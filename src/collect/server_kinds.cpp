#include "collect/server_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace assay {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string find_in_path(std::string_view program) {
  std::string directories = "/usr/sbin:/usr/local/sbin";  // not in every user's path
  if (const char* path = std::getenv("PATH")) directories = path + (":" + directories);
  std::istringstream list(directories);
  for (std::string directory; std::getline(list, directory, ':');)
    if (is_there(fs::path(directory) / program)) return fs::path(directory) / program;
  return {};
}

// Debian keeps every major version in a directory of its own: the newest.
std::string find_postgres() {
  int newest = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored))
    if (is_there(entry.path() / "bin/initdb"))
      newest = std::max(newest, std::atoi(entry.path().filename().c_str()));
  return newest > 0 ? fmt::format("/usr/lib/postgresql/{}/bin/postgres", newest) : find_in_path("postgres");
}

// What a crash of the machine would lose is not what is tested; deadlocks are looked for soon, since
// workloads make many; errors are for the client, not for the log.
ServerCommands postgres_commands(const std::string& binary, const std::string& directory) {
  const std::string data = directory + "/data";
  return {.initialise = {fs::path(binary).parent_path() / "initdb", "-D", data, "-U", "assay", "-A", "trust",
                         "--no-sync", "--no-instructions", "-E", "UTF8", "--locale=C"},
          .serve = {binary, "-D", data, "-k", directory, "-c", "listen_addresses=", "-c", "fsync=off", "-c",
                    "full_page_writes=off", "-c", "max_connections=600", "-c", "deadlock_timeout=20ms", "-c",
                    "log_min_messages=fatal", "-c", "shared_buffers=128MB"},
          .initialise_input = {}};
}

std::string postgres_url(const std::string& directory) {
  return fmt::format("postgresql:///postgres?host={}&user=assay", directory);
}

std::string find_mariadb() {
  const std::string binary = find_in_path("mariadbd");
  return binary.empty() ? find_in_path("mysqld") : binary;
}

// The system tables from the server's own script, which wants the database to be there. Who may connect is
// decided by the directory's permissions, so there are no accounts.
ServerCommands mariadb_commands(const std::string& binary, const std::string& directory) {
  const std::string data = "--datadir=" + directory + "/data";
  std::ostringstream tables;
  tables << "create database mysql;\nuse mysql;\n"
         << std::ifstream("/usr/share/mysql/mysql_system_tables.sql").rdbuf();
  return {
      .initialise = {binary, "--no-defaults", "--bootstrap", data, "--skip-grant-tables",
                     "--innodb-log-file-size=64M", "--innodb-flush-method=nosync", "--tmpdir=" + directory},
      .serve = {binary, "--no-defaults", data, "--socket=" + directory + "/socket",
                "--pid-file=" + directory + "/pid", "--skip-networking", "--skip-grant-tables",
                "--max-connections=600", "--innodb-log-file-size=64M", "--innodb-flush-log-at-trx-commit=2",
                "--innodb-flush-method=nosync", "--tmpdir=" + directory},
      .initialise_input = tables.str()};
}

std::string mariadb_url(const std::string& directory) {
  return fmt::format("mariadb://root@localhost/?socket={}/socket", directory);
}

constexpr ServerKind kKinds[] = {
    {"postgres",
     "PostgreSQL",
     "postgresql",
     {"postgres", "nobody"},
     SIGQUIT,
     find_postgres,
     postgres_commands,
     postgres_url},
    {"mariadb",
     "MariaDB",
     "mariadb-server-core",
     {"mysql", "nobody"},
     SIGKILL,
     find_mariadb,
     mariadb_commands,
     mariadb_url},
};

}  // namespace

std::span<const ServerKind> server_kinds() { return kKinds; }

}  // namespace assay
