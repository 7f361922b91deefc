// `assay clean`: removes what runs that were killed have left in a database.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "collect/database.h"

namespace assay::cli {
namespace {

Result<std::vector<std::string>> clean(const std::string& address) {
  const auto url = parse_url(address);
  if (!url) return url.error();
  const auto database = open_database(*url, {});
  if (!database) return database.error();
  return (*database)->remove_leftovers();
}

}  // namespace

void add_clean(CLI::App& app, Exit& exit) {
  auto address = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("clean", "Remove what runs that were killed have left in a database");
  command->add_option("--db", *address, "The database, as in assay run")->required();
  command->footer(
      "Removes schemas (PostgreSQL), databases (MariaDB) or tables (SQLite) that are called assay_ and eight "
      "digits, as\n"
      "runs call them. Those of a run that still goes on are called so, too: wait until it has ended.\n\n"
      "Example:\n"
      "  assay clean --db postgresql://me@db.example/test");
  command->callback([address, &exit] {
    const auto removed = clean(*address);
    if (!removed) {
      exit = fail(removed.error());
      return;
    }
    for (const std::string& name : *removed) print(fmt::format("removed {}\n", name));
    if (removed->empty()) print("nothing to remove\n");
    exit = Exit::Holds;
  });
}

}  // namespace assay::cli
