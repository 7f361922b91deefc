#include "matrix/collect_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "collect/server.h"
#include "collect/server_kinds.h"

namespace assay {
namespace {

// How a command line names what is at an address. Without its password, which nobody shall read.
std::string db_option(const Url& url) { return fmt::format("--db '{}'", url.shown); }

// `option` is what starts the server, where it is one of ours.
Result<void> add_database(const std::string& address, const std::string& in_which_way,
                          const MatrixOptions& options, Matrix& matrix, const std::string& option = {}) {
  const auto url = parse_url(address);
  if (!url) return url.error();
  const auto database = open_database(*url, matrix_database_options(options.seed));
  if (!database) return database.error();
  for (const DatabaseLevel& level : (*database)->levels()) {
    MatrixRow row{.database = (*database)->version() + in_which_way,
                  .isolation = std::string(level.name),
                  .address = option.empty() ? db_option(*url) : option,
                  .claims = level.claims};
    const std::string name = fmt::format("{}, {}", row.database, row.isolation);
    const auto leave_out = [&](const std::string& why) {
      matrix.missing.push_back(fmt::format("{}: {}", name, why));
      options.missing(matrix.missing.back());
    };
    options.progress(name);
    auto rows = try_configuration(**database, level, std::move(row), options);
    options.progress("");
    if (options.stop()) return error("interrupted");
    if (!rows) {  // the others are not to blame
      leave_out(rows.error().describe());
      continue;
    }
    for (const MatrixRow& tried : *rows)
      if (!tried.ended_by.empty()) leave_out("the rest, since " + tried.ended_by);
    std::ranges::move(*rows, std::back_inserter(matrix.rows));
  }
  return {};
}

Result<void> add_databases(const std::vector<std::string>& urls, const MatrixOptions& options,
                           Matrix& matrix) {
  for (const std::string& url : urls) ASSAY_TRY(add_database(url, "", options, matrix));
  if (!urls.empty()) return {};
  ASSAY_TRY(add_database("sqlite:", "", options, matrix));
  ASSAY_TRY(add_database("sqlite:?journal=delete", ", rollback journal", options, matrix));
  for (const ServerKind& kind : server_kinds()) {
    const auto server = Server::start(kind.name);
    if (server) {
      ASSAY_TRY(add_database(server->url(), "", options, matrix, fmt::format("--start {}", kind.name)));
    } else {
      matrix.missing.push_back(server.error().describe());
      options.missing(matrix.missing.back());
    }
  }
  return {};
}

}  // namespace

Result<Matrix> collect_matrix(const std::vector<std::string>& urls, const MatrixOptions& options) {
  Matrix matrix;
  if (auto done = add_databases(urls, options, matrix); !done) {
    if (!options.stop() || matrix.rows.empty()) return std::move(done).error();
    matrix.missing.emplace_back("everything that follows: the matrix was interrupted");
    options.missing(matrix.missing.back());
  }
  return matrix;
}

}  // namespace assay
