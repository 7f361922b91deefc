#include "matrix/collect_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "collect/server.h"
#include "collect/server_kinds.h"

namespace assay {
namespace {

Result<void> add_database(const std::string& address, const std::string& in_which_way,
                          const MatrixOptions& options, Matrix& matrix) {
  const auto url = parse_url(address);
  if (!url) return url.error();
  const auto database = open_database(*url, matrix_database_options(options.seed));
  if (!database) return database.error();
  for (const DatabaseLevel& level : (*database)->levels()) {
    MatrixRow row{.database = (*database)->version() + in_which_way,
                  .isolation = std::string(level.name),
                  .claims = level.claims};
    options.progress(fmt::format("{}, {}", row.database, row.isolation));
    auto rows = try_configuration(**database, level, std::move(row), options);
    options.progress("");
    if (!rows) return std::move(rows).error();
    std::ranges::move(*rows, std::back_inserter(matrix.rows));
  }
  return {};
}

}  // namespace

Result<Matrix> collect_matrix(const std::vector<std::string>& urls, const MatrixOptions& options) {
  Matrix matrix;
  for (const std::string& url : urls) ASSAY_TRY(add_database(url, "", options, matrix));
  if (!urls.empty()) return matrix;
  ASSAY_TRY(add_database("sqlite:", "", options, matrix));
  ASSAY_TRY(add_database("sqlite:?journal=delete", ", rollback journal", options, matrix));
  for (const ServerKind& kind : server_kinds()) {
    const auto server = Server::start(kind.name);
    if (server) {
      ASSAY_TRY(add_database(server->url(), "", options, matrix));
    } else {
      matrix.missing.push_back(server.error().describe());
      options.missing(matrix.missing.back());
    }
  }
  return matrix;
}

}  // namespace assay
