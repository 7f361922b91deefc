#include "certify/certifying.h"

#include <fmt/format.h>

#include "certify/certify.h"
#include "certify/parse.h"
#include "history/digest.h"

namespace assay::test {

std::string complaint(const History& history, std::string_view claim, std::string_view evidence) {
  std::string lines(evidence);
  for (std::size_t i; (i = lines.find(" / ")) != lines.npos;) lines.replace(i, 3, "\n");
  const auto certificate = parse_certificate(
      fmt::format("assay-certificate 1\nhistory {:016x}\nlevel {}\n{}\nend\n", digest(history), claim, lines),
      history);
  if (!certificate) return certificate.error().describe();
  const auto result = certify(history, *certificate);
  return result ? "" : result.error().describe();
}

}  // namespace assay::test
