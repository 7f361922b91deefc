// The adapters, each in the one file that knows its client library, and how each reads an error.
#pragma once

#include "collect/database.h"

namespace assay {

Result<std::unique_ptr<Database>> open_sqlite(const Url& url, const DatabaseOptions& options);
Result<std::unique_ptr<Database>> open_postgresql(const Url& url, const DatabaseOptions& options);
Result<std::unique_ptr<Database>> open_mariadb(const Url& url, const DatabaseOptions& options);
Result<std::unique_ptr<Database>> open_simulated(const Url& url, const DatabaseOptions& options);

Reply classify_sqlite(int extended_code);
Reply classify_sqlstate(std::string_view state);
Reply classify_mariadb(unsigned code);

}  // namespace assay
