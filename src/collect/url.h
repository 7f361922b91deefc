// Where a database is: SCHEME:PATH?OPTIONS or SCHEME://USER:PASSWORD@HOST:PORT/PATH?OPTIONS.
//
// This is the only place that knows how an address is written. A password becomes a Secret at once; `shown`
// is what messages, histories and reports may say.
//
// A password with / or ? that is not written as %2F or %3F makes an address ambiguous: nobody can say where
// it ends. Such an address is refused, and hidden from its first colon to its last @, so that no part of the
// password is taken for a host, a path or an option and comes back in a message of the client library.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "collect/secret.h"

namespace assay {

struct Url {
  std::string scheme, user, host, port, path;
  Secret password;
  std::map<std::string, std::string> options;
  std::map<std::string, Secret> secret_options;  // but for the password: sslpassword
  std::string shown;                             // the text without any password

  std::string option(const std::string& name) const;  // empty when it is not there
};

Result<Url> parse_url(std::string_view text);

// A word of a command line: all that may be a password in it is ***, also where it is no address that
// parse_url() takes. Other words stay as they are.
std::string hide_password(std::string_view word);

}  // namespace assay
