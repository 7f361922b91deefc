// Where a database is: SCHEME:PATH?OPTIONS or SCHEME://USER:PASSWORD@HOST:PORT/PATH?OPTIONS.
//
// A password is taken out at once and kept apart: `shown` is what messages, histories and reports may say,
// and hide_password() does the same for a whole text in which a URL may stand.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay {

struct Url {
  std::string scheme, user, password, host, port, path;
  std::map<std::string, std::string> options;
  std::string shown;  // the text without the password

  std::string option(const std::string& name) const;  // empty when it is not there
};

Result<Url> parse_url(std::string_view text);

// The text with every password in it replaced by ***.
std::string hide_password(std::string_view text);

}  // namespace assay
