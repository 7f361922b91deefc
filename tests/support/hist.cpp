#include "support/hist.h"

#include <stdexcept>
#include <string>

#include "history_io/format.h"

namespace assay::test {

History hist(std::string_view text) {
  auto result = read_history(ByteSource::from_memory("hist", std::string(text)), find_format("hist"));
  if (!result) throw std::invalid_argument(result.error().describe());
  return std::move(result).value();
}

}  // namespace assay::test
